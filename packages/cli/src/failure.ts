// Failures that are nobody's bug: each says what is wrong and what to do, and carries its exit code.

export const EXIT = { ok: 0, user: 1, environment: 2 } as const;

export class Failure extends Error {
  /** What to do next. There is always something. */
  readonly hint: string;
  readonly exitCode: number;

  constructor(message: string, { hint, exitCode = EXIT.user }: { hint: string; exitCode?: number }) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** For programs, which show the message of an error and nothing else: the hint is part of it. */
export function inPlainWords(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  return new Error(`${error.message} (${error.hint})`, { cause: error });
}

/** As shells call the end by Ctrl-C. */
const INTERRUPTED = 130;

/** Ctrl-C at a question: nobody has said yes. */
export class Interrupted extends Failure {
  constructor() {
    super("stopped; nothing was changed", {
      hint: "run the command again when you have decided",
      exitCode: INTERRUPTED,
    });
  }
}
