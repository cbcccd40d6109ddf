// Which problems an endpoint can answer with. Whoever calls it has to expect these, and no others.

import {
  type Action,
  conjuncts,
  type Definition,
  isAlwaysTrue,
  type Model,
  type Select,
} from "@stoa/definition";
import { mayHoldWithoutUser, mentionsUser } from "./expressions.js";
import type { Operation } from "./operations.js";
import { callsHooks } from "./rules.js";

export type ProblemCode =
  | "malformed"
  | "validation"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "precondition-failed"
  | "too-large"
  | "unsupported-media-type"
  | "rate-limited"
  | "internal"
  | "unavailable";

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** The detail where it is always the same. */
  readonly detail?: string;
  readonly when: string;
}

/** As the server says them. */
export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  malformed: { status: 400, title: "The request cannot be read", when: "The request cannot be read." },
  validation: { status: 400, title: "The request is not valid", when: "One or more inputs are not valid." },
  unauthenticated: {
    status: 401,
    title: "Authentication is needed",
    when: "A user is needed, or the credentials are not valid.",
  },
  forbidden: { status: 403, title: "This is not allowed", when: "This user may not do this." },
  "not-found": {
    status: 404,
    title: "Not found",
    detail: "There is nothing at this address",
    when: "There is no such record, or none that this user may know of.",
  },
  conflict: {
    status: 409,
    title: "The request conflicts with what is stored",
    when: "A value is taken, a record is still referenced, or a key was used for another request.",
  },
  "precondition-failed": {
    status: 412,
    title: "The record has changed",
    when: "The record is not the one that `If-Match` names.",
  },
  "too-large": { status: 413, title: "The request is too large", when: "The body is too large." },
  "unsupported-media-type": {
    status: 415,
    title: "The media type is not supported",
    when: "The body is not JSON.",
  },
  "rate-limited": {
    status: 429,
    title: "There were too many requests",
    when: "There were too many attempts; `Retry-After` tells when the next one is taken.",
  },
  internal: {
    status: 500,
    title: "Something went wrong",
    detail: "The request failed because of a fault in the server; the request id finds it in the log",
    when: "A fault in the server; the request id finds it in the log.",
  },
  unavailable: {
    status: 503,
    title: "The service is not available",
    when: "The server or its database is busy or away; `Retry-After` tells when to try again.",
  },
};

export type Security = "none" | "optional" | "required";

export function securityOf({ auth }: Definition, { endpoint, entrypoints }: Operation): Security {
  if (auth === null) return "none";
  const rules = rulesOf({ endpoint, entrypoints });
  if (rules.some((rule) => !mayHoldWithoutUser(rule))) return "required";
  return rules.some(mentionsUser) ? "optional" : "none";
}

function rulesOf({ endpoint, entrypoints }: Pick<Operation, "endpoint" | "entrypoints">) {
  const rules = [...entrypoints.flatMap(({ authorize }) => authorize), ...endpoint.authorize];
  return rules
    .flatMap(({ condition }) => conjuncts(condition))
    .filter((condition) => !isAlwaysTrue(condition));
}

export function problemsOf(definition: Definition, operation: Operation): ProblemCode[] {
  const { endpoint } = operation;
  // Bodies are looked at even where there are no inputs, so that nobody sends any in vain; query strings always.
  const hasBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
  const isOnce = endpoint.method === "POST";
  const possible: Readonly<Record<ProblemCode, boolean>> = {
    malformed: true,
    validation: true,
    unauthenticated: definition.auth !== null,
    forbidden: rulesOf(operation).length > 0,
    "not-found": mayMiss(operation),
    conflict: isOnce || endpoint.actions.some((action) => mayConflict(definition.models, action)),
    "precondition-failed": endpoint.kind === "update" || endpoint.kind === "delete",
    "too-large": hasBody,
    "unsupported-media-type": hasBody,
    "rate-limited": false,
    internal: true,
    unavailable: true,
  };
  return (Object.keys(possible) as ProblemCode[]).filter((code) => possible[code]);
}

/** A record of the path, or one that an action needs. */
function mayMiss({ endpoint, entrypoints }: Operation): boolean {
  const isOfSingle = entrypoints.some(({ target }) => target.kind === "member" && target.single);
  return endpoint.parameters.length > 0 || isOfSingle || endpoint.actions.some(mayMissAction);
}

function mayMissAction(action: Action): boolean {
  switch (action.kind) {
    case "query":
      return action.query.result.kind === "one";
    case "update":
    case "delete":
      return !action.primary;
    case "create":
      return !action.primary || action.link !== null;
    case "validate":
    case "execute":
    case "respond":
      return false;
  }
}

function mayConflict(models: readonly Model[], action: Action): boolean {
  switch (action.kind) {
    case "create":
      return true;
    case "update": {
      const written = new Set(action.assignments.map(({ member }) => member));
      return isUnique(models, action.model, written);
    }
    case "delete":
      return isReferenced(models, action.model);
    case "query":
      if (action.operation.kind === "delete") return isReferenced(models, action.query.model);
      return action.operation.kind === "update";
    case "execute":
      return true;
    case "validate":
    case "respond":
      return false;
  }
}

function isUnique(models: readonly Model[], name: string, written: ReadonlySet<string>): boolean {
  const uniques = models.find((model) => model.name === name)?.table.uniques ?? [];
  return uniques.some(({ members }) => members.some((member) => written.has(member)));
}

/** Directly, or by way of records that are deleted along. */
function isReferenced(models: readonly Model[], name: string, seen = new Set<string>()): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  const table = models.find((model) => model.name === name)?.table.name;
  return models.some((model) =>
    model.table.foreignKeys.some((key) => {
      if (key.table !== table || key.onDelete === "set null") return false;
      return key.onDelete === "restrict" || isReferenced(models, model.name, seen);
    }),
  );
}

/** Whether code of the program runs, which may throw errors with statuses and codes of its own. */
export function runsCode(definition: Definition, { endpoint }: Operation): boolean {
  const { response, request, actions } = endpoint;
  if (response !== null && showsHook(response)) return true;
  if (request?.fields.some((field) => callsHooks(definition, field))) return true;
  return actions.some((action) => actionRunsCode(definition, action));
}

function showsHook({ items }: Select): boolean {
  return items.some((item) => item.kind === "hook" || (item.kind === "nested" && showsHook(item.select)));
}

function actionRunsCode(definition: Definition, action: Action): boolean {
  switch (action.kind) {
    case "execute":
      return true;
    case "create":
    case "update":
      return action.assignments.some(({ kind }) => kind === "hook");
    case "query":
      return (
        action.operation.kind === "update" && action.operation.assignments.some(({ kind }) => kind === "hook")
      );
    case "validate":
      return callsHooks(definition, { kind: "rule", rule: action.rule });
    case "delete":
    case "respond":
      return false;
  }
}
