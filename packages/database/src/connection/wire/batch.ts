// Several prepared statements in one exchange, with one "sync" at the end: to the server they are one transaction
// where they are not inside another, and the first failure ends them all.

import { type BatchOutcome, DatabaseError } from "../database.js";
import { copyNotExpected, outcomeUnknown, ServerError } from "../errors.js";
import type { Connection, Task } from "./connection.js";
import { type MessageWriter, writeSync } from "./messages.js";
import { MESSAGE, type Message, readFirstColumn } from "./reader.js";
import { type Outcome, refuseCopy, type Statement, writeStep } from "./tasks.js";

export interface Batch {
  readonly statements: readonly Statement[];
  /** Whether its end is that of the transaction, too. */
  readonly isCommitted: boolean;
}

/** Known beforehand, because COPY TO succeeds, and all would be kept by the time we hear of it. */
const COPY = /^(?:\s|--.*\n|\/\*[^*]*\*\/)*copy\b/i;
/** A cancellation that comes while the server turns from one message to the next is lost. */
const CANCEL_AGAIN_MS = 200;

export class BatchTask implements Task {
  readonly isAlone = false;
  readonly #batch: Batch;
  readonly #outcome: Outcome<BatchOutcome>;
  readonly #rows: Uint8Array[][] = [];
  #current: Uint8Array[] = [];
  #connection: Connection | undefined;
  /** Texts that the server is asked to prepare, in order, and how many of them it has come to. */
  readonly #parsing: string[] = [];
  #parsed = 0;
  #isCopy = false;
  #again: NodeJS.Timeout | undefined;

  constructor(batch: Batch, outcome: Outcome<BatchOutcome>) {
    this.#batch = batch;
    this.#outcome = outcome;
  }

  send(writer: MessageWriter, connection: Connection): void {
    this.#connection = connection;
    for (const statement of this.#batch.statements) {
      if (!connection.statements.has(statement.sql)) {
        if (COPY.test(statement.sql)) throw copyNotExpected();
        this.#parsing.push(statement.sql);
      }
      writeStep(writer, connection, statement);
    }
    writeSync(writer);
  }

  receive(type: number, message: Message): void {
    if (type === MESSAGE.dataRow) this.#current.push(readFirstColumn(message));
    else if (type === MESSAGE.commandComplete || type === MESSAGE.emptyQuery) {
      this.#rows.push(this.#current);
      this.#current = [];
    } else if (type === MESSAGE.parseComplete) this.#parsed++;
    else if (type === MESSAGE.copyIn) this.#refuseCopy();
  }

  cancelled(): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#connection?.cancel(this), CANCEL_AGAIN_MS);
  }

  settle(failure: unknown): void {
    clearTimeout(this.#again);
    // The server skips all behind a failure; what it has not come to is not prepared.
    for (const sql of this.#parsing.slice(this.#parsed)) this.#connection?.statements.delete(sql);
    if (failure === undefined) this.#outcome.resolve({ rows: this.#rows, failure: null });
    else if (this.#isCopy) this.#outcome.reject(copyNotExpected());
    else if (isRefusal(failure)) this.#outcome.resolve({ rows: this.#rows, failure });
    else this.#outcome.reject(this.#isInDoubt(failure) ? outcomeUnknown(failure) : failure);
  }

  /** The last one has swallowed our "sync"; with any other the server stumbles over what comes behind it. */
  #refuseCopy(): void {
    this.#isCopy = true;
    const isLast = this.#rows.length === this.#batch.statements.length - 1;
    if (isLast && this.#connection !== undefined) refuseCopy(this.#connection, true);
  }

  /** Whether it may have been committed without our knowing. */
  #isInDoubt(failure: unknown): boolean {
    const connection = this.#connection;
    if (!this.#batch.isCommitted || connection === undefined) return false;
    if (!connection.isLost || connection.hasUnsent) return false;
    const reason = failure instanceof DatabaseError ? failure.cause : undefined;
    if (!(reason instanceof ServerError)) return true;
    // The server hung up: in the middle of a statement, or maybe after the commit.
    return reason.isFatal && this.#rows.length === this.#batch.statements.length;
  }
}

/** The server's no to a statement, or to keeping them all: after it nothing of the batch is left. */
function isRefusal(failure: unknown): failure is DatabaseError {
  if (!(failure instanceof DatabaseError) || !(failure.cause instanceof ServerError)) return false;
  return !failure.cause.isFatal && failure.kind !== "cancelled";
}
