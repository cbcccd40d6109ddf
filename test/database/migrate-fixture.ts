// What the tests of migrations share: migrations from sources, scenarios on a database, and deployments that die.

import {
  connect,
  type Database,
  type DeployOptions,
  type DeployOutcome,
  deployMigrations,
  type Migration,
  type MigrationPlan,
  migrationWords,
  type PlanOptions,
  planMigration,
  type Queryable,
} from "@stoa/database";
import { expect } from "vitest";
import { argumentOf } from "./migrate-case-notation.js";
import { type PushCase, sectionOf } from "./schema-case-notation.js";
import { definitionOf } from "./schema-fixture.js";

export const ALLOW_ALL = { allowDestructive: true, allowRewrite: true, noRenames: true };

/** One migration per source, each after the one before. */
export function migrationsOf(sources: readonly string[], options: Partial<PlanOptions> = {}): Migration[] {
  const migrations: Migration[] = [];
  for (const source of sources) {
    const plan = planMigration(definitionOf(source), migrations, {
      name: "change",
      ...ALLOW_ALL,
      ...options,
    });
    if (plan.kind === "planned") migrations.push(plan.migration);
    else if (plan.kind !== "unchanged") throw new Error(`not planned: ${JSON.stringify(plan)}`);
  }
  return migrations;
}

/** With a connection of its own, as the command has. */
export async function deployTo(
  url: string,
  migrations: readonly Migration[],
  options: DeployOptions = {},
): Promise<DeployOutcome> {
  const session = connect({ url, poolSize: 1 });
  try {
    return await deployMigrations(session, migrations, options);
  } finally {
    await session.close();
  }
}

export async function deployFully(url: string, migrations: readonly Migration[]): Promise<void> {
  const outcome = await deployTo(url, migrations);
  expect(outcome).toMatchObject(
    outcome.kind === "applied" ? { kind: "applied", drift: [] } : { kind: "unchanged" },
  );
}

/** The system's tables stay; only what they say is forgotten. */
export async function emptyDatabase(database: Queryable): Promise<void> {
  const [row] = await database.query<{ there: boolean }>(
    "SELECT to_regclass('_stoa.migration') IS NOT NULL AS there",
  );
  const forget = row?.there
    ? ["DELETE FROM _stoa.migration_step", "DELETE FROM _stoa.migration", "DELETE FROM _stoa.pushed"]
    : [];
  await database.execute(["DROP SCHEMA public CASCADE", "CREATE SCHEMA public", ...forget].join("; "));
}

// ---------------------------------------------------------------- scenarios

export interface Scenario {
  readonly old: readonly Migration[];
  readonly rows: string;
  readonly plan: MigrationPlan;
  /** All of them; undefined where none is written. */
  readonly migrations: readonly Migration[] | undefined;
}

export function readScenario(item: PushCase): Scenario {
  const source = sectionOf(item, "old");
  const old = source === "" ? [] : migrationsOf([source]);
  const flags = (argumentOf(item, "allow") ?? "").split(" ");
  const plan = planMigration(definitionOf(sectionOf(item, "new")), old, {
    name: "change",
    allowDestructive: flags.includes("destructive"),
    allowRewrite: flags.includes("rewrite"),
    noRenames: flags.includes("no-renames"),
  });
  const fill = argumentOf(item, "fill");
  const migrations = plan.kind === "planned" ? [...old, fillIn(plan.migration, fill)] : undefined;
  return { old, rows: sectionOf(item, "rows"), plan, migrations };
}

/** As a person would edit the file. */
function fillIn(migration: Migration, value: string | undefined): Migration {
  if (value === undefined) return migration;
  const sql = migration.sql.replace(/^-- (UPDATE .*)<value>/m, (_, start: string) => `${start}${value}`);
  expect(sql).not.toBe(migration.sql);
  return { ...migration, sql };
}

export async function prepareScenario(database: Database, url: string, scenario: Scenario): Promise<void> {
  await emptyDatabase(database);
  await deployFully(url, scenario.old);
  if (scenario.rows) await database.execute(scenario.rows);
}

/** Of a plan that is none: what would be said. */
export function refusalOf(plan: MigrationPlan): string {
  switch (plan.kind) {
    case "planned":
      return "";
    case "broken":
      return plan.problem.message;
    case "unchanged":
      return "nothing has changed";
    case "unnamed":
      return "it has no name";
    case "look-alikes":
      return plan.items
        .map((item) => `${migrationWords.lookAlikeInWords(item)}?\n  ${migrationWords.wasHint(item)}`)
        .join("\n");
    case "destructive":
      return plan.steps.map(({ words }) => words).join("\n");
    case "rewrites":
      return plan.rewrites
        .flatMap((item) => [migrationWords.rewriteInWords(item), ...migrationWords.safeSequence(item)])
        .join("\n");
  }
}

// ---------------------------------------------------------------- deployments that die

export class Killed extends Error {}

export interface Mortal {
  readonly database: Database;
  readonly statements: () => number;
}

/** Lets so many statements through, commits among them; then nothing works any more, as after a kill. */
export function mortal(database: Database, limit: number): Mortal {
  let count = 0;
  const next = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (count >= limit) return Promise.reject(new Killed());
    count++;
    return work();
  };
  const wrap = (queryable: Queryable): Queryable => ({
    ...queryable,
    query: (...question) => next(() => queryable.query(...question)) as never,
    execute: (...command) => next(() => queryable.execute(...command)),
  });
  const transaction: Database["transaction"] = (work, options) =>
    database.transaction(async (inner) => {
      const result = await work(wrap(inner));
      await next(async () => {});
      return result;
    }, options);
  return { database: { ...database, ...wrap(database), transaction }, statements: () => count };
}

/** True if it lived to its end. */
export async function deployMortal(
  url: string,
  migrations: readonly Migration[],
  limit: number,
): Promise<{ readonly outcome: DeployOutcome | null; readonly statements: number }> {
  const session = connect({ url, poolSize: 1 });
  const { database, statements } = mortal(session, limit);
  try {
    const outcome = await deployMigrations(database, migrations);
    return { outcome, statements: statements() };
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return { outcome: null, statements: statements() };
  } finally {
    await session.close();
  }
}
