// When calls have to be done. One slow clock looks after all of them: a timer for each would be the dearest part
// of a quick request, and nobody can tell whether thirty seconds were a few more.

/** What has to be done in time. The links belong to the queue that it waits in. */
export interface Timed {
  /** In milliseconds of `performance.now()`. */
  expiresAt: number;
  previous: Timed | undefined;
  next: Timed | undefined;
  expire(): void;
}

export interface Deadlines {
  add(timed: Timed, now: number): void;
  /** Begins the time anew. */
  extend(timed: Timed): void;
  remove(timed: Timed): void;
}

const LOOKS_PER_TIMEOUT = 30;
const LONGEST_TICK_MS = 1000;

/** All have the same time, so that the one which came first is the first to run out. */
export function createDeadlines(timeoutMs: number): Deadlines {
  let first: Timed | undefined;
  let last: Timed | undefined;
  let clock: NodeJS.Timeout | undefined;
  const remove = (timed: Timed): void => {
    const { previous, next } = timed;
    if (previous === undefined && first !== timed) return;
    if (previous === undefined) first = next;
    else previous.next = next;
    if (next === undefined) last = previous;
    else next.previous = previous;
    timed.previous = undefined;
    timed.next = undefined;
  };
  const look = (): void => {
    const now = performance.now();
    while (first !== undefined && first.expiresAt <= now) {
      const timed = first;
      remove(timed);
      timed.expire();
    }
    if (first !== undefined) return;
    clearInterval(clock);
    clock = undefined;
  };
  const add = (timed: Timed, now: number): void => {
    timed.expiresAt = now + timeoutMs;
    timed.previous = last;
    if (last === undefined) first = timed;
    else last.next = timed;
    last = timed;
    clock ??= setInterval(look, Math.min(LONGEST_TICK_MS, timeoutMs / LOOKS_PER_TIMEOUT)).unref();
  };
  const extend = (timed: Timed): void => {
    remove(timed);
    add(timed, performance.now());
  };
  return { add, extend, remove };
}
