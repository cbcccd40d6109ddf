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

/** What is promised is 0.85, 0.95 and 0.6; recovery has been better than that, and is to stay so. */
const BARS = { typoOneError: 0.92, typoIntact: 0.98, deletionOneError: 0.85, insertionOneError: 0.75 };

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
      expect(typo?.oneErrorShare).toBeGreaterThanOrEqual(BARS.typoOneError);
      expect(typo?.intactShare).toBeGreaterThanOrEqual(BARS.typoIntact);
      expect(deletion?.oneErrorShare).toBeGreaterThanOrEqual(BARS.deletionOneError);
      expect(insertion?.oneErrorShare).toBeGreaterThanOrEqual(BARS.insertionOneError);
    },
    TIMEOUT_MS,
  );
});

describe("two mistakes", () => {
  const PAIRS = isAll ? 4000 : 300;

  test(
    "in different declarations are both reported",
    () => {
      const { exactlyTwo, bothShown } = tellPairs("different declarations", PAIRS, (sample, one, other) => {
        return pathAround(sample, one)?.[0] !== pathAround(sample, other)?.[0];
      });
      expect(exactlyTwo).toBeGreaterThanOrEqual(0.9);
      expect(bothShown).toBeGreaterThanOrEqual(0.9);
    },
    TIMEOUT_MS,
  );

  test(
    "in different members of one declaration are both reported",
    () => {
      const { exactlyTwo } = tellPairs(
        "different members of one declaration",
        PAIRS,
        (sample, one, other) => {
          const [path, otherPath] = [pathAround(sample, one), pathAround(sample, other)];
          const areMembers = (path?.length ?? 0) > 1 && (otherPath?.length ?? 0) > 1;
          return areMembers && path?.[0] === otherPath?.[0] && path?.[1] !== otherPath?.[1];
        },
      );
      expect(exactlyTwo).toBeGreaterThanOrEqual(0.8);
    },
    TIMEOUT_MS,
  );
});

type AreApart = (sample: Sample, one: Mutant, other: Mutant) => boolean;

/** Of pairs that each give one error alone: the shares that give two, and the same two as alone. */
function tellPairs(where: string, wanted: number, areApart: AreApart) {
  const random = new Random(where);
  const mutants = new Map(samples.map((sample) => [sample, mutantsOf(sample.name, sample.text)]));
  let [pairs, two, shown] = [0, 0, 0];
  while (pairs < wanted) {
    const sample = random.pick(samples);
    const some = mutants.get(sample) ?? [];
    const [one, other] = [random.pick(some), random.pick(some)];
    if ([one, other].some(({ kind }) => kind.startsWith("token")) || !areApart(sample, one, other)) continue;
    const alone = [one, other].map((mutant) => errorsWith(sample, [mutant]));
    if (alone.some((errors) => errors.length !== 1)) continue;
    const errors = errorsWith(sample, [one, other]);
    pairs++;
    if (errors.length === 2) two++;
    if (alone.flat().every(({ message }) => errors.some((error) => error.message === message))) shown++;
  }
  const [exactlyTwo, bothShown] = [two / pairs, shown / pairs];
  console.log(
    `pairs of mistakes in ${where}: exactly two errors ${percent(exactlyTwo)}, ` +
      `both told as when alone ${percent(bothShown)}`,
  );
  return { exactlyTwo, bothShown };
}

/** The path of the innermost item around a mutant. */
function pathAround({ outline }: Sample, { token }: Mutant): readonly string[] | undefined {
  const around = outline.filter(({ span }) => span.start <= token.start && span.end >= token.end);
  return around.reduce<readonly string[] | undefined>(
    (best, { path }) => (path.length > (best?.length ?? 0) ? path : best),
    undefined,
  );
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
