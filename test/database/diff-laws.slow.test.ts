// The law of `stoa diff` for tables: where all changes are compatible, nothing is in the way of them, no row is lost, and
// what the old version wrote and read, it can write and read afterwards.

import { applyPush, compareTables, type Database, desiredCatalog, planPush } from "@stoa/database";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import { definitionOf } from "./schema-fixture.js";
import { anyTwoAlike, sourceOf } from "./schema-programs.js";
import { deleteRows, insertRows, storedRows } from "./schema-rows.js";

const RUNS = Number(process.env.DIFF_TABLE_RUNS ?? 1000);

let database: Database;

beforeAll(async () => {
  database = (await testDatabase()).database;
  await applyPush(database, await planPush(database, definitionOf("enum Nothing { yet }")));
});

test(`the old version works on tables that changed compatibly, ${RUNS} times`, {
  timeout: 600_000,
}, async () => {
  const seen = { compatible: 0, breaking: 0 };
  await fc.assert(
    fc.asyncProperty(anyTwoAlike, fc.boolean(), fc.nat(), async ([first, second], saysWas, seed) => {
      const before = definitionOf(sourceOf(first));
      const after = definitionOf(sourceOf(second, saysWas ? first : undefined));
      const changes = compareTables(before, after);
      if (changes.some((change) => change.class === "breaking")) seen.breaking++;
      if (changes.length === 0 || changes.some((change) => change.class === "breaking")) return;
      await database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DELETE FROM _stoa.pushed");
      await applyPush(database, await planPush(database, before));
      if (!(await insertRows(database, before, seed))) return;
      seen.compatible++;
      const catalog = desiredCatalog(before);
      const stored = await storedRows(database, catalog);
      const plan = await planPush(database, after);
      expect(plan.obstacles).toEqual([]);
      expect(await applyPush(database, plan)).toMatchObject({ kind: "applied" });
      expect(await storedRows(database, catalog)).toEqual(stored);
      await deleteRows(database);
      expect(await insertRows(database, before, seed)).toBe(true);
      expect(await storedRows(database, catalog)).toEqual(stored);
    }),
    { numRuns: RUNS },
  );
  // Many pairs differ in nothing that tables show, or have keys that leave no room for two rows.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 100);
});
