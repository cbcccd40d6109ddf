// What an exception means for the client: either the database is not there for us just now, or it is a bug.

import { DatabaseError } from "@stoa/database";
import type { CustomProblem, Problem } from "../exchange.js";
import { type HttpError, isHttpError } from "../http-error.js";
import { OverloadError } from "../overload-error.js";
import { internal, unavailable } from "./problem.js";

const SOON_SECONDS = 1;
const LATER_SECONDS = 5;

export interface Explanation {
  readonly problem: Problem | CustomProblem;
  readonly level: "debug" | "warn" | "error";
  readonly message: string;
}

export function explainFailure(error: unknown): Explanation {
  if (isHttpError(error)) return explainAnswer(error);
  if (error instanceof OverloadError) return explainOverload(error);
  const problem = error instanceof DatabaseError ? explainDatabase(error) : undefined;
  if (problem === undefined) return { problem: internal(), level: "error", message: "the request failed" };
  return { problem, level: "warn", message: "the database could not serve the request" };
}

function explainOverload({ message }: OverloadError): Explanation {
  return { problem: unavailable(SOON_SECONDS, message), level: "warn", message: "there is too much to do" };
}

/** Custom code has said what to answer, so nothing has failed here; unless it says so. */
function explainAnswer({ status, code, message: detail }: HttpError): Explanation {
  const problem: CustomProblem = { kind: "custom", status, code, detail };
  return { problem, level: status < 500 ? "debug" : "warn", message: "a hook gave an answer of its own" };
}

/** A table or column is missing, or a schema: the database is not the one that the application was built for. */
const OUTDATED = new Set(["42P01", "42703", "3F000"]);

/** Where asking again is not safe by itself. */
const NOT_KNOWN =
  "it is not known whether the request was carried out; with an Idempotency-Key, a POST can safely be sent again";

/** Undefined for what must have been dealt with before it got here, and so is a bug. */
function explainDatabase({ kind, sqlState = "", isOutcomeUnknown }: DatabaseError): Problem | undefined {
  if (isOutcomeUnknown) {
    return unavailable(LATER_SECONDS, `The connection to the database was lost, and ${NOT_KNOWN}`);
  }
  if (OUTDATED.has(sqlState)) return unavailable(LATER_SECONDS, "The database is not up to date");
  switch (kind) {
    case "unavailable":
    case "authentication":
      return unavailable(LATER_SECONDS, "The database cannot be reached");
    case "serialization":
      return unavailable(SOON_SECONDS, "The request kept colliding with others");
    case "timeout":
    case "cancelled":
      return late();
    case "unique":
    case "foreign-key":
    case "check":
    case "not-null":
    case "other":
      return undefined;
  }
}

/** What writes is told to stop, and may be done all the same by the time it hears that. */
export function late(method = "GET"): Problem {
  const isRead = method === "GET" || method === "HEAD";
  const detail = isRead ? "The request took too long" : `The request took too long, and ${NOT_KNOWN}`;
  return unavailable(SOON_SECONDS, detail);
}

/** Whether an error only says that the call was given up, which is known already. */
export function isCancellation(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.kind === "cancelled";
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
