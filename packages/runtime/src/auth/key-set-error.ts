/** The keys of an issuer cannot be had, so nobody can say whether a token is good. */
export class KeySetError extends Error {
  constructor(source: string, cause?: unknown) {
    super(`The key set ${source} cannot be loaded`, { cause });
    this.name = "KeySetError";
  }
}
