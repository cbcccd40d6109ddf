// What must hold for every source: the samples, the samples with other white space, commas and comments, and
// the samples with random damage.

import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { format } from "../src/format/format.js";
import { type LaidOut, parseWithLayouts } from "../src/syntax/parse.js";
import type { Token } from "../src/syntax/token.js";

const folder = new URL("samples/", import.meta.url);
const samples = readdirSync(folder)
  .filter((name) => name.endsWith(".stoa"))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));

function read(text: string): LaidOut {
  return parseWithLayouts({ name: "test.stoa", text });
}

function formatted(text: string): string {
  const result = format({ name: "test.stoa", text });
  if (result.kind === "broken") throw new Error(result.diagnostics.map(({ message }) => message).join("\n"));
  return result.text;
}

/** The tree without places, as text. */
function treeOf(text: string): string {
  const isPlace = (value: object) => "start" in value && "end" in value && "file" in value;
  return JSON.stringify(read(text).file.declarations, (_, value: unknown) =>
    typeof value === "object" && value !== null && isPlace(value) ? undefined : value,
  );
}

function isBroken(text: string): boolean {
  return read(text).diagnostics.some(({ severity }) => severity === "error");
}

function commentsOf(text: string): string[] {
  return read(text).comments.map((comment) => comment.text.replace(/[ \t\r]+$/gm, ""));
}

function codesOf(text: string): Set<string> {
  return new Set(read(text).diagnostics.map(({ code }) => code));
}

function withoutBlankLines(text: string): string {
  return text.replace(/\n+/g, "\n");
}

/** Everything that one result must fulfil. */
function expectLawful(text: string): void {
  const output = formatted(text);
  expect(formatted(output)).toBe(output);
  expect(treeOf(output)).toBe(treeOf(text));
  expect(commentsOf(output)).toEqual(commentsOf(text));
  expect(codesOf(output)).toEqual(codesOf(text));
  expect(output).not.toMatch(/[ \t\r]$/m);
  expect(output).toMatch(/^(?!\n)(?:(?!\n\n\n)[\s\S])*$/);
  expect(output).toMatch(/^$|[^\n]\n$/);
}

// ---------------------------------------------------------------- other spellings of a program

/** One token to print; what may stand before it. */
interface Unit {
  readonly text: string;
  readonly comma: "no" | "yes" | "free";
  readonly mayBreak: boolean;
  /** Without a comma there must be a line break. */
  readonly needsBreak: boolean;
}

const NO_COMMA: Omit<Unit, "text" | "mayBreak"> = { comma: "no", needsBreak: false };

function unitsOf(text: string): Unit[] {
  const { tokens, layouts, starts } = read(text);
  const commas = new Map<Token, Omit<Unit, "text" | "mayBreak">>();
  for (const start of starts.slice(1)) commas.set(start, { comma: "free", needsBreak: false });
  for (const { open, close, items, style } of layouts) {
    const isRequired = open.text === "(" || open.text === "[";
    const needsBreak = style === "inline-commas" && !isRequired;
    for (const item of items.slice(1)) commas.set(item, { comma: isRequired ? "yes" : "free", needsBreak });
    const isAssert = tokens[tokens.indexOf(open) - 1]?.text === "assert";
    if (style !== "expression" && items.length > 0 && !isAssert) {
      commas.set(close, { comma: "free", needsBreak: false });
    }
  }
  const kept = tokens.filter((token) => token.text !== "," && token.kind !== "end");
  return kept.map((token, index) => ({
    text: token.text,
    // Names stay on the line of their dot, and a lone `*` on a line would be a select's.
    mayBreak: kept[index - 1]?.text !== "." && kept[index - 1]?.text !== "*",
    ...(commas.get(token) ?? NO_COMMA),
  }));
}

/** Units that may not begin a line after all (`to\n  unique` is two properties), found by halving. */
function forbidBreaks(units: readonly Unit[]): Unit[] {
  const plain = treeOf(join(units, () => " "));
  const isSame = (from: number, to: number) =>
    treeOf(join(units, (unit, index) => (index >= from && index < to && unit.mayBreak ? "\n" : " "))) ===
    plain;
  const search = (from: number, to: number): Unit[] => {
    if (isSame(from, to)) return units.slice(from, to);
    if (to - from === 1) return units.slice(from, to).map((unit) => ({ ...unit, mayBreak: false }));
    const middle = (from + to) >> 1;
    return [...search(from, middle), ...search(middle, to)];
  };
  return search(0, units.length);
}

function join(units: readonly Unit[], space: (unit: Unit, index: number) => string): string {
  return units
    .map((unit, index) => (unit.comma === "no" ? "" : ",") + space(unit, index) + unit.text)
    .join("");
}

type Random = (below: number) => number;

