// One unit of a migration on a live database, with patience: a lock that cannot be had in time is tried again, after
// a pause in which those who waited behind us get their turn.

import { setTimeout as sleep } from "node:timers/promises";
import { type Database, DatabaseError } from "../connection/database.js";
import { runAlone } from "./alone.js";
import { runBatches } from "./batches.js";
import * as say from "./messages.js";
import type { MigrationStep } from "./migration.js";
import {
  hasStatements,
  inTransaction,
  placeOf,
  type RunContext,
  RunFailure,
  recordDone,
} from "./run-context.js";
import { splitStatements } from "./sql-text.js";
import type { PlacedStep, Unit } from "./units.js";

export async function runUnit(unit: Unit, context: RunContext): Promise<void> {
  const startedAt = performance.now();
  // Steps of one transaction are begun one by one, and done together.
  await attempt(unit, context);
  const each = (performance.now() - startedAt) / unit.steps.length;
  for (const placed of unit.steps) {
    context.onEvent({ kind: "done", place: placeOf(placed, context), elapsedMs: each });
  }
}

async function attempt(unit: Unit, context: RunContext): Promise<void> {
  for (let count = 1; ; count++) {
    let current = unit.steps[0] as PlacedStep;
    const onStep = (placed: PlacedStep) => {
      current = placed;
      if (count === 1)
        context.onEvent({ kind: "step", place: placeOf(placed, context), count: context.count });
    };
    try {
      return await runOnce(unit, context, onStep);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (error.kind === "unavailable" || error.kind === "authentication") throw error;
      const place = placeOf(current, context);
      if (!isPassing(error)) throw failureOf(place, error.message, error);
      if (count > context.lockRetries) {
        throw failureOf(place, say.lockNotHad(await openTransactions(context.session)), error);
      }
      context.onEvent({ kind: "retry", place, attempt: count });
      await pause(count);
    }
  }
}

function failureOf(place: say.StepPlace, reason: string, cause: unknown): RunFailure {
  return new RunFailure(place, say.stepFailed(place, reason), { hint: say.RESUME_HINT, cause });
}

/** A lock that was not to be had in time (55P03), or two that waited for each other. */
function isPassing({ sqlState, kind }: DatabaseError): boolean {
  return sqlState === "55P03" || kind === "serialization";
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

async function pause(count: number): Promise<void> {
  await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1)) * (0.75 + Math.random() / 2));
}

function runOnce(unit: Unit, context: RunContext, onStep: (step: PlacedStep) => void): Promise<void> {
  switch (unit.kind) {
    case "transaction":
      return runTransaction(unit.steps, context, onStep);
    case "alone":
      onStep(unit.steps[0]);
      return runAlone(unit.steps[0], context);
    case "batches":
      onStep(unit.steps[0]);
      return runBatches(unit.steps[0], context);
    case "no-rows":
      onStep(unit.steps[0]);
      return runQuestion(unit.steps[0], context);
  }
}

async function runTransaction(
  steps: readonly PlacedStep[],
  context: RunContext,
  onStep: (step: PlacedStep) => void,
): Promise<void> {
  await inTransaction(context, async (transaction) => {
    const startedAt = performance.now();
    for (const placed of steps) {
      onStep(placed);
      const spent = performance.now() - startedAt;
      if (hasStatements(placed.step)) {
        await transaction.execute(`SET LOCAL lock_timeout = ${lockTimeout(placed.step, context, spent)}`);
        await transaction.execute(placed.step.sql);
      }
      await recordDone(transaction, placed, context);
    }
  });
}

/**
 * What is locked already keeps others waiting while the next lock is waited for, so all steps of a transaction share
 * one time. A proof keeps nobody out, and may take its time to begin.
 */
function lockTimeout({ sql }: MigrationStep, { lockTimeoutMs }: RunContext, spentMs: number): number {
  if (/^\s*ALTER TABLE [^;]* VALIDATE CONSTRAINT [^;]*;?\s*$/.test(sql)) return 0;
  const least = Math.min(100, lockTimeoutMs);
  return Math.max(1, Math.round(Math.max(least, lockTimeoutMs - spentMs)));
}

async function runQuestion(placed: PlacedStep, context: RunContext): Promise<void> {
  await inTransaction(context, async (transaction) => {
    for (const statement of splitStatements(placed.step.sql)) {
      const rows = await transaction.query(statement);
      if (rows.length > 0) throw questionAnswered(placeOf(placed, context), rows);
    }
    await recordDone(transaction, placed, context);
  });
}

function questionAnswered(place: say.StepPlace, rows: readonly object[]): RunFailure {
  const list = rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(" "),
  );
  return new RunFailure(place, say.rowsInTheWay(place, list), { hint: say.ROWS_HINT });
}

/** Who may be in the way: the transactions that have been open longest. */
async function openTransactions(session: Database): Promise<string[]> {
  const rows = await session.query<{ words: string }>(
    `SELECT format('process %s of %s, for %s s (%s)', pid, coalesce(nullif(application_name, ''), usename),
       extract(epoch FROM now() - xact_start)::integer, state) AS words
     FROM pg_stat_activity
     WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
     ORDER BY xact_start LIMIT 3`,
  );
  return rows.map(({ words }) => words);
}
