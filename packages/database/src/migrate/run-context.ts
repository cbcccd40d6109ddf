// What the runners of a deployment share: where they are, whom they tell, and the ground rules of a transaction.

import { type Database, DatabaseError, type Queryable } from "../connection/database.js";
import { holdsSessionLock } from "../schema/lock.js";
import { recordStep } from "./history.js";
import * as say from "./messages.js";
import type { MigrationStep } from "./migration.js";
import { splitStatements } from "./sql-text.js";
import type { PlacedStep } from "./units.js";

export type DeployEvent =
  /** For another deployment, or a push. */
  | { readonly kind: "waiting" }
  | { readonly kind: "migration"; readonly name: string; readonly steps: number; readonly start: number }
  | { readonly kind: "step"; readonly place: say.StepPlace; readonly count: number }
  | { readonly kind: "done"; readonly place: say.StepPlace; readonly elapsedMs: number }
  | { readonly kind: "rows"; readonly place: say.StepPlace; readonly rows: number; readonly total: number }
  /** A lock could not be had in time. */
  | { readonly kind: "retry"; readonly place: say.StepPlace; readonly attempt: number };

export interface RunContext {
  readonly session: Database;
  readonly migration: string;
  readonly number: number;
  /** Of all steps of the migration. */
  readonly count: number;
  readonly lockTimeoutMs: number;
  readonly lockRetries: number;
  readonly checksumOf: (step: MigrationStep) => string;
  readonly onEvent: (event: DeployEvent) => void;
}

export class RunFailure extends Error {
  readonly place: say.StepPlace;
  readonly hint: string;

  constructor(place: say.StepPlace, message: string, { hint, cause }: { hint: string; cause?: unknown }) {
    super(message, { cause });
    this.place = place;
    this.hint = hint;
  }
}

export function placeOf({ step, index }: PlacedStep, { migration }: RunContext): say.StepPlace {
  return { migration, number: index + 1, words: step.words };
}

export function hasStatements({ sql }: MigrationStep): boolean {
  return splitStatements(sql).length > 0;
}

/** With the lock of the deployment, and without the limits that a server may set for the statements of requests. */
export async function inTransaction(
  { session }: RunContext,
  work: (transaction: Queryable) => Promise<void>,
): Promise<void> {
  await session.transaction(
    async (transaction) => {
      await requireLock(transaction);
      await transaction.execute("SET LOCAL statement_timeout = 0");
      await work(transaction);
    },
    { retries: 0 },
  );
}

export async function requireLock(queryable: Queryable): Promise<void> {
  if (!(await holdsSessionLock(queryable))) throw new DatabaseError("unavailable", say.lockLost());
}

export async function recordDone(
  transaction: Queryable,
  { step, index }: PlacedStep,
  context: RunContext,
): Promise<void> {
  await recordStep(transaction, { number: context.number, step: index, checksum: context.checksumOf(step) });
}
