// Passwords are hashed in Node's thread pool, which files, names and other keys need as well, on cores that the
// requests need. So only a few hashes are made at a time; others wait for their turn, and not all of them may.

import { availableParallelism } from "node:os";
import { type CancelSignal, hashSecret, verifySecret } from "@stoa/database";
import { OverloadError } from "./overload-error.js";

/** Node's own default. */
const POOL_THREADS = Number(process.env.UV_THREADPOOL_SIZE) || 4;
const MOST_WAITING = 100;

/** Does some work a few at a time, in the order in which it was asked for. */
export class WorkQueue {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ atOnce, mostWaiting }: { readonly atOnce: number; readonly mostWaiting: number }) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  get isFull(): boolean {
    return this.#running >= this.#atOnce && this.#waiting.length >= this.#mostWaiting;
  }

  /** Work that nobody waits for any more when its turn comes is not begun. */
  async run<Result>(work: () => Promise<Result>, signal?: CancelSignal): Promise<Result> {
    await this.#turn();
    try {
      if (signal?.aborted) throw new DOMException("Nobody waits for it any more", "AbortError");
      return await work();
    } finally {
      this.#pass();
    }
  }

  #turn(): Promise<void> | undefined {
    if (this.isFull) throw new OverloadError("Too many passwords are being checked");
    if (this.#running >= this.#atOnce) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#running++;
    return undefined;
  }

  /** The turn goes to the next, so the count of those who run stays. */
  #pass(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}

/** At least two threads of the pool, and a core if there are several, are left to the others. */
const atOnce = Math.max(1, Math.min(POOL_THREADS - 2, availableParallelism() - 1));

/** One for the process, as is the thread pool. */
const queue = new WorkQueue({ atOnce, mostWaiting: MOST_WAITING });

/** Throws an OverloadError now rather than later. */
export function assertRoom(): void {
  if (queue.isFull) throw new OverloadError("Too many passwords are being checked");
}

export function hashInTurn(secret: string, signal?: CancelSignal): Promise<string> {
  return queue.run(() => hashSecret(secret), signal);
}

export function verifyInTurn(secret: string, stored: string, signal?: CancelSignal): Promise<boolean> {
  return queue.run(() => verifySecret(secret, stored), signal);
}
