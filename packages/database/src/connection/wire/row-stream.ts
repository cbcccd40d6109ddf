// A prepared statement whose rows are taken while they come. One side is the exchange with the server, the
// other the reader; when the reader is behind, nothing is taken from the network, and so the server waits.

import { DatabaseError } from "../database.js";
import { cancelled, copyNotExpected } from "../errors.js";
import type { Connection, Task } from "./connection.js";
import type { MessageWriter } from "./messages.js";
import { MESSAGE, type Message, readFirstColumn } from "./reader.js";
import { type Outcome, refuseCopy, type Statement, writePrepared } from "./tasks.js";

/** So much may wait for the reader, and what one more read from the network brings. */
const MOST_WAITING_BYTES = 262_144;
/** A connection is cheaper than waiting longer for a statement that nobody wants any more. */
const LEAVE_PATIENCE_MS = 2000;

export class RowStream implements Task {
  readonly isAlone = true;
  readonly #statement: Statement;
  #outcome: Outcome<void> | undefined;
  #connection: Connection | undefined;
  #isParsing = false;
  #isCopy = false;
  #isPaused = false;
  #isCancelled = false;
  #patience: NodeJS.Timeout | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #ended: { readonly failure: unknown } | undefined;
  #wakeReader: () => void = () => {};

  constructor(statement: Statement) {
    this.#statement = statement;
  }

  /** All rows that wait, as soon as there are some; undefined when there are no more. For one reader. */
  async take(): Promise<readonly Uint8Array[] | undefined> {
    // Rows that were announced may have been dropped again before their reader came to them.
    while (this.#waiting.length === 0 && this.#ended === undefined) await this.#news();
    if (this.#ended?.failure !== undefined) throw this.#ended.failure;
    if (this.#waiting.length === 0) return undefined;
    const rows = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#resume();
    return rows;
  }

  /** The reader wants no more. */
  leave(): void {
    this.#connection?.cancel(this);
  }

  /** There will be no more rows. A failure is heard at once: rows that wait are of no use to anybody then. */
  end(failure: unknown): void {
    this.#ended = { failure };
    this.#wakeReader();
  }

  startTask(outcome: Outcome<void>): Task {
    this.#outcome = outcome;
    return this;
  }

  send(writer: MessageWriter, connection: Connection): void {
    this.#connection = connection;
    this.#isParsing = !connection.statements.has(this.#statement.sql);
    writePrepared(writer, connection, this.#statement);
  }

  receive(type: number, message: Message): void {
    if (type === MESSAGE.dataRow) this.#add(message);
    else if (type === MESSAGE.parseComplete) this.#isParsing = false;
    else if (type === MESSAGE.copyIn && this.#connection !== undefined) {
      this.#isCopy = true;
      refuseCopy(this.#connection, true);
    }
  }

  /** The server does not hear of it while it waits for us to read, so the rest is read and dropped. */
  cancelled(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#waiting = [];
    this.#patience = setTimeout(() => this.#giveUp(), LEAVE_PATIENCE_MS);
    this.#resume();
  }

  settle(failure: unknown): void {
    clearTimeout(this.#patience);
    if (this.#isParsing) this.#connection?.statements.delete(this.#statement.sql);
    // The rest of a result may fill the buffer and end it at once; whoever is next wants to read.
    this.#resume();
    if (this.#isCancelled) this.#outcome?.reject(asCancelled(failure));
    else if (failure === undefined) this.#outcome?.resolve();
    else this.#outcome?.reject(this.#isCopy ? copyNotExpected() : failure);
  }

  #add(message: Message): void {
    if (this.#isCancelled) return;
    this.#waiting.push(readFirstColumn(message));
    this.#waitingBytes += message.end - message.start;
    if (this.#waiting.length === 1) this.#wakeReader();
    if (this.#waitingBytes > MOST_WAITING_BYTES && !this.#isPaused) {
      this.#isPaused = true;
      this.#connection?.pauseReading();
    }
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#connection?.resumeReading();
  }

  /** Without waiting for the cancellation, which may never get through. */
  #giveUp(): void {
    this.#connection?.destroy();
    this.#outcome?.reject(cancelled());
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeReader = resolve;
    });
  }
}

/** Also where the statement came to its end before the server heard of it, or took the connection with it. */
function asCancelled(failure: unknown): DatabaseError {
  return failure instanceof DatabaseError && failure.kind === "cancelled" ? failure : cancelled();
}
