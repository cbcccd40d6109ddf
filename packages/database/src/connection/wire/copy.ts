// COPY … FROM STDIN: takes a chunk from its source when the one before it is on its way.

import { noCopyStatement } from "../errors.js";
import type { Connection, Task } from "./connection.js";
import { type MessageWriter, writeCopyData, writeCopyDone, writeCopyFail, writeQuery } from "./messages.js";
import { MESSAGE } from "./reader.js";
import type { Outcome } from "./tasks.js";

export type Chunks = AsyncIterable<string | Uint8Array>;

export class CopyTask implements Task {
  readonly isAlone = true;
  readonly #sql: string;
  readonly #chunks: Chunks;
  readonly #outcome: Outcome<void>;
  #connection: Connection | undefined;
  #isStarted = false;
  #isOver = false;
  #stop: () => void = () => {};
  #sourceFailure: { readonly error: unknown } | undefined;

  constructor(sql: string, chunks: Chunks, outcome: Outcome<void>) {
    this.#sql = sql;
    this.#chunks = chunks;
    this.#outcome = outcome;
  }

  send(writer: MessageWriter, connection: Connection): void {
    this.#connection = connection;
    writeQuery(writer, this.#sql);
  }

  receive(type: number): void {
    if (type !== MESSAGE.copyIn || this.#isStarted) return;
    this.#isStarted = true;
    void this.#pump();
  }

  refused(): void {
    this.#end();
  }

  /** While the server waits for data it does not listen to a cancellation. */
  cancelled(): void {
    if (this.#isOver) return;
    this.#end();
    void this.#connection?.sendMore((writer) => writeCopyFail(writer, "cancelled"));
  }

  settle(failure: unknown): void {
    this.#end();
    if (this.#sourceFailure !== undefined) this.#outcome.reject(this.#sourceFailure.error);
    else if (failure !== undefined) this.#outcome.reject(failure);
    else if (!this.#isStarted) this.#outcome.reject(noCopyStatement());
    else this.#outcome.resolve();
  }

  /** The source may be in the middle of a long wait; the server's answer does not wait for it. */
  #end(): void {
    this.#isOver = true;
    this.#stop();
  }

  async #pump(): Promise<void> {
    const source = this.#chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#next(source);
        if (next === undefined) return leave(source);
        if (next.done) break;
        const chunk = typeof next.value === "string" ? Buffer.from(next.value) : next.value;
        await this.#connection?.sendMore((writer) => writeCopyData(writer, chunk));
      }
      await this.#connection?.sendMore(writeCopyDone);
    } catch (error) {
      if (this.#isOver) return;
      this.#sourceFailure = { error };
      await this.#connection?.sendMore((writer) => writeCopyFail(writer, "the source of the data failed"));
    }
  }

  /** The next chunk, or undefined when there is no more use for it. */
  #next(
    source: AsyncIterator<string | Uint8Array>,
  ): Promise<IteratorResult<string | Uint8Array> | undefined> {
    return new Promise((resolve, reject) => {
      this.#stop = () => resolve(undefined);
      if (this.#isOver) return this.#stop();
      source.next().then(resolve, reject);
    });
  }
}

/** Lets the source clean up, without waiting for it: it may never come to it. */
function leave(source: AsyncIterator<unknown>): void {
  Promise.resolve(source.return?.()).catch(() => {});
}
