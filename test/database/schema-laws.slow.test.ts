// The law of push: any two definitions, one after the other, end in exactly the catalog of the second. With rows
// in the tables either the same, with the rows of all tables that stay, or nothing at all happens and the
// obstacles say why; once the rows are gone, so are the obstacles.

import {
  applyPush,
  canonicalCatalog,
  type Database,
  DatabaseError,
  desiredCatalog,
  type PushPlan,
  planPush,
  quoteLiteral,
  quoteName,
} from "@stoa/database";
import type { Definition, Model } from "@stoa/definition";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import { definitionOf, liveCatalog } from "./schema-fixture.js";
import { anyTwoPrograms, sourceOf } from "./schema-programs.js";

const RUNS = Number(process.env.PUSH_RUNS ?? 250);
const ROWS = [1, 2];

let database: Database;

beforeAll(async () => {
  database = (await testDatabase()).database;
  await applyPush(database, await planPush(database, definitionOf("enum Nothing { yet }")));
});

test(`any two definitions, ${RUNS} times`, { timeout: 600_000 }, async () => {
  const seen = { withRows: 0, blocked: 0, destructive: 0, renamed: 0 };
  await fc.assert(
    fc.asyncProperty(anyTwoPrograms, fc.boolean(), fc.nat(), async ([first, second], saysWas, seed) => {
      const before = definitionOf(sourceOf(first));
      const after = definitionOf(sourceOf(second, saysWas ? first : undefined));
      await emptyDatabase();
      await pushFully(await planPush(database, before), []);
      const hasRows = seed % 4 !== 0 && (await insertRows(before, seed));
      const plan = await planPush(database, after);
      if (hasRows) seen.withRows++;
      if (plan.obstacles.length > 0) seen.blocked++;
      if (plan.steps.some((step) => step.class === "destructive")) seen.destructive++;
      if (plan.steps.some((step) => step.kind.startsWith("rename-"))) seen.renamed++;
      const isBlocked = plan.obstacles.length > 0;
      if (isBlocked) await checkBlocked(plan, before);
      await pushFully(isBlocked ? await planPush(database, after) : plan, tablesOf(before));
      expect(await planPush(database, after)).toMatchObject({ steps: [], obstacles: [], record: null });
    }),
    { numRuns: RUNS },
  );
  // The programs are worth something: each kind of push has come up often.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 20);
});

async function checkBlocked(plan: PushPlan, before: Definition): Promise<void> {
  expect(await applyPush(database, plan, { acceptDataLoss: true })).toMatchObject({ kind: "blocked" });
  expect(await liveCatalog(database)).toEqual(canonicalCatalog(desiredCatalog(before)));
  await deleteRows(before);
}

/** Applies without obstacles, ends in the catalog, keeps the rows of tables that stay. */
async function pushFully(plan: PushPlan, tables: readonly string[]): Promise<void> {
  expect(plan.obstacles).toEqual([]);
  const dropped = plan.steps.filter((step) => step.kind === "drop-table").map((step) => step.affects.table);
  const expected = await countRows(tables.filter((table) => !dropped.includes(table)));
  const outcome = await applyPush(database, plan, { acceptDataLoss: true });
  expect(outcome).toMatchObject({ kind: plan.steps.length > 0 ? "applied" : "unchanged" });
  expect(await liveCatalog(database)).toEqual(canonicalCatalog(desiredCatalog(plan.definition)));
  expect(await countRows(tablesOf(plan.definition))).toBe(expected);
}

function tablesOf({ models }: Definition): string[] {
  return models.map(({ table }) => table.name);
}

async function countRows(tables: readonly string[]): Promise<number> {
  const counts = tables.map((table) => `(SELECT count(*) FROM ${quoteName(table)})`);
  const [row] = await database.query<{ count: string }>(
    `SELECT (${["0", ...counts].join(" + ")})::text AS count`,
  );
  return Number(row?.count);
}

/** The table of records stays; only what it says is forgotten. */
async function emptyDatabase(): Promise<void> {
  await database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DELETE FROM _stoa.pushed");
}

// ---------------------------------------------------------------- rows

/**
 * The same ids in all tables, so that references can point at anything, in rings too; the order of inserts does
 * not matter as long as nobody looks at foreign keys meanwhile. False if the keys left no room for the rows.
 */
async function insertRows(definition: Definition, seed: number): Promise<boolean> {
  const inserts = definition.models.flatMap((model) => ROWS.map((row) => insertOf(model, row, seed)));
  if (inserts.length === 0) return false;
  const sql = ["SET LOCAL session_replication_role = replica", ...inserts].join(";\n");
  try {
    await database.transaction((transaction) => transaction.execute(sql));
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === "unique") return false;
    throw error;
  }
}

function insertOf({ table }: Model, row: number, seed: number): string {
  const keys = new Set([...table.uniques, table.primaryKey].flatMap(({ columns }) => columns));
  const references = new Set(table.foreignKeys.flatMap(({ columns }) => columns));
  const enums = new Map(table.checks.map(({ columns, values }) => [columns[0], values]));
  const values = table.columns.map((column, index) => {
    const mix = (seed >> (index % 20)) + index;
    if (column.nullable && (mix + row) % 3 === 0) return "NULL";
    const number = keys.has(column.name) || references.has(column.name) ? row : 1 + (mix % ROWS.length);
    const kind =
      references.has(column.name) || column.name === "id" ? `id ${column.type.kind}` : column.type.kind;
    return sampleOf(kind, { number, mix, choices: enums.get(column.name) });
  });
  const names = table.columns.map(({ name }) => quoteName(name)).join(", ");
  return `INSERT INTO ${quoteName(table.name)} (${names}) VALUES (${values.join(", ")})`;
}

interface ValueChoice {
  readonly number: number;
  readonly mix: number;
  readonly choices: readonly string[] | undefined;
}

/** Texts that some other type can take as well, and values that come in two. */
function sampleOf(kind: string, { number, mix, choices }: ValueChoice): string {
  const uuid = `0190f3d2-0000-7000-8000-00000000000${number}`;
  const texts = [
    `${number}`,
    `b${number}`,
    `${number}.50`,
    uuid,
    `2024-02-0${number}`,
    `2024-02-0${number}T00:00:00Z`,
  ];
  switch (kind) {
    case "text":
      return quoteLiteral(
        choices ? (choices[number % choices.length] ?? "") : (texts[mix % texts.length] ?? ""),
      );
    case "bigint":
    case "id bigint":
      return String(number);
    case "numeric":
    case "double precision":
      return mix % 2 === 0 ? String(number) : `${number}.25`;
    case "boolean":
      return String(number === 1);
    case "date":
      return `'2024-02-0${number}'`;
    case "timestamptz":
      return `'2024-02-0${number}T${mix % 2 === 0 ? "00" : "12"}:00:00Z'`;
    case "jsonb":
      return quoteLiteral(mix % 2 === 0 ? String(number) : JSON.stringify({ number }));
    default:
      return `'${uuid}'`;
  }
}

async function deleteRows(definition: Definition): Promise<void> {
  const tables = definition.models.map(({ table }) => quoteName(table.name));
  await database.execute(`TRUNCATE ${tables.join(", ")} CASCADE`);
}