/** Mulberry32: a seed is all that a failing case needs to be repeated. */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const BLANKS = ["", " ", " ", "   ", "\t"];
const BREAKS = ["\n", "\r\n", "\n\n\n", "\n      ", "\n\t\r\n  "];
const LINE_COMMENTS = ["// c", "/// d", "//// e", "//", "// stoa-ignore cycle: why"];
const BLOCK_COMMENTS = ["/* c */", "/**/", "/* // */"];
const LONG_COMMENTS = ["/* a\n   b */", "/*\r\n * c  \n */", "/** d\n\n e */"];

function pick(random: Random, from: readonly string[]): string {
  return from[random(from.length)] ?? "";
}

function blanks(random: Random, mayBreak: boolean): string {
  return mayBreak && random(3) === 0 ? pick(random, BREAKS) : pick(random, BLANKS);
}

/** White space, perhaps with comments, that keeps the tokens apart. */
function gap(random: Random, mayBreak: boolean, comments: number): string {
  let text = blanks(random, mayBreak);
  while (comments > 0 && random(1000) < comments) {
    const kind = mayBreak ? random(4) : 0;
    const comment = pick(random, [BLOCK_COMMENTS, BLOCK_COMMENTS, LINE_COMMENTS, LONG_COMMENTS][kind] ?? []);
    text += ` ${comment}${kind === 2 ? pick(random, BREAKS) : ""}${blanks(random, mayBreak)}`;
  }
  return text;
}

function respace(units: readonly Unit[], random: Random, comments: number): string {
  let text = "";
  for (const unit of units) {
    const hasComma = unit.comma === "yes" || (unit.comma === "free" && random(2) === 0);
    if (hasComma) text += `${gap(random, true, comments)},`;
    const space = gap(random, unit.mayBreak, comments);
    const mustBreak = unit.needsBreak && !hasComma && !space.includes("\n");
    const isGlued = space === "" && /\w$/.test(text) && /^\w/.test(unit.text);
    text += (mustBreak ? `${space}\n` : isGlued ? " " : space) + unit.text;
  }
  return text + gap(random, true, comments);
}

const programs = samples.map(({ name, text }) => {
  const units = forbidBreaks(unitsOf(text));
  const plain = join(units, () => " ");
  return { name, units, tree: treeOf(plain), style: withoutBlankLines(formatted(plain)) };
});

const anySeed = fc.integer();
const anyProgram = fc.constantFrom(...programs);

describe("samples", () => {
  test.each(samples)("$name is in the formatter's style", ({ text }) => {
    expect(formatted(text)).toBe(text);
    expectLawful(text);
  });
});

describe("laws", () => {
  test("white space and commas do not matter, but for blank lines", () => {
    fc.assert(
      fc.property(anyProgram, anySeed, ({ units, tree, style }, seed) => {
        const text = respace(units, randomFrom(seed), 0);
        fc.pre(!isBroken(text) && treeOf(text) === tree);
        expectLawful(text);
        expect(withoutBlankLines(formatted(text))).toBe(style);
      }),
      { numRuns: 150 },
    );
  });

  test.each([5, 60, 400])("comments stay, with %i in a thousand gaps", (comments) => {
    fc.assert(
      fc.property(anyProgram, anySeed, ({ units }, seed) => {
        const text = respace(units, randomFrom(seed), comments);
        fc.pre(!isBroken(text));
        expectLawful(text);
      }),
      { numRuns: 80 },
    );
  });

  test("any soup of tokens is formatted or left alone", () => {
    fc.assert(
      fc.property(anyProgram, anySeed, ({ units }, seed) => {
        const random = randomFrom(seed);
        const text = respace(damage(units, random), random, 10);
        if (format({ name: "test.stoa", text }).kind === "formatted") expectLawful(text);
      }),
      { numRuns: 300 },
    );
  });

  test("so is any text", () => {
    const word = fc.constantFrom(...SOUP, ...WORDS, ...LINE_COMMENTS, ...LONG_COMMENTS, "\n", '"', "é", "&&");
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const text = words.join(" ");
        if (format({ name: "test.stoa", text }).kind === "formatted") expectLawful(text);
      }),
    );
  });
});

const SOUP = [
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  ",",
  ":",
  ".",
  "*",
  "-",
  "@",
  "or",
  "'x'",
  "1",
  "delete",
  "set",
  "/",
];

const WORDS = ["model", "api", "enum", "A", "field", "type string", "endpoint", "model A {", "enum B { a }"];

/** A stretch of the program with a few tokens removed, doubled, swapped or replaced. */
function damage(units: readonly Unit[], random: Random): Unit[] {
  const from = random(2) * random(units.length);
  const damaged = units.slice(from, random(3) === 0 ? from + 20 + random(400) : undefined);
  for (let count = random(4); count > 0; count--) {
    const at = random(damaged.length);
    const unit = damaged[at] ?? { text: "x", mayBreak: true, ...NO_COMMA };
    const kind = random(4);
    if (kind === 0) damaged.splice(at, 1);
    else if (kind === 1) damaged.splice(at, 0, unit);
    else if (kind === 2) damaged[at] = { ...unit, text: pick(random, SOUP) };
    else damaged.splice(at, 1, ...damaged.slice(at + 1, at + 2), unit);
  }
  return damaged;
}
