// The language reference is executed: its examples compile, what it says about mistakes is what the compiler
// prints, and nothing of the language is left out. The examples of the guides and other pages compile as well.
// UPDATE=1 rewrites what is printed.
//
// Code blocks of the pages; those that make files and send requests are run by walk/walk.ts:
//   ```stoa                                     a program: no diagnostics, and formatted
//   ```stoa fragment of=blog                    a file beside docs/reference/preludes/blog.stoa
//   ```stoa fragment of=blog in="model Post"    replaces the comment `// <insert model Post>` in that file
//   ```stoa wrong [of=blog]                     a file whose diagnostics are the ```text block after it
//   ```json diagnostics                         what `--json` prints for the `wrong` block before it
//   ```stoa loose                               the formatter makes of it the ```stoa block after it

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { codes, compile, format, renderDiagnostics, type Source, toJson } from "@stoa/compiler";
import { describe, expect, test } from "vitest";
import {
  type Block,
  blocksOf,
  FENCE,
  findPages,
  linksOf,
  type Page,
  ROOT,
  readPage,
} from "./walk/markdown.js";
import { FILE } from "./walk/walk.js";

const REFERENCE = new URL("../docs/reference/", import.meta.url);
const COMPILER = new URL("../packages/compiler/src/", import.meta.url);

const WRONG = /^```(stoa wrong.*)\n([\s\S]*?)^```\n(?:\n```text\n[\s\S]*?^```\n)?/gm;
const LOOSE = /^```(stoa loose)\n([\s\S]*?)^```\n(?:\n```stoa\n[\s\S]*?^```\n)?/gm;

const pages = readdirSync(REFERENCE)
  .filter((name) => name.endsWith(".md"))
  .map((name) => readFresh(`docs/reference/${name}`));
const OTHERS = [
  "docs/README.md",
  "docs/client.md",
  "docs/comparison.md",
  "docs/tutorial.md",
  "docs/why-a-language.md",
];
const others = [...OTHERS, ...findPages("docs/guides")].map(readFresh);

const blocks = [...pages, ...others].flatMap(blocksOf);

function readFresh(path: string): Page {
  const page = readPage(path);
  return process.env.UPDATE ? updatePage(page) : page;
}

function ofKind(pattern: RegExp): [place: string, block: Block][] {
  return blocks.filter(({ info }) => pattern.test(info)).map((block) => [block.place, block]);
}

function next(block: Block): Block | undefined {
  return blocks[blocks.indexOf(block) + 1];
}

/** Writes what follows `wrong` and `loose` blocks anew. */
function updatePage({ path, text }: Page): Page {
  const updated = text
    .replace(WRONG, (_, info: string, body: string) => {
      const printed = diagnose(sourcesOf({ info, text: body }));
      return `${fenced(info, body)}\n${fenced("text", printed)}`;
    })
    .replace(LOOSE, (_, info: string, body: string) => {
      const result = format({ name: path, text: body });
      return `${fenced(info, body)}\n${fenced("stoa", result.kind === "formatted" ? result.text : body)}`;
    });
  if (updated !== text) writeFileSync(new URL(path, ROOT), updated);
  return { path, text: updated };
}

function fenced(info: string, body: string): string {
  return `\`\`\`${info}\n${body}\`\`\`\n`;
}

/** The example, and before it the prelude that it stands beside. */
function sourcesOf({ info, text }: Pick<Block, "info" | "text">): Source[] {
  const prelude = /\bof=(\S+)/.exec(info)?.[1];
  const place = /\bin="([^"]+)"/.exec(info)?.[1];
  if (prelude === undefined) return [{ name: "example.stoa", text }];
  const around = readFileSync(new URL(`preludes/${prelude}.stoa`, REFERENCE), "utf8");
  if (place !== undefined) return [{ name: "example.stoa", text: insert(around, place, text) }];
  return [
    { name: `${prelude}.stoa`, text: around },
    { name: "example.stoa", text },
  ];
}

