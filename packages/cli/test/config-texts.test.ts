// What is written from the table of settings: the schema, the page in the docs, the types.

import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { SETTINGS } from "../src/config/settings.js";
import { configSchema, configTable, configTypes } from "../src/config/texts.js";
import { inFolder } from "./run.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

describe("the JSON Schema", () => {
  const validate = new Ajv2020({ allErrors: true, strict: true }).compile(configSchema());

  it.each([
    {},
    { $schema: "x", port: 0, host: "::", database: { url: "postgres://a/b", connections: 1 }, docs: true },
    { logLevel: "silent", dev: { populator: "Dev", open: false }, buildFolder: "out" },
  ])("takes %j", (config) => {
    expect([validate(config), validate.errors]).toEqual([true, null]);
  });

  it.each([
    { prot: 1 },
    { port: "80" },
    { port: 65_536 },
    { database: "postgres://a/b" },
    { database: { ulr: "x" } },
    { database: { url: "mysql://a/b" } },
    { logLevel: "loud" },
    { host: " " },
  ])("refuses %j", (config) => {
    expect(validate(config)).toBe(false);
  });
});

describe("the types of config files", () => {
  it("take what fits, and nothing else", () =>
    inFolder(
      {
        "stoa.d.ts": configTypes(),
        "good.ts": `import { defineConfig } from "./stoa.js";
export const a = defineConfig({ port: 1, database: { url: "x" }, logLevel: "warn", dev: { open: true } });
export const b = defineConfig(({ command, env }) => ({ host: env.HOST, docs: command === "dev" }));
export const c = defineConfig(async () => ({ port: undefined }));
// @ts-expect-error no such setting
export const d = defineConfig({ prot: 1 });
// @ts-expect-error no text
export const e = defineConfig({ port: "1" });
// @ts-expect-error no such level
export const f = defineConfig({ logLevel: "loud" });
// @ts-expect-error no such setting of a group
export const g = defineConfig({ database: { ulr: "x" } });
`,
      },
      async (folder) => {
        const options = {
          module: "nodenext",
          target: "es2022",
          strict: true,
          exactOptionalPropertyTypes: true,
        };
        const tsconfig = { compilerOptions: { ...options, noEmit: true, types: [] }, files: ["good.ts"] };
        await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
        const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
        const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).catch(
          (error) => error,
        );
        expect(stdout).toBe("");
      },
    ));

  it("have every setting", () => {
    for (const { name } of SETTINGS) expect(configTypes()).toContain(`readonly ${name.split(".").at(-1)}?: `);
  });
});

it("the table in the docs is that of the settings", async () => {
  const file = join(ROOT, "docs/configuration.md");
  const text = await readFile(file, "utf8");
  const [start = "", rest = ""] = text.split("<!-- settings -->\n\n");
  const [table = "", end = ""] = rest.split("\n<!-- end -->");
  const isOld = table !== configTable();
  if (process.env.UPDATE && isOld && end !== "") {
    await writeFile(file, `${start}<!-- settings -->\n\n${configTable()}\n<!-- end -->${end}`);
  } else expect(table).toBe(configTable());
});
