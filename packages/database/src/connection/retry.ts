// When to try again: after failures that are not the statement's own, and after collisions of transactions.

import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "./database.js";
import { ServerError } from "./errors.js";
import type { Connection } from "./wire/connection.js";

/** Of a statement that did not get to run for a reason that is not its own. */
export const MOST_ATTEMPTS = 4;
/** Of a transaction that got in the way of another one. */
export const DEFAULT_RETRIES = 10;

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** At random, so that the two do not meet again. `attempt` counts from 0. */
export async function pauseAfter(attempt: number): Promise<void> {
  await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random()));
}

/** The server had to break one of two that were in each other's way. */
export function isCollision(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === "serialization";
}

/** What we took for prepared is not, or no longer of use. */
export function isStale(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason !== undefined && (isUnknownStatement(reason) || isOutdatedStatement(reason));
}

/** Whether statements did not get to run for a reason that is not their own, which is then out of the way. */
export function clearMishap(error: unknown, sqls: readonly string[], connection: Connection): boolean {
  const reason = reasonOf(error);
  if (reason === undefined) return false;
  if (isUnknownStatement(reason)) {
    for (const sql of sqls) connection.statements.delete(sql);
    return true;
  }
  if (isOutdatedStatement(reason)) {
    for (const sql of sqls) connection.forgetStatement(sql);
    return true;
  }
  // A cancellation that was meant for the statement in front.
  const { sqlState, message } = reason;
  return sqlState === "57014" && connection.wasCancelledLately && !message.includes("timeout");
}

function reasonOf(error: unknown): ServerError | undefined {
  return error instanceof DatabaseError && error.cause instanceof ServerError ? error.cause : undefined;
}

/** The statement in front of this one should have prepared it and failed, or somebody dropped it. */
function isUnknownStatement({ sqlState }: ServerError): boolean {
  return sqlState === "26000";
}

/** "Cached plan must not change result type": the tables have changed since it was prepared. */
function isOutdatedStatement({ sqlState, routine }: ServerError): boolean {
  return sqlState === "0A000" && routine === "RevalidateCachedQuery";
}
