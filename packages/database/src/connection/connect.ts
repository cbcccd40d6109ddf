// The database as the rest of Stoa sees it: a pool for queries and transactions, and two lanes of shared connections
// for the prepared statements of requests.

import { runBatchAlone } from "./batch.js";
import { type ConnectOptions, resolveTarget } from "./connect-options.js";
import type { Database, Row } from "./database.js";
import { Lane } from "./lane.js";
import { Connector, Pool } from "./pool.js";
import { prepareOn } from "./prepared.js";
import { type Question, readCursor, runCopy, runRows, runSimple } from "./statements.js";
import { runTransaction } from "./transaction.js";
import { Turns } from "./turns.js";

/** Of quick statements one connection carries thousands per second; others want as many as the server has cores. */
const QUICK_LANE_SIZE = 2;
const WIDE_LANE_SIZE = 8;

/** Opens nothing yet: connections are made when they are needed. Throws where the options make no sense. */
export function connect(options: ConnectOptions): Database {
  const target = resolveTarget(options);
  const connector = new Connector(target);
  const pool = new Pool(connector, target.poolSize);
  const quickLane = new Lane(connector, QUICK_LANE_SIZE);
  const wideLane = new Lane(connector, Math.min(WIDE_LANE_SIZE, target.poolSize));
  const turns = new Turns();
  return {
    query: async <R extends Row>(...[sql, parameters = [], options = {}]: Parameters<Database["query"]>) => {
      const question = { sql, parameters, options };
      const { rows } = await pool.use((connection) => runRows(connection, question), options.signal);
      return rows as readonly R[];
    },
    execute: async (sql, { signal } = {}) => {
      await pool.use((connection) => runSimple(connection, sql, signal), signal);
    },
    stream: <R extends Row>(...[sql, parameters = [], options = {}]: Parameters<Database["stream"]>) =>
      streamAlone<R>(pool, { sql, parameters, options }),
    copyFrom: (sql, chunks, options = {}) =>
      pool.use((connection) => runCopy(connection, { sql, chunks, options }), options.signal),
    batch: (statements, options) =>
      runBatchAlone(options?.isShared && !wideLane.isStuck ? wideLane : pool, statements, {
        ...options,
        turns,
      }),
    transaction: (work, options) => runTransaction(pool, work, { ...options, turns }),
    prepare: (sql, { isPipelined = true, isQuick = true } = {}) => {
      const lane = isQuick ? quickLane : wideLane;
      return prepareOn(sql, { chooseLender: () => (isPipelined && !lane.isStuck ? lane : pool), pool });
    },
    close: async () => {
      await Promise.all([pool.close(), quickLane.close(), wideLane.close()]);
    },
  };
}

/** A cursor needs a transaction, which lasts as long as somebody reads. */
async function* streamAlone<R extends Row>(pool: Pool, question: Question): AsyncGenerator<readonly R[]> {
  const connection = await pool.acquire(question.options.signal);
  let isComplete = false;
  try {
    await runSimple(connection, "begin");
    for await (const rows of readCursor(connection, question)) yield rows as readonly R[];
    await runSimple(connection, "commit");
    isComplete = true;
  } finally {
    if (!isComplete && !connection.isLost) await runSimple(connection, "rollback").catch(() => {});
    pool.release(connection);
  }
}
