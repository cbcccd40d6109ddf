// Sessions and counts of attempts that are over are deleted now and then, by those who log in. Nobody waits for it.

import type { Database } from "@stoa/database";
import type { Log } from "../http/index.js";
import { CLEANING, isWholeBatch } from "./login-statements.js";

const PAUSE_MS = 60_000;

export function createCleaner(database: Database, log: Log): () => void {
  let nextAt = 0;
  return () => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + PAUSE_MS;
    clean(database).then(
      (isMoreLeft) => {
        if (isMoreLeft) nextAt = 0;
      },
      (error: unknown) => log.debug("old sessions could not be deleted", { error }),
    );
  };
}

/** Whether there may be more to delete. */
export async function clean(database: Database): Promise<boolean> {
  const { rows, failure } = await database.batch(CLEANING.map((sql) => ({ sql, parameters: [] })));
  if (failure !== null) throw failure;
  return rows.some(([count]) => isWholeBatch(Number(Buffer.from(count ?? []).toString())));
}
