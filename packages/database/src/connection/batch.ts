// Batches outside a transaction: they are one of their own, and so can be tried again as a whole.

import type { BatchOptions, BatchOutcome, BatchStatement, CancelSignal } from "./database.js";
import type { Lender } from "./prepared.js";
import { clearMishap, DEFAULT_RETRIES, isCollision, MOST_ATTEMPTS, pauseAfter } from "./retry.js";
import { runBatch } from "./statements.js";
import type { Turns } from "./turns.js";
import type { Connection } from "./wire/connection.js";

export async function runBatchAlone(
  lender: Lender,
  statements: readonly BatchStatement[],
  { signal, retries = DEFAULT_RETRIES, turns }: BatchOptions & { readonly turns: Turns },
): Promise<BatchOutcome> {
  // Long, and seldom asked for.
  const key = () => statements.map(({ sql }) => sql).join(";");
  const first = await runOnce(lender, statements, { signal, isHeldBack: () => turns.isNeeded(key) });
  if (first !== null && (retries === 0 || !isCollision(first.failure))) return first;
  return turns.inLine(key(), async () => {
    for (let attempt = first === null ? 0 : 1; ; attempt++) {
      if (attempt > 0) await pauseAfter(attempt - 1);
      const again = () => runOnce(lender, statements, { signal, isHeldBack: () => false });
      const outcome = await turns.take(again);
      if (outcome !== null && (attempt >= retries || !isCollision(outcome.failure))) return outcome;
    }
  });
}

interface OnceOptions {
  readonly signal: CancelSignal | undefined;
  readonly isHeldBack: () => boolean;
}

/** Null if it was held back: others may have collided while it waited for a connection. */
async function runOnce(
  lender: Lender,
  statements: readonly BatchStatement[],
  { signal, isHeldBack }: OnceOptions,
): Promise<BatchOutcome | null> {
  const lent = lender.acquire(signal);
  const connection = lent instanceof Promise ? await lent : lent;
  try {
    return isHeldBack() ? null : await runOn(connection, statements, signal);
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
