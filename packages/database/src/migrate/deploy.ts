// `stoa db deploy`: pending migrations, one after the other, under one lock. Everything that is done is recorded with
// it, so whatever stops a deployment, the next one goes on where it stopped.

import type { Database } from "../connection/database.js";
import { canonicalCatalog } from "../schema/catalog.js";
import { lockSession, unlockSession } from "../schema/lock.js";
import { RECORD_VERSION, readRecord, writeRecord } from "../schema/record.js";
import { prepareSystemTables } from "../schema/system-tables.js";
import { findChainProblem } from "./chain.js";
import { type Difference, findDrift, readLive } from "./differences.js";
import {
  type AppliedStep,
  forgetMigration,
  readHistory,
  readSteps,
  recordEnd,
  recordStart,
} from "./history.js";
import * as say from "./messages.js";
import type { Migration, MigrationProblem, MigrationStep } from "./migration.js";
import { findPending } from "./pending.js";
import { SCHEMA } from "./plan.js";
import { runUnit } from "./run.js";
import { type DeployEvent, type RunContext, RunFailure } from "./run-context.js";
import { checksumOf } from "./snapshot.js";
import { splitStatements } from "./sql-text.js";
import { groupSteps } from "./units.js";
import { readUpFile } from "./up-file.js";

export interface DeployOptions {
  /** How long a statement may wait for a table, and so how long others may have to wait behind it. */
  readonly lockTimeoutMs?: number;
  /** How often it is tried again. */
  readonly lockRetries?: number;
  readonly onEvent?: (event: DeployEvent) => void;
}

export const LOCK_TIMEOUT_MS = 2000;
const LOCK_RETRIES = 20;

export type DeployOutcome =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "applied";
      readonly migrations: readonly string[];
      /** Between the database and the last snapshot. */
      readonly drift: readonly Difference[];
    }
  | { readonly kind: "refused"; readonly problem: MigrationProblem }
  | {
      readonly kind: "failed";
      readonly place: say.StepPlace;
      readonly message: string;
      readonly hint: string;
    };

/**
 * `session` is a database with one connection (`poolSize: 1`): the lock is that connection's. Without the connection
 * nothing goes on; nobody can take the lock and find a deployment still at work.
 */
export async function deployMigrations(
  session: Database,
  migrations: readonly Migration[],
  options: DeployOptions = {},
): Promise<DeployOutcome> {
  const problem = findChainProblem(migrations);
  if (problem) return { kind: "refused", problem };
  await lockSession(session, { onWait: () => options.onEvent?.({ kind: "waiting" }) });
  try {
    return await deployLocked(session, migrations, options);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return { kind: "failed", place: error.place, message: error.message, hint: error.hint };
  } finally {
    // A connection that is lost has let go by that.
    await unlockSession(session).catch(() => {});
  }
}

async function deployLocked(
  session: Database,
  migrations: readonly Migration[],
  options: DeployOptions,
): Promise<DeployOutcome> {
  await session.transaction(prepareSystemTables);
  const applied = await readHistory(session);
  const pending = findPending(migrations, applied);
  if (pending.kind === "refused") return pending;
  const last = pending.migrations.at(-1);
  if (!last) return { kind: "unchanged" };
  const refusal = await refuseRecord(session, applied.length === 0);
  if (refusal) return { kind: "refused", problem: refusal };
  for (const migration of pending.migrations) {
    const problem = await applyMigration(session, migration, options);
    if (problem) return { kind: "refused", problem };
  }
  const live = await session.transaction(readLive);
  const names = pending.migrations.map(({ name }) => name);
  return { kind: "applied", migrations: names, drift: findDrift(last.snapshot.catalog, live) };
}

/** Tables that push has made would be in the way of the first migration. */
async function refuseRecord(session: Database, isFirst: boolean): Promise<MigrationProblem | undefined> {
  const record = await readRecord(session, SCHEMA);
  if (record && record.version > RECORD_VERSION) return say.recordNewer(record.version, RECORD_VERSION);
  return isFirst && record && record.catalog.tables.length > 0 ? say.pushedBefore() : undefined;
}

async function applyMigration(
  session: Database,
  migration: Migration,
  options: DeployOptions,
): Promise<MigrationProblem | undefined> {
  const steps = readUpFile(migration.sql) ?? [];
  await session.transaction((transaction) => recordStart(transaction, migration));
  const done = withoutEmptyEnd(await readSteps(session, migration.number));
  const edited = done.find(({ step, checksum }) => checksum !== stepChecksum(steps[step]));
  if (edited) return say.stepEdited(migration.name, edited.step + 1);
  const start = done.filter(({ isApplied }) => isApplied).length;
  options.onEvent?.({ kind: "migration", name: migration.name, steps: steps.length, start });
  const context: RunContext = {
    ...{ session, migration: migration.name, number: migration.number, count: steps.length },
    lockTimeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    lockRetries: options.lockRetries ?? LOCK_RETRIES,
    checksumOf: stepChecksum,
    onEvent: options.onEvent ?? (() => {}),
  };
  try {
    for (const unit of groupSteps(steps, start)) await runUnit(unit, context);
  } catch (error) {
    if (error instanceof RunFailure) await forgetUntouched(session, migration.number, steps);
    throw error;
  }
  await finish(session, migration);
  return undefined;
}

/** Where only questions were asked, nothing has been begun: the migration may be edited or removed. */
async function forgetUntouched(
  session: Database,
  number: number,
  steps: readonly MigrationStep[],
): Promise<void> {
  const done = await readSteps(session, number);
  const isQuestion = ({ step, checksum }: AppliedStep) =>
    checksum === NOTHING_RUN || steps[step]?.run.kind === "no-rows";
  if (!done.every(isQuestion)) return;
  await session.transaction((transaction) => forgetMigration(transaction, number));
}

const NOTHING_RUN = "nothing";

/** Of what is run, and how; not of the words around it. */
function stepChecksum(step: MigrationStep | undefined): string {
  if (step && splitStatements(step.sql).length === 0) return NOTHING_RUN;
  return step ? checksumOf(JSON.stringify([step.run, step.sql])) : "";
}

/** A step that did nothing can be done again: where the next one stops, people write there what was missing. */
function withoutEmptyEnd(steps: readonly AppliedStep[]): AppliedStep[] {
  const last = steps.findLastIndex(({ checksum }) => checksum !== NOTHING_RUN);
  return steps.slice(0, last + 1);
}

/** Push finds the tables as if it had made them itself. */
async function finish(session: Database, migration: Migration): Promise<void> {
  const { catalog, placement } = migration.snapshot;
  await session.transaction(async (transaction) => {
    await recordEnd(transaction, migration);
    const record = { version: RECORD_VERSION, catalog: canonicalCatalog(catalog), placement };
    await writeRecord(transaction, SCHEMA, record);
  });
}
