// What must hold for every program: the samples, split over files in any way, and with random damage.

import { readdirSync, readFileSync } from "node:fs";
import { type Definition, writeDefinition } from "@stoa/definition";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Compilation, compile, type Diagnostic, parse, type Source, type Span } from "../src/index.js";
import { parseWithLayouts } from "../src/syntax/parse.js";

const folder = new URL("samples/", import.meta.url);
const samples = readdirSync(folder)
  .filter((name) => name.endsWith(".stoa"))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));

const anySample = fc.constantFrom(...samples);

/** Properties take their time on a busy machine. */
const TIMEOUT_MS = 30_000;

function definitionOf({ definition, diagnostics }: Compilation): Definition {
  if (!definition) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return definition;
}

/** The definition's text, without what tells where things stand. */
function textWithoutPlaces(definition: Definition): string {
  const isPlace = (key: string) => key === "at" || key === "sources";
  return JSON.stringify(definition, (key, value: unknown) => (isPlace(key) ? null : value));
}

/** A program in pieces that can stand in any file and any order: each declaration with its comments. */
function piecesOf(source: Source): string[] {
  const ends = parse(source).file.declarations.map(({ span }) => span.end);
  return ends.map((end, index) => source.text.slice(ends[index - 1] ?? 0, end));
}

/** The pieces, each in the file that its number says. */
function distribute(pieces: readonly string[], numbers: readonly number[]): Source[] {
  const files = new Map<string, string>();
  for (const [index, piece] of pieces.entries()) {
    const name = `${numbers[index % numbers.length]}.stoa`;
    files.set(name, `${files.get(name) ?? ""}${piece}\n`);
  }
  return [...files].map(([name, text]) => ({ name, text }));
}

function spansOf({ span, related, fix }: Diagnostic): Span[] {
  return [span, ...(related ?? []).map((place) => place.span), ...(fix ? [fix.span] : [])];
}

/** Compiles, and sees to it that every place lies in its file. */
function compileSafely(sources: readonly Source[]): Compilation {
  const result = compile(sources);
  const lengths = new Map(sources.map(({ name, text }) => [name, text.length]));
  for (const diagnostic of result.diagnostics) {
    for (const { file, start, end } of spansOf(diagnostic)) {
      const isInside = 0 <= start && start <= end && end <= (lengths.get(file) ?? -1);
      if (!isInside) throw new Error(`${file} ${start}–${end}: ${diagnostic.message}`);
    }
  }
  return result;
}

/** One change to a list of tokens: leave one out, double it, or swap it with another. */
const anyDamage = fc.record({
  kind: fc.constantFrom("delete", "double", "swap"),
  at: fc.nat(),
  other: fc.nat(),
});

type Damage = typeof anyDamage extends fc.Arbitrary<infer Value> ? Value : never;

function damage(source: Source, changes: readonly Damage[]): string {
  const spans = parseWithLayouts(source).tokens.map(({ start, end }) => ({ start, end }));
  const texts = spans.map(({ start, end }) => source.text.slice(start, end));
  for (const { kind, at, other } of changes) {
    const [one, two] = [at % texts.length, other % texts.length];
    const [first = "", second = ""] = [texts[one], texts[two]];
    if (kind === "delete") texts[one] = "";
    else if (kind === "double") texts[one] = `${first} ${first}`;
    else [texts[one], texts[two]] = [second, first];
  }
  const gaps = spans.map(({ start }, index) => source.text.slice(spans[index - 1]?.end ?? 0, start));
  return texts.map((text, index) => `${gaps[index]}${text}`).join("");
}

describe("samples", () => {
  test.each(samples)("$name compiles without a word", (sample) => {
    const { diagnostics, definition } = compileSafely([sample]);
    expect(diagnostics).toEqual([]);
    expect(definition).toBeDefined();
  });
});

describe("line ends", () => {
  test.each(samples)("$name means the same with those of Windows", ({ name, text }) => {
    const expected = writeDefinition(definitionOf(compile([{ name, text }])));
    const other = [{ name, text: text.replaceAll("\n", "\r\n") }];
    expect(writeDefinition(definitionOf(compile(other)))).toBe(expected);
  });

  test.each(samples)(
    "$name needs none at its end, and may begin with a byte order mark",
    ({ name, text }) => {
      const expected = textWithoutPlaces(definitionOf(compile([{ name, text }])));
      const other = [{ name, text: `\u{FEFF}${text.trimEnd()}` }];
      expect(textWithoutPlaces(definitionOf(compile(other)))).toBe(expected);
    },
  );
});

describe("laws", { timeout: TIMEOUT_MS }, () => {
  test("the order of files does not show", () => {
    const split = anySample.chain((sample) =>
      fc.record({
        files: fc.array(fc.nat(3), { minLength: 1 }).map((numbers) => distribute(piecesOf(sample), numbers)),
        seeds: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
      }),
    );
    fc.assert(
      fc.property(split, ({ files, seeds }) => {
        const shuffled = [...files].sort((a, b) => order(a, seeds) - order(b, seeds));
        const expected = writeDefinition(definitionOf(compile(files)));
        expect(writeDefinition(definitionOf(compile(shuffled)))).toBe(expected);
      }),
      { numRuns: 50 },
    );
  });

  test("nor does which file a declaration stands in", () => {
    fc.assert(
      fc.property(anySample, fc.array(fc.nat(3), { minLength: 1, maxLength: 20 }), (sample, numbers) => {
        const whole = textWithoutPlaces(definitionOf(compile([sample])));
        const parts = distribute(piecesOf(sample), numbers);
        expect(textWithoutPlaces(definitionOf(compile(parts)))).toBe(whole);
      }),
      { numRuns: 50 },
    );
  });

  test("the order of files does not show in diagnostics either", () => {
    fc.assert(
      fc.property(anySample, anySample, fc.array(anyDamage, { maxLength: 3 }), (one, two, changes) => {
        const first = { name: "a.stoa", text: damage(one, changes) };
        const second = { name: "b.stoa", text: two.text };
        expect(compile([second, first]).diagnostics).toEqual(compile([first, second]).diagnostics);
      }),
      { numRuns: 50 },
    );
  });

  test("damaged programs give diagnostics inside their files, and never more", () => {
    fc.assert(
      fc.property(anySample, fc.array(anyDamage, { minLength: 1, maxLength: 6 }), (sample, changes) => {
        compileSafely([{ name: sample.name, text: damage(sample, changes) }]);
      }),
      { numRuns: 200 },
    );
  });

  test("so does any text", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(...SOUP) }));
    fc.assert(
      fc.property(text, (some) => {
        compileSafely([{ name: "a.stoa", text: some }]);
        const path = some.replace(/["\\\n]/g, "");
        compileSafely([{ name: "a.stoa", text: `model A {} api { entrypoint A { GET one "${path}" {} } }` }]);
      }),
      { numRuns: 200 },
    );
  });
});

function order({ name }: Source, seeds: readonly number[]): number {
  return seeds[Number.parseInt(name, 10)] ?? 0;
}

const SOUP = [
  "model ",
  "A ",
  "{ ",
  "} ",
  "field ",
  "a ",
  "type ",
  "string ",
  '"',
  "api ",
  "( ",
  "] ",
  ". ",
  "/* ",
  "\n",
  "\u{d800}",
  "@auth ",
];
