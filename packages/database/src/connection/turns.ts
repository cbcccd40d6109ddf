// After a collision, one after another. The server finds a deadlock only after a while (a second, usually) and breaks
// one of those in it; all who do the same at the same time would soon be in the next one. So whoever was broken waits
// in line, and so do those who are about to send the same statements, until the line is empty again.

/** Whoever is in front may be held up by something else altogether: then the next one goes as well. */
const LONGEST_TURN_MS = 5_000;

export class Turns {
  /** How many of those in line do the same: send these statements, or have this name. */
  readonly #inLine = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();

  /** Whether others that do the same have got into each other's way. */
  isNeeded(what: () => string): boolean {
    return this.#inLine.size > 0 && this.#inLine.has(what());
  }

  /** While the work lasts, others that do the same wait in line as well. */
  async inLine<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    this.#inLine.set(what, (this.#inLine.get(what) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#inLine.get(what) ?? 1) - 1;
      if (left === 0) this.#inLine.delete(what);
      else this.#inLine.set(what, left);
    }
  }

  /** Does the work when those in front have done theirs. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
    let pass = (): void => {};
    this.#last = new Promise((resolve) => {
      pass = resolve;
    });
    await before;
    const timer = setTimeout(pass, LONGEST_TURN_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      pass();
    }
  }
}
