// After a collision, one after another. The server finds a deadlock only after a while (a second, usually) and breaks
// one of those in it; all who do the same at the same time would soon be in the next one. So whoever was broken waits
// in line, and so do those who are about to send the same statements, until the line is empty again.

/** Whoever is in front may be waiting for something else altogether. */
const LONGEST_WAIT_MS = 5_000;

export class Turns {
  /** How many of those in line send these statements. */
  readonly #inLine = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();

  /** Whether others with the same statements have got into each other's way. */
  isNeeded(statements: () => string): boolean {
    return this.#inLine.size > 0 && this.#inLine.has(statements());
  }

  /** While the work lasts, others with the same statements wait in line as well. */
  async inLine<Result>(statements: string, work: () => Promise<Result>): Promise<Result> {
    this.#inLine.set(statements, (this.#inLine.get(statements) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.#inLine.get(statements) ?? 1) - 1;
      if (left === 0) this.#inLine.delete(statements);
      else this.#inLine.set(statements, left);
    }
  }

  /** Does the work when those in front have done theirs. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
    let pass = (): void => {};
    this.#last = new Promise((resolve) => {
      pass = resolve;
    });
    try {
      await patiently(before);
      return await work();
    } finally {
      pass();
    }
  }
}

function patiently(turn: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_WAIT_MS);
    turn.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
