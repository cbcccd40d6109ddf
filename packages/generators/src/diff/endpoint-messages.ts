// What is said of endpoints as a whole, one function per change: what, why it matters, and to whom.

import type { Finding } from "./change.js";
import { breaking, code, compatible, type Words } from "./finding.js";

// ---------------------------------------------------------------- endpoints

export const endpointAdded = (): Finding =>
  compatible("endpoint-added", "is new", "nobody can have called it before");

export const endpointRemoved = (where: string): Finding =>
  breaking("endpoint-removed", "is gone", "it is answered with 404 or 405 now", `clients that call ${where}`);

export const pathChanged = (before: string, after: string): Finding =>
  breaking(
    "path-changed",
    `has moved from ${code(before)} to ${code(after)}`,
    "the old address is answered with 404 now",
    `clients that call ${before}`,
  );

export const methodChanged = (before: string, after: string): Finding =>
  breaking(
    "method-changed",
    `is called with ${after} instead of ${before}`,
    `${before} is answered with 405 now`,
    `clients that call it with ${before}`,
  );

export const identifierChanged = (before: string, after: string): Finding =>
  breaking(
    "identifier-changed",
    `finds records by ${code(after)} instead of ${code(before)}`,
    "the old identifiers are answered with 404, or find another record",
    `clients that have ${code(before)} in their paths`,
  );

export const identifierRenamed = (before: string, after: string): Finding =>
  compatible(
    "identifier-changed",
    `calls the identifier ${code(after)} instead of ${code(before)}`,
    "its values are the same, and its name is in no request",
  );

export const identifierType = (name: string, change: Words, isWider: boolean): Finding =>
  isWider
    ? compatible(
        "identifier-changed",
        `takes ${change.after} for ${code(name)}, not only ${change.before}`,
        "all that was taken still is",
      )
    : breaking(
        "identifier-changed",
        `takes ${change.after} for ${code(name)} instead of ${change.before}`,
        "other values are answered with 404",
        `clients that have ${code(name)} in their paths`,
      );

export const operationRenamed = (before: string, after: string): Finding =>
  breaking(
    "operation-renamed",
    `is called ${code(after)} in generated clients instead of ${code(before)}`,
    "requests are the same, but code that calls the old name does not compile with a client made anew",
    `code that calls ${code(`client.${before}`)}`,
  );

// ---------------------------------------------------------------- rules

export const ruleStricter = (clauses: string, affects: string): Finding =>
  breaking(
    "rule-stricter",
    `also asks for ${code(clauses)}`,
    "others are answered with 401, 403 or 404",
    affects,
  );

export const ruleTightened = (before: string, after: string, affects: string): Finding =>
  breaking(
    "rule-stricter",
    `asks for ${code(after)} instead of ${code(before)}, which is stricter`,
    "others are answered with 401, 403 or 404",
    affects,
  );

export const ruleLaxer = (clauses: string): Finding =>
  compatible(
    "rule-laxer",
    `no longer asks for ${code(clauses)}`,
    "whoever was let in still is; make sure that others should be",
  );

export const ruleLoosened = (before: string, after: string): Finding =>
  compatible(
    "rule-laxer",
    `asks for ${code(after)} instead of ${code(before)}, which is laxer`,
    "whoever was let in still is; make sure that others should be",
  );

/** The words are the same, but they stand for something else. */
export const ruleMeaningChanged = (clauses: string, affects: string): Finding =>
  breaking(
    "rule-changed",
    `asks for ${code(clauses)}, which means something else now`,
    "this may be stricter: some who were let in may not be any more",
    affects,
  );

export const ruleMeaningStricter = (clauses: string, affects: string): Finding =>
  breaking(
    "rule-stricter",
    `asks for ${code(clauses)}, which is stricter now`,
    "others are answered with 401, 403 or 404",
    affects,
  );

export const ruleMeaningLaxer = (clauses: string): Finding =>
  compatible(
    "rule-laxer",
    `asks for ${code(clauses)}, which is laxer now`,
    "whoever was let in still is; make sure that others should be",
  );

export const ruleChanged = (before: string, after: string, affects: string): Finding =>
  breaking(
    "rule-changed",
    `asks for ${code(after)} instead of ${code(before)}`,
    "this may be stricter: some who were let in may not be any more",
    affects,
  );

// ---------------------------------------------------------------- what is done

export const actionChanged = (what: string): Finding =>
  compatible(
    "action-changed",
    what,
    "requests and answers are the same; whether they mean the same, only you can tell",
  );

export const hookChanged = (what: string): Finding =>
  compatible("hook-changed", what, "what code gives or does, only you can tell");

// ---------------------------------------------------------------- accounts

export const authAdded = (): Finding =>
  compatible("auth-added", "there are accounts now", "endpoints that need a user say so themselves");

export const authRemoved = (): Finding =>
  breaking(
    "auth-removed",
    "there are no accounts any more",
    "tokens are no longer looked at",
    "users who log in",
  );

export const authChanged = (what: string, why: string, affects: string): Finding =>
  breaking("auth-changed", what, why, affects);

export const authExtended = (what: string, why: string): Finding => compatible("auth-changed", what, why);

// ---------------------------------------------------------------- words

export const described = (what: string): Finding =>
  compatible("documentation", what, "requests and answers are the same");