function insert(prelude: string, place: string, text: string): string {
  const marker = new RegExp(`^( *)// <insert ${place}>\n`, "m");
  expect(prelude).toMatch(marker);
  return prelude.replace(marker, (_, indent: string) => text.replace(/^(?=.)/gm, indent));
}

function diagnose(sources: readonly Source[]): string {
  const texts = new Map(sources.map((source) => [source.name, source.text]));
  return renderDiagnostics(compile(sources).diagnostics, { sources: texts });
}

function formatLast(sources: readonly Source[]) {
  return format(sources.at(-1) ?? { name: "", text: "" });
}

describe("programs and fragments compile and are formatted", () => {
  test.each(ofKind(/^stoa( fragment .*)?$/))("%s", (_, block) => {
    const sources = sourcesOf(block);
    expect(diagnose(sources)).toBe("");
    expect(formatLast(sources)).toEqual({ kind: "formatted", text: sources.at(-1)?.text });
  });
});

describe("mistakes are told as shown", () => {
  test.each(ofKind(/^stoa wrong\b/))("%s", (_, block) => {
    const printed = diagnose(sourcesOf(block));
    expect(printed).not.toBe("");
    expect({ info: next(block)?.info, text: next(block)?.text }).toEqual({ info: "text", text: printed });
  });

  test.each(ofKind(/^json diagnostics$/))("%s", (_, block) => {
    const before = blocks
      .slice(0, blocks.indexOf(block))
      .findLast(({ info }) => info.startsWith("stoa wrong"));
    const sources = before ? sourcesOf(before) : [];
    const texts = new Map(sources.map((source) => [source.name, source.text]));
    const diagnostics = toJson(compile(sources).diagnostics, texts);
    expect(JSON.parse(block.text)).toEqual({ diagnostics });
  });
});

describe("loose text is formatted as shown", () => {
  test.each(ofKind(/^stoa loose$/))("%s", (_, block) => {
    expect(formatLast(sourcesOf(block))).toEqual({ kind: "formatted", text: next(block)?.text });
  });
});

describe("preludes compile", () => {
  test.each(readdirSync(new URL("preludes/", REFERENCE)))("%s", (name) => {
    const source = { name, text: readFileSync(new URL(`preludes/${name}`, REFERENCE), "utf8") };
    expect(diagnose([source])).toBe("");
    expect(format(source)).toEqual({ kind: "formatted", text: source.text });
  });
});

