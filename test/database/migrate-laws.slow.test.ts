// The law of migrations: any two definitions, written down as migrations and deployed, end in exactly the catalog that
// push ends in, which is the second definition's. With rows in the tables, both end with the same rows; or rows are in
// the way of both, for the same reason, and once they are gone, both go on.

import {
  applyPush,
  canonicalCatalog,
  type Database,
  type DeployOutcome,
  desiredCatalog,
  type Migration,
  type Obstacle,
  planPush,
} from "@stoa/database";
import type { Definition } from "@stoa/definition";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import { deployFully, deployTo, emptyDatabase, migrationsOf } from "./migrate-fixture.js";
import { definitionOf, liveCatalog } from "./schema-fixture.js";
import { anyTwoAlike, anyTwoPrograms, sourceOf } from "./schema-programs.js";
import { deleteRows, insertRows, storedRows } from "./schema-rows.js";

const RUNS = Number(process.env.MIGRATE_RUNS ?? 60);

const anyPair = fc.oneof(anyTwoPrograms, anyTwoAlike);

let pushed: Database;
let deployed: Database;
let url: string;

beforeAll(async () => {
  pushed = (await testDatabase()).database;
  ({ database: deployed, url } = await testDatabase());
});

test(`push and migrate end the same, ${RUNS} times`, { timeout: 600_000 }, async () => {
  const seen = { withRows: 0, refused: 0, kept: 0 };
  await fc.assert(
    fc.asyncProperty(anyPair, fc.boolean(), fc.nat(), async ([first, second], saysWas, seed) => {
      const sources = [sourceOf(first), sourceOf(second, saysWas ? first : undefined)];
      const [before, after] = sources.map(definitionOf) as [Definition, Definition];
      const migrations = migrationsOf(sources);
      await begin(before, migrations);
      const hasRows = seed % 3 !== 0 && (await fill(before, seed));
      const obstacles = await pushNext(after);
      const outcome = await deployTo(url, migrations);
      expectSame(obstacles, outcome);
      if (hasRows) seen.withRows++;
      if (obstacles.length > 0) {
        seen.refused++;
        await goOn(after, migrations);
      } else if (hasRows) {
        seen.kept++;
        const catalog = await liveCatalog(deployed);
        expect(await storedRows(deployed, catalog)).toEqual(await storedRows(pushed, catalog));
      }
      await expectEnd(after);
    }),
    { numRuns: RUNS },
  );
  // The pairs are worth something: rows were there, in the way of some and not of others.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 20);
});

async function begin(before: Definition, migrations: readonly Migration[]): Promise<void> {
  await Promise.all([emptyDatabase(pushed), emptyDatabase(deployed)]);
  await applyPush(pushed, await planPush(pushed, before));
  const [first] = migrations;
  // A program without models needs no migration.
  if (first && before.models.length > 0) await deployFully(url, [first]);
}

/** The same rows in both; none where keys leave no room for them. */
async function fill(definition: Definition, seed: number): Promise<boolean> {
  const there = await insertRows(pushed, definition, seed);
  expect(await insertRows(deployed, definition, seed)).toBe(there);
  return there;
}

async function pushNext(after: Definition): Promise<readonly Obstacle[]> {
  const plan = await planPush(pushed, after);
  if (plan.obstacles.length === 0) await applyPush(pushed, plan, { acceptDataLoss: true });
  return plan.obstacles;
}

/** What a deployment says where push would see an obstacle. */
const REASONS: Readonly<Record<Obstacle["kind"], RegExp>> = {
  "no-rows": /is null in/,
  "no-nulls": /is null in/,
  castable: /does not fit its new type/,
  unique: /is the same in several rows/,
  references: /points nowhere/,
  values: /is none of/,
  "no-dependents": /depend/,
  "name-taken": /already exists/,
  "newer-record": /newer/,
};

function expectSame(obstacles: readonly Obstacle[], outcome: DeployOutcome): void {
  if (obstacles.length === 0) {
    expect(outcome).toMatchObject(
      outcome.kind === "applied" ? { kind: "applied", drift: [] } : { kind: "unchanged" },
    );
    return;
  }
  expect(outcome.kind).toBe("failed");
  const message = outcome.kind === "failed" ? `${outcome.message} ${outcome.place.words}` : "";
  expect(
    obstacles.some(({ kind }) => REASONS[kind].test(message)),
    `${message}: ${JSON.stringify(obstacles)}`,
  ).toBe(true);
}

/** Without the rows. */
async function goOn(after: Definition, migrations: readonly Migration[]): Promise<void> {
  await Promise.all([deleteRows(pushed), deleteRows(deployed)]);
  expect(await pushNext(after)).toEqual([]);
  await deployFully(url, migrations);
}

async function expectEnd(after: Definition): Promise<void> {
  const live = await liveCatalog(deployed);
  expect(live).toEqual(canonicalCatalog(desiredCatalog(after)));
  expect(live).toEqual(await liveCatalog(pushed));
}
