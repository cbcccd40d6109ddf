// Transactions: all or nothing, and again when the server had to break one of two that were in each other's
// way. The handle given to the work dies with the transaction.

import {
  type BatchOutcome,
  DatabaseError,
  type Queryable,
  type Row,
  type TransactionOptions,
} from "./database.js";
import { outcomeUnknown, ServerError, transactionOver, transactionUndone } from "./errors.js";
import type { Pool } from "./pool.js";
import { clearMishap, DEFAULT_RETRIES, isCollision, isStale, pauseAfter } from "./retry.js";
import { type Question, readCursor, runBatch, runCopy, runRows, runSimple } from "./statements.js";
import type { Turns } from "./turns.js";
import type { Connection } from "./wire/connection.js";

export type Work<Result> = (transaction: Queryable) => Promise<Result>;

export async function runTransaction<Result>(
  pool: Pool,
  work: Work<Result>,
  options: TransactionOptions & { readonly turns: Turns },
): Promise<Result> {
  const { retries = DEFAULT_RETRIES, turns, signal, name = "" } = options;
  const run = (isHeldBack: () => boolean) =>
    pool.use(async (connection) => {
      if (isHeldBack()) return { kind: "held back" } as const;
      return attemptOf(() => runOn(connection, work, options));
    }, signal);
  const first = await run(() => name !== "" && turns.isNeeded(() => name));
  if (first.kind === "done") return first.result;
  if (first.kind === "collided" && retries === 0) throw first.error;
  return turns.inLine(name, async () => {
    for (let attempt = first.kind === "collided" ? 1 : 0; ; attempt++) {
      if (attempt > 0) await pauseAfter(attempt - 1);
      const again = await turns.take(() => run(() => false));
      if (again.kind === "done") return again.result;
      if (again.kind === "collided" && attempt >= retries) throw again.error;
    }
  });
}

type Attempt<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "collided"; readonly error: unknown };

/** What is worth another attempt is data; anything else is thrown. */
async function attemptOf<Result>(run: () => Promise<Result>): Promise<Attempt<Result>> {
  try {
    return { kind: "done", result: await run() };
  } catch (error) {
    if (!isCollision(error) && !isStale(error)) throw error;
    return { kind: "collided", error };
  }
}

async function runOn<Result>(
  connection: Connection,
  work: Work<Result>,
  { isolation = "read committed", signal }: TransactionOptions,
): Promise<Result> {
  const scope = new Scope(connection, signal);
  // Not awaited: it leaves together with the first statement.
  const begun = runSimple(connection, `begin isolation level ${isolation}`);
  begun.catch(() => {});
  try {
    const result = await work(scope);
    // What comes from now on would be sent behind the commit, and be kept by itself.
    scope.isOver = true;
    await begun;
    const command = await commit(connection, signal);
    // The server answers a commit of a broken transaction politely, and rolls back.
    if (command !== "COMMIT") throw scope.failure ?? transactionUndone(undefined);
    return result;
  } catch (error) {
    scope.isOver = true;
    if (!connection.isLost) await runSimple(connection, "rollback").catch(() => {});
    throw await reasonOf(scope.rootOf(error), begun);
  } finally {
    scope.isOver = true;
  }
}

async function commit(connection: Connection, signal: AbortSignal | undefined): Promise<string> {
  // Without a connection there is nobody to ask.
  const wasLost = connection.isLost;
  try {
    return await runSimple(connection, "commit", signal);
  } catch (error) {
    const reason = error instanceof DatabaseError ? error.cause : undefined;
    const isRefused = reason instanceof ServerError && !reason.isFatal;
    if (wasLost || isRefused || !connection.isLost || connection.hasUnsent) throw error;
    throw outcomeUnknown(error);
  }
}

/** What failed is what the caller should see, and a transaction that never began is why the rest failed. */
async function reasonOf(error: unknown, begun: Promise<unknown>): Promise<unknown> {
  return begun.then(
    () => error,
    (reason: unknown) => reason,
  );
}

const IN_FAILED_TRANSACTION = "25P02";

class Scope implements Queryable {
  readonly #connection: Connection;
  readonly #signal: AbortSignal | undefined;
  /** The first failure of a statement; PostgreSQL refuses all later ones because of it. */
  failure: unknown;
  isOver = false;

  constructor(connection: Connection, signal: AbortSignal | undefined) {
    this.#connection = connection;
    this.#signal = signal;
  }

  /**
   * What a failure comes from. Work may have caught the first failure and gone on; what it says then is of no
   * interest if that was a collision, after which it runs again, or if it only says that nothing goes any more.
   */
  rootOf(error: unknown): unknown {
    const isSequel = error instanceof DatabaseError && error.sqlState === IN_FAILED_TRANSACTION;
    return this.failure !== undefined && (isSequel || isCollision(this.failure)) ? this.failure : error;
  }

  async query<R extends Row>(...[sql, parameters = [], options = {}]: QueryArguments): Promise<readonly R[]> {
    const question = this.#question({ sql, parameters, options });
    const { rows } = await this.#guard(() => runRows(this.#connection, question));
    return rows as readonly R[];
  }

  async execute(...[sql, options = {}]: Parameters<Queryable["execute"]>): Promise<void> {
    const { options: all } = this.#question({ sql, parameters: [], options });
    await this.#guard(() => runSimple(this.#connection, sql, all.signal));
  }

  async *stream<R extends Row>(
    ...[sql, parameters = [], options = {}]: QueryArguments
  ): AsyncGenerator<readonly R[]> {
    const question = this.#question({ sql, parameters, options });
    const parts = readCursor(this.#connection, question);
    try {
      for (;;) {
        const part = await this.#guard(() => parts.next());
        if (part.done) return;
        yield part.value as readonly R[];
      }
    } finally {
      if (!this.isOver) await parts.return();
    }
  }

  async copyFrom(...[sql, chunks, options = {}]: Parameters<Queryable["copyFrom"]>): Promise<void> {
    const { options: all } = this.#question({ sql, parameters: [], options });
    await this.#guard(() => runCopy(this.#connection, { sql, chunks, options: all }));
  }

  async batch(...[statements, options = {}]: Parameters<Queryable["batch"]>): Promise<BatchOutcome> {
    const batch = { statements, isCommitted: false };
    const signal = this.#signalOf(options.signal);
    const outcome = await this.#guard(() => runBatch(this.#connection, batch, signal));
    if (outcome.failure === null) return outcome;
    this.failure ??= outcome.failure;
    // Too late for this transaction, but not for the next one.
    clearMishap(
      outcome.failure,
      statements.map((statement) => statement.sql),
      this.#connection,
    );
    return outcome;
  }

  #question(question: Question): Question {
    const signal = this.#signalOf(question.options.signal);
    return signal === undefined ? question : { ...question, options: { signal } };
  }

  #signalOf(own: AbortSignal | undefined): AbortSignal | undefined {
    if (own === undefined || this.#signal === undefined) return own ?? this.#signal;
    return AbortSignal.any([this.#signal, own]);
  }

  async #guard<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.isOver) throw transactionOver();
    try {
      return await work();
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}

type QueryArguments = Parameters<Queryable["query"]>;
