// One connection to the server. Tasks are sent in order, without waiting for the answers to the ones before
// (the server answers in order, too), and what is written during one turn of the event loop leaves in one
// piece. A connection that is lost stays lost: whoever needs one opens another.

import type { Socket } from "node:net";
import type { Target } from "../connect-options.js";
import { DatabaseError } from "../database.js";
import { cancelled, connectionLost, fromServer, ServerError } from "../errors.js";
import { requestCancel } from "./cancel.js";
import { type BackendKey, MessageWriter, writeClose, writeTerminate } from "./messages.js";
import { MESSAGE, type Message, MessageReader, readErrorFields } from "./reader.js";

/** One exchange with the server, from its first message to the server's "ready". */
export interface Task {
  /** Nothing is sent behind it before it is done. */
  readonly isAlone: boolean;
  send(writer: MessageWriter, connection: Connection): void;
  receive(type: number, message: Message): void;
  /** The server has refused; `settle` follows. */
  refused?(): void;
  /** The server is asked to cancel it; there may be more to do. */
  cancelled?(): void;
  /** Called once, whatever happens. */
  settle(failure: unknown): void;
}

const NO_TRANSACTION = 73; // I
const FLUSH_BYTES = 65_536;
const END_PATIENCE_MS = 2000;
/** A server that says nothing for so long after a cancellation is not there any more, whatever the network says. */
const SILENCE_MS = 5000;
const CANCEL_AGAIN_MS = 250;
/** A statement that says nothing for so long is no quick one. */
const STUCK_MS = 20;

export class Connection {
  readonly target: Target;
  /** Names of the statements that are prepared here, by their text. */
  readonly statements = new Map<string, string>();
  readonly #socket: Socket;
  readonly #reader: MessageReader;
  readonly #writer = new MessageWriter();
  readonly #sent: Task[] = [];
  #held: Task[] = [];
  readonly #cancelled = new Set<Task>();
  #cancelling: Promise<void> | undefined;
  #lastCancelAt = Number.NEGATIVE_INFINITY;
  #key: BackendKey | undefined;
  #failure: unknown;
  #loss: DatabaseError | undefined;
  #socketError: unknown;
  /** When something came from the server, or when it was last given something to do after it had nothing. */
  #lastMovedAt = 0;
  #isFlushDue = false;
  #statementCount = 0;
  #transactionStatus = NO_TRANSACTION;
  #onLost: () => void = () => {};

