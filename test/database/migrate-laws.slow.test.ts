// The law of migrations: any two definitions, written down as migrations and deployed, end in exactly the catalog that
// push ends in, which is the second definition's.

import { applyPush, canonicalCatalog, type Database, desiredCatalog, planPush } from "@stoa/database";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import { deployFully, emptyDatabase, migrationsOf } from "./migrate-fixture.js";
import { definitionOf, liveCatalog } from "./schema-fixture.js";
import { anyTwoPrograms, sourceOf } from "./schema-programs.js";

const RUNS = Number(process.env.MIGRATE_RUNS ?? 60);

let pushed: Database;
let deployed: Database;
let url: string;

beforeAll(async () => {
  pushed = (await testDatabase()).database;
  ({ database: deployed, url } = await testDatabase());
});

test(`push and migrate end the same, ${RUNS} times`, { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyTwoPrograms, fc.boolean(), async ([first, second], saysWas) => {
      const sources = [sourceOf(first), sourceOf(second, saysWas ? first : undefined)];
      await Promise.all([emptyDatabase(pushed), emptyDatabase(deployed)]);
      for (const source of sources) {
        const plan = await planPush(pushed, definitionOf(source));
        await applyPush(pushed, plan, { acceptDataLoss: true });
      }
      const migrations = migrationsOf(sources);
      for (const [index] of migrations.entries()) await deployFully(url, migrations.slice(0, index + 1));
      const live = await liveCatalog(deployed);
      expect(live).toEqual(canonicalCatalog(desiredCatalog(definitionOf(sources[1] ?? ""))));
      expect(live).toEqual(await liveCatalog(pushed));
    }),
    { numRuns: RUNS },
  );
});
