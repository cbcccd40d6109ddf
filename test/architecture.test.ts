// Each architecture rule on files that exist only here: one case it accepts and the cases it refuses.
// A case says what the files hold and which lines the rule reports, as `path:line words of the message`.

import { describe, expect, test } from "vitest";
import {
  checkArchitecture,
  checkCycles,
  checkDeepImports,
  checkDependencies,
  checkFolderDirection,
  checkPackageDirection,
  checkPurity,
} from "../tools/architecture.mjs";
import { checkLengths, updateRatchet } from "../tools/length-ratchet.mjs";
import { findFunctions, findImports } from "../tools/source-scan.mjs";

type Files = Readonly<Record<string, string>>;
type Case = readonly [name: string, files: Files, reports: readonly string[]];

const COMPILER = "packages/compiler/src";
const DEFINITION = "packages/definition/src";
const CLI = "packages/cli/src";
const RUNTIME = "packages/runtime/src";

const packageDirection: readonly Case[] = [
  ["to the left", { [`${COMPILER}/compile.ts`]: `import { x } from "@stoa/definition";` }, []],
  [
    "the command line sees all",
    { [`${CLI}/main.ts`]: `import("@stoa/compiler"); import "@stoa/runtime";` },
    [],
  ],
  ["other people's packages are free", { [`${CLI}/main.ts`]: `import { Command } from "commander";` }, []],
  [
    "to the right",
    { [`${DEFINITION}/index.ts`]: `\nimport type { X } from "@stoa/compiler";` },
    [`${DEFINITION}/index.ts:2 definition may import no other package`],
  ],
  [
    "the runtime sees no compiler",
    { [`${RUNTIME}/plan.ts`]: `export * from "@stoa/compiler";` },
    [`${RUNTIME}/plan.ts:1 runtime may import definition, database, generators`],
  ],
  [
    "nothing imports the command line",
    { [`${COMPILER}/compile.ts`]: `import "stoa";` },
    [`${COMPILER}/compile.ts:1 compiler imports stoa`],
  ],
  [
    "itself by name",
    { [`${COMPILER}/compile.ts`]: `import "@stoa/compiler";` },
    [`${COMPILER}/compile.ts:1 imports its own files by relative paths`],
  ],
  [
    "a package without a row",
    { "packages/extra/src/index.ts": `import "node:fs";` },
    ["packages/extra/src/index.ts:1 package extra is not in the table"],
  ],
];

const folderDirection: readonly Case[] = [
  ["to the left", { [`${COMPILER}/check/types.ts`]: `import { parse } from "../syntax/parse.js";` }, []],
  ["inside one folder", { [`${COMPILER}/diagnostics/text.ts`]: `import { x } from "./codes.js";` }, []],
  ["below one folder", { [`${COMPILER}/check/expressions/call.ts`]: `import { x } from "../types.js";` }, []],
  ["an entry sees all", { [`${COMPILER}/compile.ts`]: `import { lower } from "./lower/lower.js";` }, []],
  [
    "everyone sees leaves",
    { [`${COMPILER}/diagnostics/text.ts`]: `import { plural } from "../naming.js";` },
    [],
  ],
  ["leaves see leaves", { [`${COMPILER}/naming.ts`]: `import { word } from "./names.js";` }, []],
  [
    "to the right",
    { [`${COMPILER}/syntax/parse.ts`]: `import { check } from "../check/check.js";` },
    [`${COMPILER}/syntax/parse.ts:1 folder syntax imports check`],
  ],
  [
    "the formatter knows only syntax",
    { [`${COMPILER}/format/print.ts`]: `import { resolve } from "../resolve/resolve.js";` },
    [`${COMPILER}/format/print.ts:1 it may import leaf files, diagnostics, syntax`],
  ],
  [
    "a folder sees no entry",
    { [`${COMPILER}/lower/lower.ts`]: `import { compile } from "../compile.js";` },
    [`${COMPILER}/lower/lower.ts:1 folder lower imports entry`],
  ],
  [
    "a leaf sees no folder",
    { [`${COMPILER}/naming.ts`]: `import { x } from "./syntax/tree.js";` },
    [`${COMPILER}/naming.ts:1 a leaf file beside the entry files imports syntax`],
  ],
  [
    "a folder without a row",
    { [`${COMPILER}/extra/x.ts`]: `import { x } from "../syntax/tree.js";` },
    [`${COMPILER}/extra/x.ts:1 folder extra is not in the table`],
  ],
];

