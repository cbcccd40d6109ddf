// Prepared statements on whatever connection is free, prepared there when they first run. Some failures are
// not the statement's own and come before it has done anything: then it runs again.

import type { CancelSignal, Prepared } from "./database.js";
import { cancelled } from "./errors.js";
import type { Pool } from "./pool.js";
import { clearMishap, MOST_ATTEMPTS } from "./retry.js";
import { runBytes, runStream } from "./statements.js";
import type { Connection } from "./wire/connection.js";
import { RowStream } from "./wire/row-stream.js";
import type { Statement } from "./wire/tasks.js";

/** Lends connections: its own to each, or one to many at once. */
export interface Lender {
  acquire(signal?: CancelSignal): Connection | Promise<Connection>;
  release(connection: Connection): void;
}

export interface Lenders {
  /** For runs that wait for all their rows: whoever can run them soonest. */
  readonly chooseLender: () => Lender;
  /** For streams: a slow reader would hold up whoever shares its connection. */
  readonly pool: Pool;
}

export function prepareOn(sql: string, { chooseLender, pool }: Lenders): Prepared {
  return {
    execute: (parameters, signal) => execute(chooseLender, { sql, parameters }, signal),
    stream: (parameters, signal) => stream(pool, { sql, parameters }, signal),
  };
}

async function execute(
  chooseLender: () => Lender,
  statement: Statement,
  signal: CancelSignal | undefined,
): Promise<readonly Uint8Array[]> {
  for (let attempt = 1; ; attempt++) {
    const lender = chooseLender();
    const lent = lender.acquire(signal);
    // A lane has its connections at hand, and waiting for nothing costs a turn.
    const connection = lent instanceof Promise ? await lent : lent;
    try {
      return await runBytes(connection, statement, signal);
    } catch (error) {
      const isMishap = !signal?.aborted && clearMishap(error, [statement.sql], connection);
      if (!isMishap || attempt >= MOST_ATTEMPTS) throw error;
    } finally {
      lender.release(connection);
    }
  }
}

/** The connection goes back when the server is done, whether or not the reader has come to the end by then. */
async function* stream(
  pool: Pool,
  statement: Statement,
  signal: CancelSignal | undefined,
): AsyncGenerator<readonly Uint8Array[], void, void> {
  let isDelivered = false;
  for (let attempt = 1; ; attempt++) {
    let isMishap = false;
    const rows = new RowStream(statement);
    const work = async (connection: Connection) => {
      try {
        await runStream(connection, rows, signal);
      } catch (error) {
        isMishap = !signal?.aborted && clearMishap(error, [statement.sql], connection);
        throw error;
      }
    };
    const given = pool.use(work, signal).then(
      () => rows.end(undefined),
      (failure) => rows.end(failure),
    );
    try {
      for (let batch = await rows.take(); batch !== undefined; batch = await rows.take()) {
        // The server may have been done before; the reader is not to be kept beyond its time.
        if (signal?.aborted) throw cancelled();
        isDelivered = true;
        yield batch;
      }
      return;
    } catch (error) {
      if (!isMishap || isDelivered || attempt >= MOST_ATTEMPTS) throw error;
    } finally {
      rows.leave();
      await given;
    }
  }
}
