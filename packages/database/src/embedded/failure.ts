// Failures of the embedded server that are nobody's bug: each says what is wrong and what to do.

export class EmbeddedError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, { hint, cause }: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = "EmbeddedError";
    this.hint = hint;
  }
}

/** The code of a system error (`ENOENT`), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