const cycles: readonly Case[] = [
  [
    "a diamond is no cycle",
    {
      [`${CLI}/a.ts`]: `import "./b.js"; import "./c.js";`,
      [`${CLI}/b.ts`]: `import "./d.js";`,
      [`${CLI}/c.ts`]: `import "./d.js";`,
    },
    [],
  ],
  [
    "two files, types count as well",
    { [`${CLI}/a.ts`]: `import { b } from "./b.js";`, [`${CLI}/b.ts`]: `\nimport type { A } from "./a.js";` },
    [`${CLI}/a.ts:1 ${CLI}/a.ts → ${CLI}/b.ts → ${CLI}/a.ts`],
  ],
  [
    "reached from outside",
    {
      [`${CLI}/a.ts`]: `import "./b.js";`,
      [`${CLI}/b.ts`]: `import "./c.js";`,
      [`${CLI}/c.ts`]: `import "./b.js";`,
    },
    [`${CLI}/b.ts:1 ${CLI}/b.ts → ${CLI}/c.ts → ${CLI}/b.ts`],
  ],
  ["a file by itself", { [`${CLI}/a.ts`]: `import "./a.js";` }, [`${CLI}/a.ts:1 ${CLI}/a.ts → ${CLI}/a.ts`]],
];

const definitionManifest = JSON.stringify({
  exports: { ".": "./dist/index.js", "./schema.json": "./s.json" },
});

const deepImports: readonly Case[] = [
  [
    "a declared subpath",
    {
      "packages/definition/package.json": definitionManifest,
      [`${COMPILER}/index.ts`]: `import "@stoa/definition/schema.json"; import "@stoa/definition";`,
    },
    [],
  ],
  ["inside the package", { [`${CLI}/commands/build.ts`]: `import "../../package.json";` }, []],
  [
    "an undeclared subpath",
    {
      "packages/definition/package.json": definitionManifest,
      [`${COMPILER}/index.ts`]: `import "@stoa/definition/src/types.js";`,
    },
    [`${COMPILER}/index.ts:1 not in the exports of @stoa/definition`],
  ],
  [
    "a path into a neighbour",
    { [`${CLI}/main.ts`]: `import "../../compiler/src/index.js";` },
    [`${CLI}/main.ts:1 leaves the package`],
  ],
];

const purity: readonly Case[] = [
  [
    "words in comments, strings, templates and patterns",
    {
      [`${COMPILER}/compile.ts`]: [
        "// process.exit is not for us",
        'const a = "console.log";',
        "const b = `Math.random ${a.process.env} new Date()`;",
        "const c = /Date.now/;",
      ].join("\n"),
    },
    [],
  ],
  ["an impure package", { [`${CLI}/main.ts`]: `import "node:fs"; console.log(process.argv);` }, []],
  [
    "builtins",
    { [`${DEFINITION}/index.ts`]: `import { readFileSync } from "node:fs";` },
    [`${DEFINITION}/index.ts:1 definition is pure and imports node:fs`],
  ],
  [
    "clock, chance, environment and output",
    {
      [`${COMPILER}/compile.ts`]: [
        "const a = process.env;",
        "console.log(a);",
        "const c = [Date.now(), `${Math.random()}`];",
        "const d = new Date(0);",
      ].join("\n"),
    },
    [
      `${COMPILER}/compile.ts:1 mentions \`process.`,
      `${COMPILER}/compile.ts:2 mentions \`console.`,
      `${COMPILER}/compile.ts:3 mentions \`Date.now`,
      `${COMPILER}/compile.ts:3 mentions \`Math.random`,
      `${COMPILER}/compile.ts:4 mentions \`new Date(`,
    ],
  ],
];

