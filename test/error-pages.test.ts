// The pages of docs/errors: every code has one, and what they show is what the compiler says. A wrong example
// gives exactly the page's code, followed by its diagnostics in a `text` block; a right one gives nothing.
// `UPDATE=1` rewrites the `text` blocks.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Code,
  codes,
  compile,
  type Diagnostic,
  decodeSource,
  format,
  renderDiagnostics,
} from "@stoa/compiler";
import { describe, expect, test } from "vitest";

const FOLDER = join(import.meta.dirname, "../docs/errors");
const INDEX = "README.md";
const SECTIONS = ["Wrong", "Right", "Why"];
const FENCES = ["stoa wrong", "stoa wrong latin1", "stoa right", "text"];

const isUpdate = process.env.UPDATE === "1";
const allCodes = Object.keys(codes) as Code[];
const pages = readdirSync(FOLDER).filter((name) => name.endsWith(".md") && name !== INDEX);

/** A fenced block; `open` and `close` are the lines of its fences. */
interface Block {
  readonly info: string;
  readonly open: number;
  readonly close: number;
  readonly lines: readonly string[];
}

interface SourceText {
  readonly name: string;
  readonly text: string;
}

function pagePath(page: string): string {
  return join(FOLDER, page);
}

function readLines(page: string): string[] {
  return readFileSync(pagePath(page), "utf8").split("\n");
}

function findBlocks(lines: readonly string[]): Block[] {
  const fences = lines.flatMap((line, index) => (line.startsWith("```") ? [index] : []));
  return fences.flatMap((open, index) => {
    if (index % 2 === 1) return [];
    const close = fences[index + 1] ?? lines.length;
    return [{ info: (lines[open] ?? "").slice(3), open, close, lines: lines.slice(open + 1, close) }];
  });
}

/** The files of an example: a line `--- name.stoa` begins each; without one, it is all `app.stoa`. */
function readSources({ lines }: Block): SourceText[] {
  const files: { readonly name: string; readonly lines: string[] }[] = [];
  for (const line of lines) {
    const name = /^--- (\S+)$/.exec(line)?.[1];
    if (name !== undefined) files.push({ name, lines: [] });
    else if (files.length === 0) files.push({ name: "app.stoa", lines: [line] });
    else files.at(-1)?.lines.push(line);
  }
  return files.map((file) => ({ name: file.name, text: file.lines.map((line) => `${line}\n`).join("") }));
}

interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  /** Their plain rendering, without the line break at its end. */
  readonly text: string;
}

function runExample(block: Block): Outcome {
  const files = readSources(block).map(({ name, text }) => {
    const encoding = block.info.endsWith("latin1") ? "latin1" : "utf8";
    return { name, ...decodeSource(name, Buffer.from(text, encoding)) };
  });
  const diagnostics = [...files.flatMap((file) => file.diagnostics), ...compile(files).diagnostics];
  const sources = new Map(files.map((file) => [file.name, file.text]));
  return { diagnostics, text: renderDiagnostics(diagnostics, { sources }).trimEnd() };
}

/** The `text` block after an example, with nothing but blank lines between. */
function outputOf(block: Block, lines: readonly string[]): Block | undefined {
  const next = findBlocks(lines).find(({ open }) => open > block.close);
  const between = lines.slice(block.close + 1, next?.open);
  return next?.info === "text" && between.every((line) => line === "") ? next : undefined;
}

/** The page with fresh output after every wrong example; from the end, so that earlier lines stay in place. */
function withFreshOutput(lines: readonly string[]): string[] {
  const fresh = [...lines];
  for (const block of findBlocks(lines).reverse()) {
    if (!block.info.startsWith("stoa wrong")) continue;
    const old = outputOf(block, lines);
    const output = ["", "```text", ...runExample(block).text.split("\n"), "```"];
    fresh.splice(block.close + 1, old ? old.close - block.close : 0, ...output);
  }
  return fresh;
}

function formatted(source: SourceText): string {
  const result = format(source);
  return result.kind === "formatted" ? result.text : source.text;
}

function relativeLinks(lines: readonly string[]): string[] {
  return [...lines.join("\n").matchAll(/\]\(([^)#]+)[^)]*\)/g)]
    .map((match) => match[1] ?? "")
    .filter((target) => !target.includes("://"));
}

function updatePage(page: string): void {
  const old = readLines(page);
  const fresh = withFreshOutput(old);
  if (fresh.join("\n") !== old.join("\n")) writeFileSync(pagePath(page), fresh.join("\n"));
}

if (isUpdate) for (const page of pages) updatePage(page);

test("every code has its page, and every page its code", () => {
  expect(pages.map((page) => page.replace(/\.md$/, "")).sort()).toEqual([...allCodes].sort());
});

describe.each(allCodes.filter((code) => pages.includes(`${code}.md`)))("%s", (code) => {
  const lines = readLines(`${code}.md`);
  const blocks = findBlocks(lines);
  const wrong = blocks.filter(({ info }) => info.startsWith("stoa wrong"));
  const right = blocks.filter(({ info }) => info === "stoa right");
  /** Where an example stands, for the names of its tests. */
  const at = ({ open }: Block): string => `in line ${open + 1}`;

  test("has a heading, one sentence, its sections and at least one example of each kind", () => {
    expect(lines[0]).toBe(`# ${code}`);
    expect(lines.slice(1, lines.indexOf("## Wrong")).join("\n")).toMatch(/^\n(?:.+\n)*.+\.\n$/);
    expect(lines.filter((line) => line.startsWith("## "))).toEqual(SECTIONS.map((name) => `## ${name}`));
    expect(blocks.filter(({ info }) => !FENCES.includes(info))).toEqual([]);
    expect(wrong.length).toBeGreaterThan(0);
    expect(right.length).toBeGreaterThan(0);
  });

  test.each(wrong.map((block) => [at(block), block] as const))("the wrong example %s", (_, block) => {
    const { diagnostics, text } = runExample(block);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
    expect(outputOf(block, lines)?.lines.join("\n")).toBe(text);
    for (const source of readSources(block)) expect(source.text).toBe(formatted(source));
  });

  test.each(right.map((block) => [at(block), block] as const))("the right example %s", (_, block) => {
    expect(runExample(block).text).toBe("");
    for (const source of readSources(block)) expect(source.text).toBe(formatted(source));
  });
});

test("the index lists every code once, in the order of the table, and marks the warnings", () => {
  const listed = readLines(INDEX).flatMap((line) => {
    const match = /^- \[`([\w-]+)`\]\(([\w-]+)\.md\)( \(warning\))?: \S/.exec(line);
    if (!match && line.startsWith("- ")) throw new Error(`This is no entry of the index: ${line}`);
    return match ? [{ name: match[1], page: match[2], severity: match[3] ? "warning" : "error" }] : [];
  });
  expect(listed).toEqual(allCodes.map((code) => ({ name: code, page: code, severity: codes[code] })));
});

test.each([INDEX, ...pages])("the links of %s resolve", (page) => {
  const broken = relativeLinks(readLines(page)).filter((target) => !existsSync(join(FOLDER, target)));
  expect(broken).toEqual([]);
});
