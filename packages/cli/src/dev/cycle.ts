// The cycle of wishes and turns: whatever asks for a new version, however often, leads to one turn after the other
// and never to two at once. What is wished for during a turn is one more turn after it.

/** Why there is a turn. */
export type Reason =
  | "start"
  | "files"
  /** Everything anew, whether or not something has changed. */
  | "restart"
  /** The data anew. */
  | "populate"
  /** The database may be gone, or back. */
  | "database"
  /** The database may be ready for what it was not ready for. */
  | "schema";

export interface Wish {
  readonly reasons: ReadonlySet<Reason>;
  /** Paths that have changed. */
  readonly files: ReadonlySet<string>;
  /** When it was first wished for, by `performance.now()`. */
  readonly since: number;
}

export interface CycleOptions {
  /**
   * One turn. The signal says that there is a new wish already: a turn that waits for somebody gives up then. A turn
   * does not fail: what goes wrong is its result.
   */
  readonly turn: (wish: Wish, signal: AbortSignal) => Promise<void>;
  /** Bugs: a turn that has failed after all. */
  readonly onBug: (error: unknown) => void;
  /** How long files must be at rest, because an editor's one save is several events. */
  readonly settleMs?: number;
}

export interface Cycle {
  /** Files settle first; all else begins at once, unless a turn is under way. */
  wish(reason: Reason, file?: string): void;
  /** No turn begins any more. Resolves when the last one is over. */
  stop(): Promise<void>;
}

const SETTLE_MS = 15;
/** Of a stream of events that does not end. */
const LONGEST_SETTLE_FACTOR = 8;

export function createCycle({ turn, onBug, settleMs = SETTLE_MS }: CycleOptions): Cycle {
  let pending: { reasons: Set<Reason>; files: Set<string>; since: number } | undefined;
  let running: { readonly promise: Promise<void>; readonly news: AbortController } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const begin = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (running !== undefined || pending === undefined || isStopped) return;
    const wish = pending;
    pending = undefined;
    const news = new AbortController();
    const promise = Promise.resolve()
      .then(() => turn(wish, news.signal))
      .catch(onBug)
      .then(() => {
        running = undefined;
        // What came meanwhile may still be settling.
        if (timer === undefined) begin();
      });
    running = { promise, news };
  };

  const settle = (since: number): void => {
    clearTimeout(timer);
    const left = since + settleMs * LONGEST_SETTLE_FACTOR - performance.now();
    timer = setTimeout(begin, Math.max(0, Math.min(settleMs, left)));
  };

  return {
    wish(reason, file) {
      if (isStopped) return;
      pending ??= { reasons: new Set(), files: new Set(), since: performance.now() };
      pending.reasons.add(reason);
      if (file !== undefined) pending.files.add(file);
      running?.news.abort();
      if (reason === "files") settle(pending.since);
      else if (timer === undefined) begin();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      running?.news.abort();
      await running?.promise;
    },
  };
}
