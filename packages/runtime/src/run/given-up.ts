// Code that others have written may never end. Whoever has waited long enough stops waiting.

/** What the work gives, unless the signal comes first. What the work does from then on is nobody's any more. */
export async function unlessGivenUp<Result>(
  signal: AbortSignal,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  let onAbort = (): void => {};
  const givenUp = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
  });
  // Before the work adds listeners of its own, so that its failing because of them comes second.
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(), givenUp]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
