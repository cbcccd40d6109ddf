// One meaning, two engines: random expressions over random records give the same in PostgreSQL as in the
// evaluator, and PostgreSQL never fails. `SEED=…` repeats a run, `RUNS=…` makes it longer or shorter.

import { applyPush, type Database, planPush } from "@stoa/database";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../database/test/server.js";
import { explain } from "./expressions/explain.js";
import { Generator, type Node } from "./expressions/generate.js";
import { Random } from "./expressions/random.js";
import { type MemberPair, pairStore, randomStore, writeStore } from "./expressions/records.js";
import { type BaseModel, definition } from "./expressions/schema.js";
import { DECIMALS, decimalOf, FLOATS, INTEGERS, WORDS } from "./expressions/values.js";

const RUNS = Number(process.env.RUNS ?? 12_000);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const BATCH = 100;
/** Batches over the same records. */
const BATCHES_PER_STORE = 10;
const BASES: readonly BaseModel[] = ["Item", "Item", "Shop", "Note"];

let database: Database;

beforeAll(async () => {
  database = (await testDatabase({ poolSize: 2 })).database;
  const outcome = await applyPush(database, await planPush(database, definition));
  expect(outcome.kind).toBe("applied");
});

test(`random expressions agree: SEED=${SEED}`, async () => {
  const random = new Random(SEED);
  let count = 0;
  const failures: string[] = [];
  let store = randomStore(random);
  for (let batch = 0; count < RUNS && failures.length < 8; batch++) {
    if (batch % BATCHES_PER_STORE === 0) {
      store = randomStore(random);
      await writeStore(database, store);
    }
    const base = random.pick(BASES);
    const user = random.chance(0.5) ? random.integer(1, 6) : null;
    const generator = new Generator(random, base);
    const nodes = random.many(BATCH, () => generator.expression());
    failures.push(...(await explain({ database, store, base, user }, nodes)));
    count += nodes.length;
  }
  expect(failures.join("\n\n"), `SEED=${SEED}`).toBe("");
  expect(count).toBeGreaterThanOrEqual(RUNS);
});

const PAIRS: readonly MemberPair[] = [
  { names: ["size", "count2"], values: INTEGERS },
  { names: ["ratio", "drift"], values: FLOATS },
  { names: ["exact", "amount"], values: DECIMALS.map(decimalOf) },
  { names: ["name", "note"], values: WORDS },
];

const operators = ["+", "-", "*", "/", "is", "is not", "<", "<=", ">", ">="];
const ofNumbers = ["round($)", "floor($)", "ceil($)", "abs($)", "-($)", "stringify($)", "[0, $, null]"];
const ofTexts = [
  "lower($)",
  "upper($)",
  "trim($)",
  "length($)",
  "substring($, size)",
  "substring($, 1, count2)",
];
const ofTwoTexts = ["contains", "startsWith", "endsWith", "concat"];

/** Every operator over every pair of numbers, every function over every number, every one over texts. */
function pairTexts(): string[] {
  const numbers = [...PAIRS.slice(0, 3).map(({ names }) => names), ["size", "drift"], ["amount", "size"]];
  return [
    ...numbers.flatMap(([a, b]) => operators.map((operator) => `${a} ${operator} ${b}`)),
    ...["size", "drift", "exact"].flatMap((name) => ofNumbers.map((text) => over(text, name))),
    ...["size", "ratio", "exact"].map((name) => `round(${name}, count2)`),
    ...["ratio", "exact", "size"].flatMap((name) =>
      [-309, -308, -2, 0, 2, 20, 400].map((digits) => `round(${name}, ${digits})`),
    ),
    ...[
      "size % count2",
      "name + note",
      "name is note",
      "name < note",
      "name >= lower(note)",
      "upper(name) is note",
    ],
    ...ofTexts.map((text) => over(text, "name")),
    ...ofTwoTexts.map((name) => `${name}(name, note)`),
    ...[
      "replace(name, note, grade)",
      "replace(concat(name, note, name), note, name)",
      'replace(name, note, "")',
    ],
  ];
}

function over(text: string, name: string): string {
  return text.startsWith("[") ? `${name} in ${text.replace("$", name)}` : text.replace("$", name);
}

test("every pair of values at the limits agrees", async () => {
  const store = pairStore(new Random(SEED), PAIRS);
  await writeStore(database, store);
  const nodes = pairTexts().map((text): Node => ({ text, kind: "boolean", parts: [] }));
  const failures = await explain({ database, store, base: "Item", user: null }, nodes);
  expect(failures.join("\n\n")).toBe("");
});
