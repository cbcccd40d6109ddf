// Connections for queries and transactions: each is used by one caller at a time. The server may go away and
// come back; attempts to reach it are spaced out, and whoever waits meanwhile hears the reason.

import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./connect-options.js";
import { type CancelSignal, DatabaseError } from "./database.js";
import { cancelled, closed } from "./errors.js";
import type { Connection } from "./wire/connection.js";
import { openConnection } from "./wire/open.js";

const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/** Opens connections, after a pause when the last attempt failed: up to a second, and never all at once. */
export class Connector {
  readonly #target: Target;
  #failures = 0;
  #failedAt = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  async open(): Promise<Connection> {
    await this.#pause();
    try {
      const connection = await openConnection(this.#target);
      this.#failures = 0;
      return connection;
    } catch (error) {
      this.#failures++;
      this.#failedAt = performance.now();
      throw error;
    }
  }

  async #pause(): Promise<void> {
    if (this.#failures === 0) return;
    const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#failures, 10));
    const rest = this.#failedAt + full * (0.5 + Math.random() / 2) - performance.now();
    if (rest > 0) await sleep(rest);
  }
}

interface Waiter {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (failure: unknown) => void;
}

export class Pool {
  readonly #connector: Connector;
  readonly #size: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  /** In the order of their coming. */
  readonly #waiting = new Set<Waiter>();
  #opening = 0;
  #closing: Promise<void> | undefined;
  #onDrained: () => void = () => {};

  constructor(connector: Connector, size: number) {
    this.#connector = connector;
    this.#size = Math.max(1, size);
  }

  /** A connection that is the caller's until `release`. */
  acquire(signal?: CancelSignal): Promise<Connection> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    if (signal?.aborted) return Promise.reject(cancelled());
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    return new Promise((resolve, reject) => {
      this.#wait({ resolve, reject }, signal);
      this.#openMore();
    });
  }

  /** Does something on a connection of its own. */
  async use<Result>(
    work: (connection: Connection) => Promise<Result>,
    signal?: CancelSignal,
  ): Promise<Result> {
    const connection = await this.acquire(signal);
    try {
      return await work(connection);
    } finally {
      this.release(connection);
    }
  }

  release(connection: Connection): void {
    // In the middle of a transaction it would pass its state on to a stranger.
    if (!connection.isClean || connection.load > 0) connection.destroy();
    if (connection.isLost) this.#forget(connection);
    else this.#offer(connection);
  }

  /** Waits for what is under way. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#waiting.size > 0 || this.#opening > 0 || this.#idle.length < this.#all.size) {
      await new Promise<void>((resolve) => {
        this.#onDrained = resolve;
      });
    }
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()));
  }

  #wait(outcome: Waiter, signal: CancelSignal | undefined): void {
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#waiting.delete(waiter);
    };
    const waiter: Waiter = {
      resolve: (connection) => {
        leave();
        outcome.resolve(connection);
      },
      reject: (failure) => {
        leave();
        outcome.reject(failure);
      },
    };
    const onAbort = () => waiter.reject(cancelled());
    const timer = setTimeout(() => waiter.reject(allInUse(this.#size)), LONGEST_WAIT_MS);
    signal?.addEventListener("abort", onAbort);
    this.#waiting.add(waiter);
  }

  #openMore(): void {
    if (this.#opening >= this.#waiting.size || this.#all.size + this.#opening >= this.#size) return;
    this.#opening++;
    this.#connector.open().then(
      (connection) => {
        this.#opening--;
        this.#all.add(connection);
        connection.onLost(() => this.#forget(connection));
        this.#offer(connection);
      },
      (failure) => {
        this.#opening--;
        // They all wait for the same server. Those who still want it will ask again.
        for (const waiter of this.#waiting) waiter.reject(failure);
        this.#checkDrained();
      },
    );
  }

  #offer(connection: Connection): void {
    const [waiter] = this.#waiting;
    if (waiter === undefined) this.#idle.push(connection);
    else waiter.resolve(connection);
    this.#checkDrained();
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#openMore();
    this.#checkDrained();
  }

  #checkDrained(): void {
    const isDrained = this.#waiting.size === 0 && this.#opening === 0 && this.#idle.length === this.#all.size;
    if (isDrained) this.#onDrained();
  }
}

function allInUse(size: number): DatabaseError {
  return new DatabaseError(
    "timeout",
    `All ${size} connections to the database were in use for ${LONGEST_WAIT_MS / 1000} seconds.`,
  );
}