const dependencies: readonly Case[] = [
  [
    "declared, or a builtin",
    {
      "packages/runtime/package.json": `{ "dependencies": { "@a/b": "1" }, "peerDependencies": { "c": "1" } }`,
      [`${RUNTIME}/x.ts`]: `import "@a/b/sub"; import "c"; import "node:fs"; import "./y.js";`,
    },
    [],
  ],
  [
    "the bundled command line lists devDependencies",
    {
      "packages/cli/package.json": `{ "devDependencies": { "commander": "1" } }`,
      [`${CLI}/main.ts`]: `import "commander";`,
    },
    [],
  ],
  [
    "development dependencies do not count elsewhere",
    {
      "packages/runtime/package.json": `{ "devDependencies": { "c": "1" } }`,
      [`${RUNTIME}/x.ts`]: `import "c";`,
    },
    [`${RUNTIME}/x.ts:1 c is not a dependency of runtime`],
  ],
  ["a builtin by its old name", { [`${RUNTIME}/x.ts`]: `import "fs";` }, [`${RUNTIME}/x.ts:1 write node:fs`]],
];

const rules = { packageDirection, folderDirection, cycles, deepImports, purity, dependencies };
const checks = {
  packageDirection: checkPackageDirection,
  folderDirection: checkFolderDirection,
  cycles: checkCycles,
  deepImports: checkDeepImports,
  purity: checkPurity,
  dependencies: checkDependencies,
};

for (const rule of Object.keys(rules) as (keyof typeof rules)[]) {
  describe(rule, () => {
    test.each(rules[rule])("%s", (_name, files, reports) => {
      expectReports(checks[rule](new Map(Object.entries(files))), reports);
    });
  });
}

/** Every violation matches the report at its place: the same path and line, and the words of the report. */
function expectReports(
  violations: readonly { path: string; line: number; message: string }[],
  reports: readonly string[],
): void {
  const told = violations.map(({ path, line, message }) => `${path}:${line} ${message}`);
  const matching = told.map((text, index) => {
    const [place = "", ...words] = (reports[index] ?? "").split(" ");
    return text.startsWith(`${place} `) && text.includes(words.join(" ")) ? reports[index] : text;
  });
  expect(matching).toEqual(reports);
}

/** A function of so many lines. */
const long = (lines: number, head = "function long() {") =>
  [head, ...Array(lines - 2).fill("  x();"), "}"].join("\n");
const at = (lines: number) => new Map([[`${CLI}/a.ts`, long(lines)]]);
const KEY = `${CLI}/a.ts#long`;

describe("lengths", () => {
  const listed = { [KEY]: { lines: 70, why: "a flat table" } };
  test.each([
    ["short enough", at(60), {}, []],
    ["too long", at(61), {}, [`${CLI}/a.ts:1 function long has 61 lines, at most 60`]],
    ["listed", at(70), listed, []],
    ["grown", at(71), listed, [`${CLI}/a.ts:1 grew from 70 to 71`]],
    ["shrunk", at(69), listed, [`${CLI}/a.ts:1 shrank from 70 to 69`]],
    ["vanished", at(20), listed, [`tools/length-ratchet.json:1 ${KEY} is no longer too long`]],
    [
      "listed without a reason",
      at(70),
      { [KEY]: { lines: 70, why: "" } },
      [`${CLI}/a.ts:1 without a reason`],
    ],
    ["a long file", new Map([["f.ts", "x;\n".repeat(501)]]), {}, ["f.ts:1 the file has 501 lines"]],
    ["a file at the limit", new Map([["f.ts", "x;\n".repeat(500)]]), {}, []],
  ] as const)("%s", (_name, files, ratchet, reports) => expectReports(checkLengths(files, ratchet), reports));

  test("updating only tightens", () => {
    expect(updateRatchet(at(65), listed, { accept: false })).toEqual({
      [KEY]: { lines: 65, why: "a flat table" },
    });
    expect(updateRatchet(at(75), listed, { accept: false })).toEqual(listed);
    expect(updateRatchet(at(75), {}, { accept: false })).toEqual({});
    expect(updateRatchet(at(20), listed, { accept: false })).toEqual({});
  });

  test("accepting takes what is there", () => {
    expect(updateRatchet(at(75), {}, { accept: true })).toEqual({ [KEY]: { lines: 75, why: "" } });
    expect(updateRatchet(at(75), listed, { accept: true })).toEqual({
      [KEY]: { lines: 75, why: "a flat table" },
    });
  });
});

