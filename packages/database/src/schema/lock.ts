// One change of the schema at a time: whoever makes one holds a lock until the end of its transaction.

import type { Queryable } from "../connection/database.js";

/** "stoa" as a number, and 1 for changes of the schema. */
const SCHEMA_LOCK = "1937006433, 1";

/** A table that someone keeps locked would make a push wait for ever, and all others behind it. */
const TABLE_WAIT_MS = 10_000;

export interface LockOptions {
  /** Another change is under way; this one waits for it. */
  readonly onWait?: (() => void) | undefined;
  /** How long to wait for a table that someone else has locked. */
  readonly tableWaitMs?: number | undefined;
}

export async function lockSchema(transaction: Queryable, options: LockOptions = {}): Promise<void> {
  const [row] = await transaction.query<{ locked: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${SCHEMA_LOCK}) AS locked`,
  );
  if (!row?.locked) {
    options.onWait?.();
    await transaction.query(`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})::text`);
  }
  await transaction.execute(`SET LOCAL lock_timeout = ${Math.max(1, options.tableWaitMs ?? TABLE_WAIT_MS)}`);
}
