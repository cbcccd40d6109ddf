// What the database remembers of migrations: which were begun and done, and how far the last one has come.

import type { Queryable } from "../connection/database.js";
import type { Migration } from "./migration.js";
import { catalogHash, checksumOf } from "./snapshot.js";

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly startedAt: string;
  /** Null while it is under way, or was when something stopped it. */
  readonly finishedAt: string | null;
}

export interface AppliedStep {
  /** From 0. */
  readonly step: number;
  readonly checksum: string;
  readonly progress: string | null;
  readonly isApplied: boolean;
}

/** Nothing, too, where the tables have not been made yet. */
export async function readHistory(queryable: Queryable): Promise<readonly AppliedMigration[]> {
  if (!(await hasHistory(queryable))) return [];
  const rows = await queryable.query<{ [Key in keyof AppliedMigration]: AppliedMigration[Key] }>(
    `SELECT number, name, checksum, started_at AS "startedAt", finished_at AS "finishedAt"
     FROM _stoa.migration ORDER BY number`,
  );
  return rows;
}

export async function hasHistory(queryable: Queryable): Promise<boolean> {
  const [row] = await queryable.query<{ there: boolean }>(
    "SELECT to_regclass('_stoa.migration') IS NOT NULL AS there",
  );
  return row?.there ?? false;
}

export async function readSteps(queryable: Queryable, number: number): Promise<readonly AppliedStep[]> {
  return queryable.query<{ [Key in keyof AppliedStep]: AppliedStep[Key] }>(
    `SELECT step, checksum, progress, applied_at IS NOT NULL AS "isApplied"
     FROM _stoa.migration_step WHERE number = $1 ORDER BY step`,
    [number],
  );
}

/** Once; a migration that goes on has begun already. */
export async function recordStart(queryable: Queryable, migration: Migration): Promise<void> {
  await queryable.query(
    `INSERT INTO _stoa.migration (number, name, checksum, catalog) VALUES ($1, $2, $3, $4)
     ON CONFLICT (number) DO NOTHING`,
    valuesOf(migration),
  );
}

/** As if it had never been begun. */
export async function forgetMigration(queryable: Queryable, number: number): Promise<void> {
  await queryable.query("DELETE FROM _stoa.migration_step WHERE number = $1", [number]);
  await queryable.query("DELETE FROM _stoa.migration WHERE number = $1", [number]);
}

/** With the checksum of now: steps that were not done yet may have changed since the start. */
export async function recordEnd(queryable: Queryable, migration: Migration): Promise<void> {
  await queryable.query(
    `INSERT INTO _stoa.migration (number, name, checksum, catalog, finished_at) VALUES ($1, $2, $3, $4, now())
     ON CONFLICT (number) DO UPDATE
     SET checksum = excluded.checksum, catalog = excluded.catalog, finished_at = now()`,
    valuesOf(migration),
  );
}

function valuesOf({ number, name, sql, snapshot }: Migration) {
  return [number, name, checksumOf(sql), catalogHash(snapshot.catalog)];
}

export interface StepRecord {
  readonly number: number;
  readonly step: number;
  readonly checksum: string;
  /** The last id so far; absent if the step is done. */
  readonly progress?: string | undefined;
}

export async function recordStep(queryable: Queryable, record: StepRecord): Promise<void> {
  const { number, step, checksum, progress = null } = record;
  await queryable.query(
    `INSERT INTO _stoa.migration_step (number, step, checksum, progress, applied_at)
     VALUES ($1, $2, $3, $4, CASE WHEN $4::text IS NULL THEN now() END)
     ON CONFLICT (number, step) DO UPDATE
     SET checksum = excluded.checksum, progress = excluded.progress, applied_at = excluded.applied_at`,
    [number, step, checksum, progress],
  );
}
