// `stoa generate`, and what generators have `stoa build` write.

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inFolder, stoa } from "./run.js";
import { whileServing } from "./serve.js";

const PROGRAM = `model Item { field name { type string } }

api { entrypoint Item { list endpoint {} } }
`;
const GENERATORS = `generator client { target js, output "web/api" }

generator openapi { output "public/openapi.json" }

generator apidocs { basePath "/reference" }
`;
const PACKAGE = JSON.stringify({
  name: "items",
  version: "3.2.1",
  license: "MIT",
  description: "Some items.",
});

test("the document goes to standard output or to a file, and is the same", async () => {
  await inFolder({ "app.stoa": PROGRAM, "package.json": PACKAGE }, async (cwd) => {
    const { code, stdout } = await stoa(["generate", "openapi"], { cwd });
    expect(code).toBe(0);
    const { info } = JSON.parse(stdout);
    expect(info).toMatchObject({ title: "items", version: "3.2.1", license: { identifier: "MIT" } });
    expect((await stoa(["generate", "openapi", "--output", "a/b.json"], { cwd })).stderr).toContain(
      "wrote a/b.json",
    );
    expect(await readFile(join(cwd, "a/b.json"), "utf8")).toBe(stdout);
  });
});

test("a client in JavaScript needs a folder", async () => {
  await inFolder({ "app.stoa": PROGRAM }, async (cwd) => {
    expect((await stoa(["generate", "client"], { cwd })).stdout).toContain("export function createClient(");
    const refused = await stoa(["generate", "client", "--target", "js"], { cwd });
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("--output <folder>");
    expect((await stoa(["generate", "client", "--target", "js", "--output", "c"], { cwd })).code).toBe(0);
    expect(await readFile(join(cwd, "c/client.d.ts"), "utf8")).toContain("export interface Client");
  });
});

test("a program that does not compile has neither", async () => {
  await inFolder({ "app.stoa": "model {" }, async (cwd) => {
    const { code, stdout } = await stoa(["generate", "openapi"], { cwd });
    expect([code, stdout]).toEqual([1, ""]);
  });
});

test("a build writes what the program asks for, and touches only what is new", async () => {
  await inFolder({ "app.stoa": PROGRAM, "generators.stoa": GENERATORS }, async (cwd) => {
    const { generated } = JSON.parse((await stoa(["build", "--json"], { cwd })).stdout);
    const files = ["web/api/client.js", "web/api/client.d.ts", "public/openapi.json"].map((each) =>
      join(cwd, each),
    );
    expect(generated).toEqual(files);
    const before = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
    await stoa(["build"], { cwd });
    expect(await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs))).toEqual(before);
  });
});

test("the page is there if the program or whoever starts it asks for it", async () => {
  const statuses = (url: string) =>
    Promise.all(
      ["/openapi.json", "/docs", "/docs/swagger-ui-bundle.js", "/reference"].map(
        async (path) => (await fetch(url + path)).status,
      ),
    );
  await inFolder({ "app.stoa": PROGRAM }, async (cwd) => {
    await stoa(["build"], { cwd });
    await whileServing([], { cwd }, async ({ url }) =>
      expect(await statuses(url)).toEqual([404, 404, 404, 404]),
    );
    await whileServing(["--docs"], { cwd }, async ({ url }) =>
      expect(await statuses(url)).toEqual([200, 200, 200, 404]),
    );
  });
  await inFolder({ "app.stoa": PROGRAM, "generators.stoa": GENERATORS }, async (cwd) => {
    await stoa(["build"], { cwd });
    await whileServing([], { cwd }, async ({ url }) =>
      expect(await statuses(url)).toEqual([200, 200, 200, 200]),
    );
  });
});
