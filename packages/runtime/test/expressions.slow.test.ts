// One meaning, two engines: random expressions over random records give the same in PostgreSQL as in the
// evaluator, and PostgreSQL never fails. `SEED=…` repeats a run, `RUNS=…` makes it longer or shorter.

import { applyPush, type Database, planPush } from "@stoa/database";
import { compileExpression } from "@stoa/definition";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../database/test/server.js";
import { emitter } from "../src/sql/emitter.js";
import type { Scope } from "../src/sql/scope.js";
import { explain } from "./expressions/explain.js";
import { Generator, type Node } from "./expressions/generate.js";
import { Random } from "./expressions/random.js";
import { type MemberPair, pairStore, randomStore, writeStore } from "./expressions/records.js";
import { type BaseModel, definition } from "./expressions/schema.js";
import { DECIMALS, decimalOf, FLOATS, INTEGERS, WORDS } from "./expressions/values.js";

const RUNS = Number(process.env.RUNS ?? 20_000);
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

/** Records, and so many batches of expressions over them. */
async function runStore(random: Random): Promise<{ readonly count: number; readonly failures: string[] }> {
  const store = randomStore(random);
  await writeStore(database, store);
  const batches = random.many(BATCHES_PER_STORE, () => {
    const base = random.pick(BASES);
    const user = random.chance(0.5) ? random.integer(1, 5) : null;
    const generator = new Generator(random, base);
    return {
      world: { database, store, base, user },
      nodes: random.many(BATCH, () => generator.expression()),
    };
  });
  // All at once: while PostgreSQL works on one batch, the evaluator works on another.
  const reports = await Promise.all(batches.map(({ world, nodes }) => explain(world, nodes)));
  return { count: batches.reduce((sum, { nodes }) => sum + nodes.length, 0), failures: reports.flat() };
}

test(`random expressions agree: SEED=${SEED}`, async () => {
  const random = new Random(SEED);
  let count = 0;
  const failures: string[] = [];
  while (count < RUNS && failures.length === 0) {
    const result = await runStore(random);
    count += result.count;
    failures.push(...result.failures);
  }
  expect(failures.slice(0, 8).join("\n\n"), `SEED=${SEED}`).toBe("");
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
    ...[
      "length(stringify(uuid()))",
      "uuid() is code",
      "uuid() is null",
      "stringify(now())",
      "today() <= day",
    ],
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

/** All code points that a text can hold. */
function allCodePoints(): string[] {
  const codes = Array.from({ length: 0x10ffff }, (_, index) => index + 1);
  return codes.filter((code) => code < 0xd800 || code > 0xdfff).map((code) => String.fromCodePoint(code));
}

test.each(["lower", "upper"] as const)("%s agrees about every character", async (name) => {
  const points = allCodePoints();
  const type = { kind: "string", nullable: false } as const;
  const argument = { kind: "literal", type, value: points.join("") } as const;
  const call = { kind: "call", type, function: name, arguments: [argument] } as const;
  const wanted = [...(compileExpression(call)({}) as string)];
  const sql = emitter.value(call, { emitter } as Scope);
  const [row] = await database.query<{ text: string }>(`select ${sql} as text`);
  const found = [...(row?.text ?? "")];
  const differences = points.filter((_, index) => wanted[index] !== found[index]);
  expect(differences.map((point) => point.codePointAt(0)?.toString(16))).toEqual([]);
});
