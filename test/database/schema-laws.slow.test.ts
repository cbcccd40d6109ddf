// The law of push: any two definitions, one after the other, end in exactly the catalog of the second. With rows
// in the tables either the same, with the rows of all tables that stay, or nothing at all happens and the
// obstacles say why; once the rows are gone, so are the obstacles.

import {
  applyPush,
  canonicalCatalog,
  type Database,
  desiredCatalog,
  type PushPlan,
  planPush,
  quoteName,
} from "@stoa/database";
import type { Definition } from "@stoa/definition";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import { definitionOf, liveCatalog } from "./schema-fixture.js";
import { anyTwoPrograms, sourceOf } from "./schema-programs.js";
import { deleteRows, insertRows } from "./schema-rows.js";

const RUNS = Number(process.env.PUSH_RUNS ?? 250);

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
      const hasRows = seed % 4 !== 0 && (await insertRows(database, before, seed));
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
  await deleteRows(database);
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
