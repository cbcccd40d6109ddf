// Prepared statements on whatever connection is free, prepared there when they first run. Some failures are
// not the statement's own and come before it has done anything: then it runs again.

import { DatabaseError, type Prepared } from "./database.js";
import { ServerError } from "./errors.js";
import { runBytes } from "./statements.js";
import type { Connection } from "./wire/connection.js";

const MOST_ATTEMPTS = 4;

/** Lends a connection for a piece of work. */
export type Use = <Result>(
  work: (connection: Connection) => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

export function prepareOn(sql: string, use: Use): Prepared {
  return {
    execute: async (parameters, signal) => {
      for (let attempt = 1; ; attempt++) {
        let isMishap = false;
        try {
          return await use(async (connection) => {
            try {
              return await runBytes(connection, { sql, parameters }, signal);
            } catch (error) {
              isMishap = !signal?.aborted && clearMishap(error, sql, connection);
              throw error;
            }
          }, signal);
        } catch (error) {
          if (!isMishap || attempt >= MOST_ATTEMPTS) throw error;
        }
      }
    },
  };
}

/** Whether the statement did not get to run for a reason that is not its own, which is then out of the way. */
function clearMishap(error: unknown, sql: string, connection: Connection): boolean {
  if (!(error instanceof DatabaseError) || !(error.cause instanceof ServerError)) return false;
  const { sqlState, routine, message } = error.cause;
  // The statement in front of this one should have prepared it and failed, or somebody dropped it.
  if (sqlState === "26000") {
    connection.statements.delete(sql);
    return true;
  }
  // "Cached plan must not change result type": the tables have changed since it was prepared.
  if (sqlState === "0A000" && routine === "RevalidateCachedQuery") {
    connection.forgetStatement(sql);
    return true;
  }
  // A cancellation that was meant for the statement in front.
  return sqlState === "57014" && connection.wasCancelledLately && !message.includes("timeout");
}
