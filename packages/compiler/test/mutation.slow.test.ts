// What one slip does to a program: exactly one error, and nothing else destroyed. Also: nothing makes the
// compiler throw, and fixes do what they promise. `MUTATIONS=all` takes every mutant instead of a sample.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkSources } from "../src/compile.js";
import type { Diagnostic, Span } from "../src/diagnostics/diagnostic.js";
import { applyFixes } from "../src/diagnostics/fix.js";
import { toJson } from "../src/diagnostics/json.js";
import { renderDiagnostics } from "../src/diagnostics/render.js";
import { parse } from "../src/syntax/parse.js";
import { chaos } from "./mutation/chaos.js";
import { applyMutants, KINDS, type Mutant, type MutantKind, mutantsOf } from "./mutation/mutants.js";
import { outlineOf } from "./mutation/outline.js";
import { hash, Random } from "./mutation/random.js";
import { errorsOf, judge, type Sample, Score } from "./mutation/score.js";

const isAll = process.env.MUTATIONS === "all";
const TIMEOUT_MS = 20 * 60_000;

const folder = new URL("samples/", import.meta.url);
const samples: readonly Sample[] = readdirSync(folder)
  .filter((name) => name.endsWith(".stoa"))
  .map((name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    return { name, text, outline: outlineOf(parse({ name, text }).file) };
  });

/** One of so many mutants of each kind is taken; chosen by its place, so that a changed sample changes little. */
const STRIDE: Readonly<Record<MutantKind, number>> = {
  "typo in a word": 14,
  "typo in a text": 4,
  "typo in a number": 4,
  "typo in a symbol": 10,
  deletion: 8,
  "token doubled": 12,
  "token inserted": 12,
};

function isTaken({ kind, token, replacement }: Mutant): boolean {
  return isAll || hash(`${kind} ${token.start} ${replacement}`) % STRIDE[kind] === 0;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function describeScore(name: string, score: Score): string {
  const { mutants, valid, oneErrorShare, intactShare, fixes, mendedShare } = score;
  return [
    name.padEnd(18),
    `${mutants} mutants (${valid} valid)`.padEnd(28),
    `one error ${percent(oneErrorShare)}`.padEnd(20),
    `nothing else destroyed ${percent(intactShare)}`.padEnd(33),
    `fixes that mend ${percent(mendedShare)} of ${fixes}`,
  ].join(" ");
}

function total(scores: ReadonlyMap<MutantKind, Score>, prefix: string): Score {
  const sum = new Score();
  for (const [kind, score] of scores) if (kind.startsWith(prefix)) sum.merge(score);
  return sum;
}

describe("one mistake", () => {
  test(
    "gives one error and destroys nothing else",
    () => {
      const scores = new Map(KINDS.map((kind) => [kind, new Score()]));
      for (const sample of samples) {
        expect(errorsOf(sample), sample.name).toEqual([]);
        for (const mutant of mutantsOf(sample.name, sample.text)) {
          if (isTaken(mutant)) scores.get(mutant.kind)?.add(judge(sample, mutant));
        }
      }
      const [typo, deletion, insertion] = ["typo", "deletion", "token"].map((kind) => total(scores, kind));
      const rows = [...scores, ["all typos", typo], ["all insertions", insertion]] as [string, Score][];
      console.log(rows.map(([name, score]) => describeScore(name, score)).join("\n"));
      expect(typo?.oneErrorShare).toBeGreaterThanOrEqual(0.85);
      expect(typo?.intactShare).toBeGreaterThanOrEqual(0.95);
      expect(deletion?.oneErrorShare).toBeGreaterThanOrEqual(0.6);
    },
    TIMEOUT_MS,
  );
});

describe("two mistakes in different declarations", () => {
  const PAIRS = isAll ? 4000 : 400;

  test(
    "are both reported",
    () => {
      const random = new Random("pairs");
      let [pairs, exactlyTwo, bothShown] = [0, 0, 0];
      while (pairs < PAIRS) {
        const sample = random.pick(samples);
        const mutants = mutantsOf(sample.name, sample.text).filter(({ kind }) => !kind.startsWith("token"));
        const [one, other] = [random.pick(mutants), random.pick(mutants)];
        if (declarationOf(sample, one) === declarationOf(sample, other)) continue;
        const alone = [one, other].map((mutant) => errorsWith(sample, [mutant]));
        if (alone.some((errors) => errors.length !== 1)) continue;
        const errors = errorsWith(sample, [one, other]);
        pairs++;
        if (errors.length === 2) exactlyTwo++;
        if (alone.flat().every((error) => errors.some((found) => found.message === error.message)))
          bothShown++;
      }
      console.log(
        `pairs of mistakes: exactly two errors ${percent(exactlyTwo / pairs)}, ` +
          `both with the words that each gets alone ${percent(bothShown / pairs)}`,
      );
      expect(exactlyTwo / pairs).toBeGreaterThanOrEqual(0.85);
      expect(bothShown / pairs).toBeGreaterThanOrEqual(0.85);
    },
    TIMEOUT_MS,
  );
});

function declarationOf({ outline }: Sample, { token }: Mutant): string | undefined {
  const around = ({ span }: { readonly span: Span }) => span.start <= token.start && span.end >= token.end;
  return outline.find((entry) => entry.path.length === 1 && around(entry))?.path[0];
}

function errorsWith({ name, text }: Sample, mutants: readonly Mutant[]): Diagnostic[] {
  return errorsOf({ name, text: applyMutants(text, mutants) });
}

describe("anything at all", () => {
  const ROUNDS = 5000;

  test(
    `never throws and is always the same (${ROUNDS} sources)`,
    () => {
      const random = new Random("chaos");
      const texts = samples.map((sample) => sample.text);
      for (let round = 0; round < ROUNDS; round++) {
        const text = chaos(random, texts);
        expectSound(text, round);
      }
    },
    TIMEOUT_MS,
  );
});

function expectSound(text: string, round: number): void {
  const name = "chaos.stoa";
  const { diagnostics } = checkSources([{ name, text }]);
  const again = checkSources([{ name, text }]);
  const about = `round ${round}: ${JSON.stringify(text)}`;
  expect(again.diagnostics, about).toEqual(diagnostics);
  for (const diagnostic of diagnostics) {
    for (const span of spansOf(diagnostic)) {
      const isInside =
        span.file === name && 0 <= span.start && span.start <= span.end && span.end <= text.length;
      if (!isInside) expect.fail(`${diagnostic.code} at ${span.start}–${span.end} in ${about}`);
    }
  }
  const sources = new Map([[name, text]]);
  renderDiagnostics(diagnostics, { sources });
  toJson(diagnostics, sources);
  applyFixes(name, text, diagnostics);
}

function spansOf({ span, related, fix }: Diagnostic): Span[] {
  return [span, ...(related ?? []).map((place) => place.span), ...(fix ? [fix.span] : [])];
}
