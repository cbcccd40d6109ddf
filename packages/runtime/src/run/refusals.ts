// Refusals that reads and writes share.

import type { Call, Problem } from "../exchange.js";
import { MARK } from "../plan/plan.js";

export const NOT_FOUND: Problem = { kind: "problem", code: "not-found", detail: "" };

/** The record has changed while it was waited for: to be tried again, and not found if that goes on. */
export const OVERTAKEN: Problem = { ...NOT_FOUND };

/** Where there can be only one. */
export const TAKEN: Problem = {
  kind: "problem",
  code: "conflict",
  detail: "There is such a record already",
};

const UNAUTHENTICATED: Problem = {
  kind: "problem",
  code: "unauthenticated",
  detail: "This address needs a user",
  headers: { "WWW-Authenticate": "Bearer" },
};
export const BAD_CREDENTIALS: Problem = {
  kind: "problem",
  code: "unauthenticated",
  detail: "The credentials are not valid, or not any more",
  headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
};
const FORBIDDEN: Problem = { kind: "problem", code: "forbidden", detail: "This user may not do this" };

/** Whom a statement has found to be the user, for the code that runs after it. */
export function noteUser(call: Pick<Call, "userId">, rows: readonly Uint8Array[]): void {
  const row = call.userId === null ? rows.find((each) => each[0] === MARK.user) : undefined;
  if (row !== undefined) call.userId = Buffer.from(row).toString("utf8", 1);
}

/** A refusal among the rows; the rest of them says nothing then. */
export function refusalOf(rows: readonly Uint8Array[]): Problem | undefined {
  for (const row of rows) {
    if (row[0] === MARK.unauthenticated) return UNAUTHENTICATED;
    if (row[0] === MARK.forbidden) return FORBIDDEN;
    if (row[0] === MARK.badCredentials) return BAD_CREDENTIALS;
    if (row[0] === MARK.record) return undefined;
  }
  return undefined;
}
