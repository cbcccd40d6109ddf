// One change of the schema at a time: whoever makes one holds a lock until the end of its transaction.

import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../connection/database.js";

/** "stoa" as a number, and 1 for changes of the schema. */
const SCHEMA_LOCK = "1937006433, 1";

/**
 * How often it is asked whether the other change is over. Not one long wait inside PostgreSQL: a statement that waits
 * holds a snapshot, and an index that is built concurrently waits until nobody holds an old one, so the two would
 * wait for each other.
 */
const ASK_AGAIN_MS = 100;

/** A table that someone keeps locked would make a push wait for ever, and all others behind it. */
const TABLE_WAIT_MS = 10_000;

export interface LockOptions {
  /** Another change is under way; this one waits for it. */
  readonly onWait?: (() => void) | undefined;
  /** How long to wait for a table that someone else has locked. */
  readonly tableWaitMs?: number | undefined;
}

export async function lockSchema(transaction: Queryable, options: LockOptions = {}): Promise<void> {
  await waitForLock(transaction, `pg_try_advisory_xact_lock(${SCHEMA_LOCK})`, options);
  await transaction.execute(`SET LOCAL lock_timeout = ${Math.max(1, options.tableWaitMs ?? TABLE_WAIT_MS)}`);
}

/** For changes of several transactions: the lock is the connection's, until it is closed or lets go. */
export async function lockSession(session: Queryable, options: LockOptions = {}): Promise<void> {
  await waitForLock(session, `pg_try_advisory_lock(${SCHEMA_LOCK})`, options);
}

export async function unlockSession(session: Queryable): Promise<void> {
  await session.query(`SELECT pg_advisory_unlock(${SCHEMA_LOCK}) AS unlocked`);
}

/** A connection that was lost and made again has it no more. */
export async function holdsSessionLock(session: Queryable): Promise<boolean> {
  const [row] = await session.query<{ held: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_catalog.pg_locks WHERE locktype = 'advisory' AND granted
      AND pid = pg_backend_pid() AND (classid, objid, objsubid) = (${SCHEMA_LOCK}, 2)) AS held`,
  );
  return row?.held ?? false;
}

async function waitForLock(queryable: Queryable, attempt: string, { onWait }: LockOptions): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const [row] = await queryable.query<{ locked: boolean }>(`SELECT ${attempt} AS locked`);
    if (row?.locked) return;
    if (isFirst) onWait?.();
    // Inside a transaction, the answer of the last question holds its snapshot until the next one takes its place,
    // and one without parameters leaves nothing behind.
    await queryable.execute("SELECT");
    await sleep(ASK_AGAIN_MS);
  }
}
