// Every scenario again, with deployments that die: between two statements, twice in a row, at points that differ from
// run to run. Whatever happens, going on ends as an undisturbed run does. MIGRATE_SEED repeats a run.

import { canonicalCatalog, type Database, type Migration } from "@stoa/database";
import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../packages/database/test/server.js";
import { readScenarios } from "./migrate-case-notation.js";
import { deployMortal, prepareScenario, readScenario } from "./migrate-fixture.js";
import type { PushCase } from "./schema-case-notation.js";
import { liveCatalog, runSelects } from "./schema-fixture.js";

const SEED = Number(process.env.MIGRATE_SEED ?? Date.now() % 1_000_000);
/** How often each scenario is killed; all points are tried where there are no more. */
const KILLS = Number(process.env.MIGRATE_KILLS ?? 3);

let database: Database;
let url: string;

beforeAll(async () => {
  ({ database, url } = await testDatabase());
});

describe(`killed and resumed, seed ${SEED}`, () => {
  for (const { name, cases } of readScenarios()) {
    for (const item of cases) {
      const scenario = readScenario(item);
      if (!scenario.migrations) continue;
      const { migrations } = scenario;
      test(`${name}: ${item.title}`, async () => {
        await prepareScenario(database, url, scenario);
        const { statements } = await deployMortal(url, migrations, Number.POSITIVE_INFINITY);
        const expected = await endOf(item);
        for (const limit of pointsOf(statements, item.title)) {
          await prepareScenario(database, url, scenario);
          await dieAndGoOn(migrations, limit);
          expect({ limit, ...(await endOf(item)) }).toEqual({ limit, ...expected });
        }
      });
    }
  }
});

/** Dies after so many statements, then soon after it went on, then lives. */
async function dieAndGoOn(migrations: readonly Migration[], limit: number): Promise<void> {
  const first = await deployMortal(url, migrations, limit);
  expect(first.outcome).toBeNull();
  await deployMortal(url, migrations, 5 + (limit % 11));
  const last = await deployMortal(url, migrations, Number.POSITIVE_INFINITY);
  expect(last.outcome?.kind).not.toBe("refused");
}

async function endOf(item: PushCase) {
  const selects = await runSelects(database, item);
  const steps = await database.query(
    "SELECT number, step FROM _stoa.migration_step WHERE applied_at IS NOT NULL ORDER BY number, step",
  );
  const migrations = await database.query(
    "SELECT number, name, checksum, finished_at IS NOT NULL AS finished FROM _stoa.migration ORDER BY number",
  );
  return { catalog: canonicalCatalog(await liveCatalog(database)), selects, steps, migrations };
}

/** The last statement gives back the lock: whoever dies there has done everything. */
function pointsOf(statements: number, title: string): number[] {
  const all = Array.from({ length: statements - 1 }, (_, index) => index);
  if (all.length <= KILLS) return all;
  const random = randomOf(SEED + [...title].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  return Array.from({ length: KILLS }, () => Math.floor(random() * all.length));
}

function randomOf(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