test("every block is of a known kind", () => {
  const known =
    /^(stoa|stoa (fragment of=\w+( in="[^"]+")?|wrong( of=\w+)?|loose)|text|json( diagnostics| \d+)?|ts|js|sh|sql|http|console|dockerfile|yaml)$/;
  expect(
    blocks
      .filter(({ info }) => !known.test(info) && !FILE.test(info))
      .map(({ place, info }) => `${place} ${info}`),
  ).toEqual([]);
});

// ---------------------------------------------------------------- links

describe("links", () => {
  test("the overview leads to every page", () => {
    const linked = new Set(linksOf(readPage("docs/reference/README.md")));
    const names = pages.map(({ path }) => basename(path)).filter((name) => name !== "README.md");
    expect(names.filter((name) => !linked.has(name))).toEqual([]);
  });

  test("every diagnostic is linked from the page about diagnostics", () => {
    const linked = new Set(linksOf(readPage("docs/reference/diagnostics.md")));
    expect(Object.keys(codes).filter((code) => !linked.has(`../errors/${code}.md`))).toEqual([]);
  });
});

// ---------------------------------------------------------------- completeness

function readSource(path: string): string {
  return readFileSync(new URL(path, COMPILER), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}

/** Names of the properties of the object literal that opens at `open`; those of spread objects as well. */
function keysAt(source: string, open: number): string[] {
  const keys: string[] = [];
  let depth = 0;
  let isStart = false;
  for (let at = open; at < source.length; at++) {
    const char = source[at] ?? "";
    if ("{([".includes(char)) isStart = ++depth === 1;
    else if ("})]".includes(char) && --depth === 0) break;
    else if (char === "," && depth === 1) isStart = true;
    else if (isStart && /\S/.test(char)) {
      isStart = false;
      const [, spread, name = ""] = /^(\.\.\.)?(\w+)/.exec(source.slice(at, at + 60)) ?? [];
      keys.push(...(spread === undefined ? [name] : keysOf(source, name)));
    }
  }
  return keys;
}

/** Keys of `const <name> = { … }`; none when there is no such object. */
function keysOf(source: string, name: string): string[] {
  const found = new RegExp(`const ${name}\\b[^=]*= \\{`).exec(source);
  return found ? keysAt(source, found.index + found[0].length - 1) : [];
}

/** Strings in `const <name> = …;`. */
function stringsOf(source: string, name: string): string[] {
  const declaration = new RegExp(`const ${name}\\b[^;]*;`).exec(source)?.[0] ?? "";
  return [...declaration.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text);
}

/** The words of all block tables. */
function propertyWords(): string[] {
  const files = readdirSync(new URL("syntax/", COMPILER)).filter((name) => name.endsWith("-grammar.ts"));
  const words = files.flatMap((name) => {
    const source = readSource(`syntax/${name}`);
    const tables = [...source.matchAll(/defineBlock(?:<[^(]*>)?\(\s*"[^"]*",\s*\{/g)];
    const inTables = tables.flatMap((found) => keysAt(source, found.index + found[0].length - 1));
    return [...inTables, ...keysOf(source, "properties"), ...stringsOf(source, "METHODS")];
  });
  return [...new Set(words)].sort();
}

/** All code of a page: blocks, and words in backticks. */
function codeIn({ text }: Page): string {
  const inProse = text.replace(FENCE, "").matchAll(/`([^`\n]+)`/g);
  return [...text.matchAll(FENCE), ...inProse].map((found) => found[2] ?? found[1] ?? "").join("\n");
}

function missing(words: readonly string[], inPages: readonly Page[]): string[] {
  const code = inPages.map(codeIn).join("\n");
  return words.filter((word) => !new RegExp(`(?<!\\w)${word}(?!\\w)`).test(code));
}

describe("nothing is left out", () => {
  const call = readSource("check/call.ts");
  const fake = readSource("check/fake.ts");
  const types = readSource("resolve/value-type.ts");
  const table = {
    functions: {
      words: [...keysOf(call, "SIGNATURES"), ...stringsOf(call, "FUNCTION_NAMES")],
      page: "expressions.md",
      least: 20,
    },
    aggregates: { words: stringsOf(call, "AGGREGATES"), page: "expressions.md", least: 6 },
    validators: {
      words: stringsOf(readSource("../../definition/src/validators.ts"), "BUILT_IN_VALIDATORS"),
      page: "validators.md",
      least: 8,
    },
    types: {
      words: [...stringsOf(types, "PLAIN"), ...stringsOf(types, "TYPE_NAMES")],
      page: "types.md",
      least: 9,
    },
    "kinds of fake values": {
      words: [...keysOf(fake, "PLAIN"), ...keysOf(fake, "RANGED"), ...stringsOf(fake, "FAKE_KINDS")],
      page: "populators.md",
      least: 30,
    },
  };

  test.each(Object.entries(table))("%s", (_, { words, page, least }) => {
    expect(words.length).toBeGreaterThanOrEqual(least);
    const inPages = pages.filter(({ path }) => basename(path) === page);
    expect(missing(words, inPages)).toEqual([]);
  });

  test("property words", () => {
    const words = propertyWords();
    expect(words).toEqual(
      expect.arrayContaining(["pageSize", "httpStatus", "PATCH", "exists", "jwks", "on"]),
    );
    expect(words.length).toBeGreaterThanOrEqual(90);
    expect(missing(words, pages)).toEqual([]);
  });
});