  constructor(socket: Socket, target: Target) {
    this.target = target;
    this.#socket = socket;
    this.#reader = new MessageReader((type, message) => this.#receive(type, message));
    socket.on("data", (chunk: Buffer) => {
      this.#lastMovedAt = performance.now();
      this.#reader.feed(chunk);
    });
    socket.on("error", (error) => {
      this.#socketError = error;
    });
    socket.on("close", () => this.#lose());
    socket.resume();
  }

  /** How many tasks are under way or wait. */
  get load(): number {
    return this.#sent.length + this.#held.length;
  }

  /** Whether what comes next would have to wait for something slow. */
  get isStuck(): boolean {
    return this.#sent.length > 0 && performance.now() - this.#lastMovedAt > STUCK_MS;
  }

  get isLost(): boolean {
    return this.#loss !== undefined || this.#socket.destroyed;
  }

  /** Whether the last that was asked of it has not left yet, and will not if the connection is lost. */
  get hasUnsent(): boolean {
    return this.#writer.pending > 0;
  }

  /** Whether the server is neither in a transaction nor in the remains of one. */
  get isClean(): boolean {
    return this.#transactionStatus === NO_TRANSACTION;
  }

  /** A cancellation may hit the statement after the one it was meant for; this tells whether it can have. */
  get wasCancelledLately(): boolean {
    return performance.now() - this.#lastCancelAt < 1000;
  }

  onLost(action: () => void): void {
    this.#onLost = action;
  }

  run(task: Task): void {
    if (this.isLost) task.settle(this.#loss ?? connectionLost(this.#socketError));
    else if (this.#held.length > 0 || this.#sent.at(-1)?.isAlone) this.#held.push(task);
    else this.#send(task);
  }

  /** Ends a task early. Where it is already running, the server is asked, and has the last word. */
  cancel(task: Task): void {
    if (this.#held.includes(task)) {
      this.#held = this.#held.filter((each) => each !== task);
      task.settle(cancelled());
    } else if (this.#sent.includes(task)) {
      this.#cancelled.add(task);
      task.cancelled?.();
      if (this.#sent[0] === task) this.#sendCancel();
    }
  }

  nameStatement(sql: string): string {
    const name = `s${++this.#statementCount}`;
    this.statements.set(sql, name);
    return name;
  }

  forgetStatement(sql: string): void {
    const name = this.statements.get(sql);
    this.statements.delete(sql);
    // Goes out with the next task, whose "ready" covers it.
    if (name !== undefined && !this.isLost) writeClose(this.#writer, "S", name);
  }

  /** Sends at the end of this turn of the event loop. */
  flushSoon(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    setImmediate(() => {
      this.#isFlushDue = false;
      this.#flush();
    });
  }

  /** For tasks that send more than one piece: writes it, and waits while the network is slower than we are. */
  async sendMore(write: (writer: MessageWriter) => void): Promise<void> {
    if (this.isLost) return;
    write(this.#writer);
    if (this.#writer.pending < FLUSH_BYTES) return this.flushSoon();
    this.#flush();
    if (this.#socket.writableNeedDrain) await this.#drained();
  }

  /** Takes no more from the network; the server waits as soon as that is full. */
  pauseReading(): void {
    this.#socket.pause();
  }

  resumeReading(): void {
    this.#socket.resume();
  }

  setKey(key: BackendKey): void {
    this.#key = key;
  }

  /** Ends the connection at once; everything under way fails. */
  destroy(reason?: unknown): void {
    this.#socketError ??= reason;
    this.#socket.destroy();
  }

  /** Says goodbye and closes. To be called when nothing is under way. */
  end(): Promise<void> {
    if (this.#socket.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#socket.destroy(), END_PATIENCE_MS);
      this.#socket.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      writeTerminate(this.#writer);
      this.#flush();
      this.#socket.end();
    });
  }

  #send(task: Task): void {
    const pending = this.#writer.pending;
    try {
      task.send(this.#writer, this);
    } catch (error) {
      this.#writer.rollBack(pending);
      task.settle(error);
      return;
    }
    if (this.#sent.length === 0) this.#lastMovedAt = performance.now();
    this.#sent.push(task);
    if (this.#writer.pending >= FLUSH_BYTES) this.#flush();
    else this.flushSoon();
  }

  #flush(): void {
    if (this.#writer.pending > 0 && !this.#socket.destroyed) this.#socket.write(this.#writer.take());
  }

  #receive(type: number, message: Message): void {
    if (type === MESSAGE.ready) this.#finish(message);
    else if (type === MESSAGE.error) this.#refuse(message.body);
    else if (type !== MESSAGE.notice && type !== MESSAGE.notification && type !== MESSAGE.parameterStatus) {
      try {
        this.#sent[0]?.receive(type, message);
      } catch (error) {
        // A value that cannot be read fails its task; the exchange itself is in order.
        this.#failure ??= error;
      }
    }
  }

  #refuse(body: Buffer): void {
    const task = this.#sent[0];
    const failure = fromServer(readErrorFields(body), task !== undefined && this.#cancelled.has(task));
    this.#failure ??= failure;
    task?.refused?.();
    if (failure.cause instanceof ServerError && failure.cause.isFatal) this.#socket.end();
  }

  #finish({ data, start }: Message): void {
    this.#transactionStatus = data[start] as number;
    const task = this.#sent.shift();
    const failure = this.#failure;
    this.#failure = undefined;
    if (task === undefined) return;
    this.#cancelled.delete(task);
    // Until the cancellation has arrived it could hit whatever the caller runs here next.
    if (this.#cancelling === undefined) task.settle(failure);
    else this.#cancelling.then(() => task.settle(failure));
    const next = this.#sent[0];
    if (next !== undefined && this.#cancelled.has(next)) this.#sendCancel();
    if (task.isAlone) this.#sendHeld();
  }

  #sendHeld(): void {
    while (this.#held.length > 0 && !this.#sent.at(-1)?.isAlone) {
      const task = this.#held.shift();
      if (task !== undefined) this.#send(task);
    }
  }

  #sendCancel(): void {
    if (this.#key === undefined) return;
    this.#lastCancelAt = performance.now();
    const request = requestCancel(this.target, this.#key).then(() => {
      this.#lastCancelAt = performance.now();
      if (this.#cancelling === request) this.#cancelling = undefined;
    });
    this.#cancelling = request;
    this.#expectEnd(request);
  }

  /**
   * A server that is asked between two statements forgets it, so it is asked again. And a network that swallows
   * everything would keep the connection, and whoever waits for it, for long.
   */
  #expectEnd(request: Promise<void>): void {
    const [task] = this.#sent;
    const look = (): void => {
      if (task === undefined || this.#sent[0] !== task) return;
      if (performance.now() - this.#lastMovedAt >= SILENCE_MS) this.destroy();
      else if (this.#cancelling === undefined) this.#sendCancel();
      // A request that is still under way may be the first one to arrive.
      else if (this.#cancelling === request) setTimeout(look, CANCEL_AGAIN_MS).unref();
    };
    setTimeout(look, CANCEL_AGAIN_MS).unref();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#socket.off("drain", done);
        this.#socket.off("close", done);
        resolve();
      };
      this.#socket.once("drain", done);
      this.#socket.once("close", done);
    });
  }

  #lose(): void {
    const first = this.#failure;
    const cause = this.#socketError ?? first;
    this.#loss = cause instanceof DatabaseError ? cause : connectionLost(cause);
    this.#failure = undefined;
    // What the server said last was about the first task; the others only share its fate.
    const tasks = [...this.#sent.splice(0), ...this.#held.splice(0)];
    for (const [index, task] of tasks.entries()) {
      task.settle(index === 0 && first !== undefined ? first : this.#loss);
    }
    this.#onLost();
  }
}
