// From what went wrong to what we say of it. Nothing here repeats a statement, a parameter or a password.

import type { Target } from "./connect-options.js";
import { DatabaseError, type DatabaseErrorKind } from "./database.js";

/** An error in the server's own words. */
export class ServerError extends Error {
  readonly severity: string;
  readonly sqlState: string;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  /** The character of the statement where it was noticed, from 1. */
  readonly position: number | undefined;
  readonly where: string | undefined;
  /** The function of the server's source that noticed it. */
  readonly routine: string | undefined;

  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get("M") ?? "unknown error");
    this.name = "ServerError";
    this.severity = fields.get("V") ?? fields.get("S") ?? "ERROR";
    this.sqlState = fields.get("C") ?? "XX000";
    this.detail = fields.get("D");
    this.hint = fields.get("H");
    this.position = fields.has("P") ? Number(fields.get("P")) : undefined;
    this.where = fields.get("W");
    this.routine = fields.get("R");
  }

  /** The server closes the connection after these. */
  get isFatal(): boolean {
    return this.severity === "FATAL" || this.severity === "PANIC";
  }
}

const PROTOCOL_VIOLATION = "08P01";

const KINDS: Readonly<Record<string, DatabaseErrorKind>> = {
  "23505": "unique",
  "23P01": "unique",
  "23503": "foreign-key",
  "23001": "foreign-key",
  "23514": "check",
  "23502": "not-null",
  "40001": "serialization",
  "40P01": "serialization",
  "55P03": "timeout",
  "25P04": "timeout",
  "28000": "authentication",
  "28P01": "authentication",
  "25P03": "unavailable",
  "53300": "unavailable",
  "57P01": "unavailable",
  "57P02": "unavailable",
  "57P03": "unavailable",
  "57P04": "unavailable",
  "57P05": "unavailable",
};

/** `isCancelled` says whether we asked for the cancellation; the server has one code for that and for timeouts. */
export function fromServer(fields: ReadonlyMap<string, string>, isCancelled: boolean): DatabaseError {
  const cause = new ServerError(fields);
  const kind = kindOf(cause, isCancelled);
  return new DatabaseError(kind, messageOf(kind, cause, fields), {
    cause,
    sqlState: cause.sqlState,
    constraint: fields.get("n"),
    table: fields.get("t"),
    column: fields.get("c"),
    detail: cause.detail,
  });
}

function kindOf({ sqlState, message, isFatal }: ServerError, isCancelled: boolean): DatabaseErrorKind {
  if (sqlState === "57014") return isCancelled || message.includes("user request") ? "cancelled" : "timeout";
  // Poolers say this of all that ails them, and hang up; of a connection that goes on it is about what we sent.
  if (sqlState === PROTOCOL_VIOLATION && !isFatal) return "other";
  return KINDS[sqlState] ?? (sqlState.startsWith("08") ? "unavailable" : "other");
}

function messageOf(kind: DatabaseErrorKind, error: ServerError, fields: ReadonlyMap<string, string>): string {
  const rule = fields.has("n") ? ` (${fields.get("n")})` : "";
  const table = fields.has("t") ? ` of table ${fields.get("t")}` : "";
  switch (kind) {
    case "unique":
      return `Another row${table} has the same value where values must differ${rule}.`;
    case "foreign-key":
      return `A reference between rows would point at a row that is not there${table}${rule}.`;
    case "check":
      return `A row${table} breaks a rule of the database${rule}.`;
    case "not-null":
      return `Column ${fields.get("c") ?? "?"}${table} must have a value.`;
    case "serialization":
      return "The transaction got in the way of another one that ran at the same time.";
    case "timeout":
      return error.sqlState === "55P03"
        ? "A lock on the data could not be had in time."
        : "The statement took longer than it is allowed to.";
    case "cancelled":
      return "The statement was cancelled.";
    case "authentication":
      return "The database server does not accept this user or password.";
    case "unavailable":
      return `The database server is not available: ${error.message}.`;
    case "other":
      return error.sqlState === PROTOCOL_VIOLATION
        ? `The statement and what was sent with it do not fit together: ${error.message}`
        : `The database refused the statement: ${error.message}`;
  }
}

/** Where the server is, for messages; never with a password. */
export function placeOf(target: Target): string {
  return target.host.startsWith("/") ? target.host : `${target.host}:${target.port}`;
}

export function unreachable(target: Target, cause: unknown): DatabaseError {
  return new DatabaseError("unavailable", `The database server at ${placeOf(target)} cannot be reached.`, {
    cause,
  });
}

export function connectTimedOut(target: Target): DatabaseError {
  const seconds = target.connectTimeoutMs / 1000;
  return new DatabaseError(
    "unavailable",
    `The database server at ${placeOf(target)} did not answer within ${seconds} seconds.`,
  );
}

export function connectionLost(cause?: unknown): DatabaseError {
  return new DatabaseError("unavailable", "The connection to the database was lost.", { cause });
}

/** The word to keep it all is on its way, and the answer will never come. */
export function outcomeUnknown(cause: unknown): DatabaseError {
  const sqlState = cause instanceof DatabaseError ? cause.sqlState : undefined;
  return new DatabaseError(
    "unavailable",
    "The connection to the database was lost before it could tell whether the changes were kept.",
    { cause, sqlState, isOutcomeUnknown: true },
  );
}

export function cancelled(): DatabaseError {
  return new DatabaseError("cancelled", "The statement was cancelled.");
}

export function closed(): DatabaseError {
  return new DatabaseError("unavailable", "The connections to the database are closed.");
}

export function transactionOver(): DatabaseError {
  return new DatabaseError("other", "The transaction is over; no more statements can run in it.");
}

export function transactionUndone(cause: unknown): DatabaseError {
  return new DatabaseError("other", "The transaction was undone, because a statement in it had failed.", {
    cause,
  });
}

export function noCopyStatement(): DatabaseError {
  return new DatabaseError("other", "The statement is not a COPY … FROM STDIN.");
}

export function copyNotExpected(): DatabaseError {
  return new DatabaseError("other", "A COPY statement can only be run by copyFrom.");
}

export function tlsRefused(target: Target): DatabaseError {
  return new DatabaseError("unavailable", `The database server at ${placeOf(target)} does not offer TLS.`);
}

export function passwordMissing(): DatabaseError {
  return new DatabaseError("authentication", "The database server asks for a password, and none is given.");
}

export function authenticationUnknown(method: string): DatabaseError {
  return new DatabaseError(
    "authentication",
    `The database server asks for a way to sign in that is not supported (${method}). Use scram-sha-256.`,
  );
}

export function falseServer(): DatabaseError {
  return new DatabaseError(
    "authentication",
    "The database server could not prove that it knows the password; it may not be the one you mean.",
  );
}