describe("functions are found", () => {
  // Each source, with the functions in it as `name line+lines`.
  test.each([
    ["function name(a: number): void {\n}", ["name 1+2"]],
    ["export async function* name<T extends () => void>(\n  a: T,\n) {\n}", ["name 1+4"]],
    ["function name(): { a: number } | Map<string, { b: string }> {\n}", ["name 1+2"]],
    ["function isText(x: unknown): x is string {\n}", ["isText 1+2"]],
    [
      "function make(): (a: string) => void {\n  return (a) => {\n  };\n}",
      ["make 1+4", "callback in make 2+2"],
    ],
    ["function over(a: string): void;\nfunction over(a: unknown): void {\n}", ["over 2+2"]],
    ["const name = async (a: string): Promise<void> => {\n};", ["name 1+2"]],
    ["const name: (a: string) => void = (a) => {\n};", ["name 1+2"]],
    ["const name = <T>(a: T) => {\n};", ["name 1+2"]],
    ["const name = function (a) {\n};", ["name 1+2"]],
    ["const name = function* (a) {\n};", ["name 1+2"]],
    [
      "class A {\n  constructor(private a: B) {\n  }\n  get b(): C {\n  }\n  static #c(d = {}) {\n  }\n}",
      ["constructor 2+2", "b 4+2", "#c 6+2"],
    ],
    [
      "const table = {\n  one: (x) => {\n  },\n  two(x) {\n  },\n  three: (x) => x,\n};",
      ["one 2+2", "two 4+2"],
    ],
    [
      "list.map((x) => {\n  f(() => {\n  });\n});",
      ["callback in module 1+4", "callback in callback in module 2+2"],
    ],
    ["if (a) {\n} else if (b) {\n}\nfor (const x of y()) {\n}\nwhile (z) {\n}\nswitch (a) {\n}", []],
    ["try {\n} catch (error) {\n}\nconst a = b ? c(d) : { e };\nconst f = (g) => ({ h });", []],
    ["switch (true) {\n  case is(a): {\n  }\n  case is(b): return {};\n}", []],
    ["interface A {\n  b(c: string): D;\n  e: (f: string) => G;\n}\nclass B extends mixin(C) {\n}", []],
    [
      "const a = `${b.map((c) => {\n return `}`;\n})} {`;\nfunction d() {\n}",
      ["callback in module 1+3", "d 4+2"],
    ],
    ["const a = /[/{]\\/{/g.test(b) / 2; // {\n/* { */ function c() {\n}", ["c 2+2"]],
    [`const a = "{"; const b = '\\'{';\nfunction c() {\n}`, ["c 2+2"]],
    ["const a = () => {\n};\nconst a2 = 1;\n{\n  const a = () => {\n  };\n}", ["a 1+2", "a (2) 5+2"]],
  ] as const)("%j", (source, expected) => {
    expect(findFunctions(source).map(({ name, line, lines }) => `${name} ${line}+${lines}`)).toEqual(
      expected,
    );
  });
});

describe("imports are found", () => {
  test.each([
    [`import a from "a";\nimport type { B } from 'b';\nimport "c";`, ["a 1", "b 2", "c 3"]],
    [
      `import {\n  a,\n  b,\n} from "a";\nexport * as c from "c";\nexport { d } from "d";`,
      ["a 4", "c 5", "d 6"],
    ],
    [`const a = await import("a");\ntype B = import("b").B;`, ["a 1", "b 2"]],
    [`// import "a";\n/* from "b" */ const c = 'import "c"'; const d = \`from "d"\`;`, []],
    [`const from = Array.from("a");\nconst b = { from: "b" };\nx.import("c");`, []],
  ] as const)("%j", (source, expected) => {
    expect(findImports(source).map(({ specifier, line }) => `${specifier} ${line}`)).toEqual(expected);
  });
});

test("all rules run together, ordered by place", () => {
  const files = new Map([
    [`${COMPILER}/b.ts`, `import "@stoa/runtime";`],
    [`${COMPILER}/a.ts`, `\nconsole.log();`],
  ]);
  const places = checkArchitecture(files, {}).map(({ path, line, rule }) => `${path}:${line} ${rule}`);
  expect(places).toEqual([
    `${COMPILER}/a.ts:2 purity`,
    `${COMPILER}/b.ts:1 package-direction`,
    `${COMPILER}/b.ts:1 dependency`,
  ]);
});
