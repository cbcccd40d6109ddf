// A client that somebody else's generator makes of the document: it compiles, and it works.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { writeOpenApi } from "@stoa/generators";
import { buildSync } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { example, sample } from "../packages/generators/test/programs.js";
import { serve } from "./serve.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
// In the repository, so that what the generated code imports is found.
const folder = mkdtempSync(join(ROOT, "node_modules/.third-party-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function generate(name: string, document: string): string {
  const file = join(folder, `${name}.json`);
  const output = join(folder, `${name}.ts`);
  writeFileSync(file, document);
  execFileSync(process.execPath, [join(ROOT, "node_modules/oazapfts/dist/cli.js"), file, output]);
  return output;
}

interface Answer {
  readonly status: number;
  readonly data: Record<string, unknown>;
}

interface Client {
  readonly defaults: { baseUrl: string };
  authorList(query: object): Promise<Answer>;
  authorCreate(input: object, options: object): Promise<Answer>;
  authorUpdate(slug: string, input: object, options: object): Promise<Answer>;
  authorGet(slug: string, options: object): Promise<Answer>;
  authorDelete(slug: string, options: object): Promise<Answer>;
}

test.each(["blog", "shop"])("the client of the %s compiles", (name) => {
  const output = generate(name, writeOpenApi(sample(name)));
  const options = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    lib: ["ES2022", "DOM", "DOM.Iterable"],
  };
  const modules = { target: "ES2022", module: "ESNext", moduleResolution: "bundler" };
  const config = { compilerOptions: { ...options, ...modules }, files: [output] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  expect(spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" }).stdout).toBe("");
});

test("lists, creates, updates and deletes", async () => {
  const definition = example("bookstore");
  const source = generate("used", writeOpenApi(definition));
  const outfile = join(folder, "used.mjs");
  buildSync({ entryPoints: [source], outfile, bundle: true, format: "esm", platform: "node" });
  expect(readFileSync(outfile, "utf8").length).toBeGreaterThan(1000);
  const client: Client = await import(pathToFileURL(outfile).href);
  const served = await serve(definition);
  client.defaults.baseUrl = served.url;
  const created = await client.authorCreate({ name: "Ann Lee", slug: "ann" }, {});
  expect(created).toMatchObject({ status: 201, data: { slug: "ann", bookCount: 0 } });
  expect((await client.authorUpdate("ann", { name: "Ann B" }, {})).data).toMatchObject({ name: "Ann B" });
  expect((await client.authorList({ pageSize: 5 })).data).toMatchObject({
    totalCount: 1,
    data: [{ name: "Ann B" }],
  });
  expect((await client.authorDelete("ann", {})).status).toBe(204);
  expect(await client.authorGet("ann", {})).toMatchObject({ status: 404, data: { code: "not-found" } });
  await served.close();
});
