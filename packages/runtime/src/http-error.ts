// The error that custom code throws to give an answer of its own.

const MARK = Symbol.for("stoa.HttpError");

/** Answers the request with this status and a problem document with this code; the message is its `detail`. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  /** Code and server may have copies of this class of their own, so it is told by its mark. */
  readonly [MARK] = true;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "HttpError";
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`The status of an HttpError is from 400 to 599, not ${status}.`);
    }
    this.status = status;
    this.code = code;
  }
}

export function isHttpError(error: unknown): error is HttpError {
  return error instanceof Error && MARK in error;
}
