// One change of the schema at a time: whoever makes one holds a lock until the end of its transaction.

import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Queryable } from "../connection/database.js";

/** "stoa" as a number, and 1 for changes of the schema. */
const SCHEMA_LOCK = "1937006433, 1";

/**
 * How often it is asked whether the other change is over. Neither one long wait inside PostgreSQL nor a transaction
 * that stays open meanwhile: an index that is built concurrently waits for the end of every transaction in which it has
 * met a snapshot, so the two would wait for each other.
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

/** Does something in a transaction that holds the lock. While another has it, no transaction is open. */
export async function withSchemaLock<Result>(
  database: Database,
  options: LockOptions,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  const limit = `SET LOCAL lock_timeout = ${Math.max(1, options.tableWaitMs ?? TABLE_WAIT_MS)}`;
  for (let isFirst = true; ; isFirst = false) {
    const done = await database.transaction(async (transaction) => {
      if (!(await tryLock(transaction, `pg_try_advisory_xact_lock(${SCHEMA_LOCK})`))) return null;
      await transaction.execute(limit);
      return { result: await work(transaction) };
    });
    if (done !== null) return done.result;
    if (isFirst) options.onWait?.();
    await sleep(ASK_AGAIN_MS);
  }
}

/** For changes of several transactions: the lock is the connection's, until it is closed or lets go. */
export async function lockSession(session: Queryable, { onWait }: LockOptions = {}): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    if (await tryLock(session, `pg_try_advisory_lock(${SCHEMA_LOCK})`)) return;
    if (isFirst) onWait?.();
    await sleep(ASK_AGAIN_MS);
  }
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

async function tryLock(queryable: Queryable, attempt: string): Promise<boolean> {
  const [row] = await queryable.query<{ locked: boolean }>(`SELECT ${attempt} AS locked`);
  return row?.locked ?? false;
}
