// What can be asked of one connection, as promises that can be cancelled.

import type { BatchOutcome, CancelSignal, Parameter, Row, RunOptions } from "./database.js";
import { cancelled } from "./errors.js";
import { encodeParameters } from "./values.js";
import { type Batch, BatchTask } from "./wire/batch.js";
import type { Connection, Task } from "./wire/connection.js";
import { type Chunks, CopyTask } from "./wire/copy.js";
import type { RowStream } from "./wire/row-stream.js";
import {
  BytesTask,
  closeCursorTask,
  fetchTask,
  newCursor,
  type Outcome,
  openCursorTask,
  type Rows,
  rowsTask,
  type Statement,
  simpleTask,
} from "./wire/tasks.js";

const PART_ROWS = 1000;

export interface Question {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly options: RunOptions;
}

export function runRows(connection: Connection, { sql, parameters, options }: Question): Promise<Rows> {
  const statement = { sql, parameters: encodeParameters(parameters) };
  return run(connection, (outcome) => rowsTask(statement, outcome), options.signal);
}

/** Gives the server's word for the last statement. */
export async function runSimple(connection: Connection, sql: string, signal?: CancelSignal): Promise<string> {
  const { command } = await run<Rows>(connection, (outcome) => simpleTask(sql, outcome), signal);
  return command;
}

export function runBytes(
  connection: Connection,
  statement: Statement,
  signal?: CancelSignal,
): Promise<readonly Uint8Array[]> {
  return run(connection, (outcome) => new BytesTask(statement, outcome), signal);
}

/** One attempt; what the server refuses is data. */
export function runBatch(connection: Connection, batch: Batch, signal?: CancelSignal): Promise<BatchOutcome> {
  return run(connection, (outcome) => new BatchTask(batch, outcome), signal);
}

/** Ends with the statement; the rows are taken from the stream meanwhile. */
export function runStream(connection: Connection, stream: RowStream, signal?: CancelSignal): Promise<void> {
  return run(connection, (outcome) => stream.startTask(outcome), signal);
}

export interface Copy {
  readonly sql: string;
  readonly chunks: Chunks;
  readonly options: RunOptions;
}

export function runCopy(connection: Connection, { sql, chunks, options }: Copy): Promise<void> {
  return run(connection, (outcome) => new CopyTask(sql, chunks, outcome), options.signal);
}

let cursorCount = 0;

/** Only inside a transaction: the cursor lives as long as that. */
export async function* readCursor(
  connection: Connection,
  { sql, parameters, options }: Question,
): AsyncGenerator<readonly Row[], void, void> {
  const cursor = newCursor(`c${++cursorCount}`, PART_ROWS);
  const statement = { sql, parameters: encodeParameters(parameters) };
  let part = await run<Rows>(
    connection,
    (outcome) => openCursorTask(cursor, statement, outcome),
    options.signal,
  );
  try {
    while (part.isSuspended) {
      yield part.rows;
      part = await run<Rows>(connection, (outcome) => fetchTask(cursor, outcome), options.signal);
    }
    if (part.rows.length > 0) yield part.rows;
  } finally {
    // After a failure the transaction is lost, and the cursor with it.
    if (!connection.isLost)
      await run<Rows>(connection, (outcome) => closeCursorTask(cursor, outcome)).catch(() => {});
  }
}

function run<Result>(
  connection: Connection,
  makeTask: (outcome: Outcome<Result>) => Task,
  signal?: CancelSignal,
): Promise<Result> {
  if (signal === undefined) {
    return new Promise((resolve, reject) => connection.run(makeTask({ resolve, reject })));
  }
  if (signal.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const onAbort = () => connection.cancel(task);
    const task = makeTask({
      resolve: (result) => {
        signal.removeEventListener("abort", onAbort);
        resolve(result);
      },
      reject: (failure) => {
        signal.removeEventListener("abort", onAbort);
        reject(failure);
      },
    });
    signal.addEventListener("abort", onAbort);
    connection.run(task);
  });
}
