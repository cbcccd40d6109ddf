// The language reference is executed: its examples compile, what it says about mistakes is what the compiler
// prints, its links lead somewhere, and nothing of the language is left out. UPDATE=1 rewrites what is printed.
//
// Code blocks of the pages:
//   ```stoa                                     a program: no diagnostics, and formatted
//   ```stoa fragment of=blog                    a file beside docs/reference/preludes/blog.stoa
//   ```stoa fragment of=blog in="model Post"    replaces the comment `// <insert model Post>` in that file
//   ```stoa wrong [of=blog]                     a file whose diagnostics are the ```text block after it
//   ```json diagnostics                         what `--json` prints for the `wrong` block before it
//   ```stoa loose                               the formatter makes of it the ```stoa block after it

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { codes, compile, format, isCode, renderDiagnostics, type Source, toJson } from "@stoa/compiler";
import { describe, expect, test } from "vitest";

const REFERENCE = new URL("../docs/reference/", import.meta.url);
const COMPILER = new URL("../packages/compiler/src/", import.meta.url);

interface Page {
  readonly name: string;
  readonly text: string;
}

interface Block {
  /** Page and line, as the name of its test. */
  readonly place: string;
  readonly info: string;
  readonly text: string;
}

const FENCE = /^```(\S.*)\n([\s\S]*?)^```$/gm;
const WRONG = /^```(stoa wrong.*)\n([\s\S]*?)^```\n(?:\n```text\n[\s\S]*?^```\n)?/gm;
const LOOSE = /^```(stoa loose)\n([\s\S]*?)^```\n(?:\n```stoa\n[\s\S]*?^```\n)?/gm;

const pages: readonly Page[] = readdirSync(REFERENCE)
  .filter((name) => name.endsWith(".md"))
  .map((name) => {
    const text = readFileSync(new URL(name, REFERENCE), "utf8");
    return { name, text: process.env.UPDATE ? updatePage(name, text) : text };
  });

const blocks = pages.flatMap(blocksOf);

function blocksOf({ name, text }: Page): Block[] {
  return [...text.matchAll(FENCE)].map(({ index, 1: info = "", 2: body = "" }) => ({
    place: `${name}:${text.slice(0, index).split("\n").length}`,
    info,
    text: body,
  }));
}

function ofKind(pattern: RegExp): [place: string, block: Block][] {
  return blocks.filter(({ info }) => pattern.test(info)).map((block) => [block.place, block]);
}

function next(block: Block): Block | undefined {
  return blocks[blocks.indexOf(block) + 1];
}

/** Writes what follows `wrong` and `loose` blocks anew. */
function updatePage(name: string, text: string): string {
  const updated = text
    .replace(WRONG, (_, info: string, body: string) => {
      const printed = diagnose(sourcesOf({ place: name, info, text: body }));
      return `${fenced(info, body)}\n${fenced("text", printed)}`;
    })
    .replace(LOOSE, (_, info: string, body: string) => {
      const result = format({ name, text: body });
      return `${fenced(info, body)}\n${fenced("stoa", result.kind === "formatted" ? result.text : body)}`;
    });
  if (updated !== text) writeFileSync(new URL(name, REFERENCE), updated);
  return updated;
}

function fenced(info: string, body: string): string {
  return `\`\`\`${info}\n${body}\`\`\`\n`;
}

/** The example, and before it the prelude that it stands beside. */
function sourcesOf({ info, text }: Block): Source[] {
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
    /^(stoa|stoa (fragment of=\w+( in="[^"]+")?|wrong( of=\w+)?|loose)|text|json( diagnostics)?|ts|sh)$/;
  expect(blocks.filter(({ info }) => !known.test(info)).map(({ place, info }) => `${place} ${info}`)).toEqual(
    [],
  );
});

// ---------------------------------------------------------------- links

/** As GitHub makes them: lower case, without punctuation, blanks as dashes. */
function anchorsOf({ text }: Page): Set<string> {
  const headings = text.replace(FENCE, "").matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .trim()
        .replace(/ /g, "-"),
    ),
  );
}

function isGoodLink(target: string, from: Page): boolean {
  const [file = "", anchor] = target.split("#");
  const code = /^\.\.\/errors\/(.+)\.md$/.exec(file)?.[1];
  if (code !== undefined) return isCode(code);
  const page = file === "" ? from : pages.find(({ name }) => name === file);
  if (page) return anchor === undefined || anchorsOf(page).has(anchor);
  return anchor === undefined && existsSync(new URL(file, REFERENCE));
}

function linksOf({ text }: Page): string[] {
  const prose = text.replace(FENCE, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^https?:/.test(target));
}

describe("links lead somewhere", () => {
  test.each(pages.map((page) => [page.name, page] as const))("%s", (_, page) => {
    expect(linksOf(page).filter((target) => !isGoodLink(target, page))).toEqual([]);
  });

  test("the overview leads to every page", () => {
    const overview = pages.find(({ name }) => name === "README.md");
    const linked = new Set(overview && linksOf(overview));
    const others = pages.map(({ name }) => name).filter((name) => name !== "README.md");
    expect(others.filter((name) => !linked.has(name))).toEqual([]);
  });

  test("every diagnostic is linked from the page about diagnostics", () => {
    const page = pages.find(({ name }) => name === "diagnostics.md");
    const linked = new Set(page && linksOf(page));
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
    const inPages = pages.filter(({ name }) => name === page);
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
