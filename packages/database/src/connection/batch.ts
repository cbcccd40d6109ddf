// Batches outside a transaction: they are one of their own, and so can be tried again as a whole.

import type { BatchOptions, BatchOutcome, BatchStatement, CancelSignal } from "./database.js";
import type { Lender } from "./prepared.js";
import { clearMishap, DEFAULT_RETRIES, isCollision, MOST_ATTEMPTS, pauseAfter } from "./retry.js";
import { runBatch } from "./statements.js";
import type { Connection } from "./wire/connection.js";

export async function runBatchAlone(
  lender: Lender,
  statements: readonly BatchStatement[],
  { signal, retries = DEFAULT_RETRIES }: BatchOptions = {},
): Promise<BatchOutcome> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await runOnce(lender, statements, signal);
    if (attempt >= retries || !isCollision(outcome.failure)) return outcome;
    await pauseAfter(attempt);
  }
}

async function runOnce(
  lender: Lender,
  statements: readonly BatchStatement[],
  signal: CancelSignal | undefined,
): Promise<BatchOutcome> {
  const lent = lender.acquire(signal);
  const connection = lent instanceof Promise ? await lent : lent;
  try {
    return await runOn(connection, statements, signal);
  } finally {
    lender.release(connection);
  }
}

/** Again after a mishap: nothing of the batch was kept. */
async function runOn(
  connection: Connection,
  statements: readonly BatchStatement[],
  signal: CancelSignal | undefined,
): Promise<BatchOutcome> {
  for (let attempt = 1; ; attempt++) {
    const answer = runBatch(connection, { statements, isCommitted: true }, signal);
    const failure = await answer.then(
      (outcome) => outcome.failure,
      (error: unknown) => error,
    );
    if (failure === null || signal?.aborted || attempt >= MOST_ATTEMPTS) return answer;
    const sqls = statements.map((statement) => statement.sql);
    if (!clearMishap(failure, sqls, connection)) return answer;
  }
}
