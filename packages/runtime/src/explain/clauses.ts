// The clauses that an endpoint depends on, what each is for, and the status that they make together. The order is
// that of the server: the user first, then the records on the way, then what the endpoint asks of them.

import { conjuncts, type Expression } from "@stoa/definition";
import type { Place } from "../plan/place.js";
import { clausesOfPath, mentionsAlias, mentionsRecord, recordClauses } from "../plan/rules.js";
import { boundEntrypoints, showing } from "../plan/write/allowed.js";

/** `unknown` where there is no record that the clause could be about. */
export type Truth = "yes" | "no" | "null" | "unknown";

export interface AccessClause {
  /** Whose it is: the segment of an entrypoint, or the name of an endpoint. */
  readonly of: string;
  readonly expression: Expression;
  /**
   * `user`: about the user alone. `reach`: hides records on the way. `endpoint`: refuses or hides. `after`: of the
   * records that are listed or written, each for itself. `shown`: says who may know about the record.
   */
  readonly role: "user" | "reach" | "endpoint" | "after" | "shown";
  /** What it is made of by `and` or `or`; empty where it is neither. */
  readonly parts: readonly Expression[];
}

export function clausesOf(place: Place): AccessClause[] {
  const { entrypoints, endpoint } = place;
  const bound = boundEntrypoints(place);
  const own = entrypoints.at(-1);
  const ofEntrypoints = entrypoints.flatMap((entrypoint) =>
    recordClauses(entrypoint.authorize).map((expression): AccessClause => {
      const isAfter = entrypoint === own && !bound.includes(own) && mentionsAlias(expression, own.alias);
      const role = bound.includes(entrypoint) ? "reach" : isAfter ? "after" : "endpoint";
      return clauseOf(entrypoint.segment, expression, role);
    }),
  );
  return [
    ...userClauses(place),
    ...ofEntrypoints,
    ...recordClauses(endpoint.authorize).map((each) => clauseOf(endpoint.name, each, "endpoint")),
    ...(isRead(place) ? [] : shownClauses(place)),
  ];
}

function clauseOf(of: string, expression: Expression, role: AccessClause["role"]): AccessClause {
  return { of, expression, role, parts: partsOf(expression) };
}

function userClauses({ entrypoints, endpoint }: Place): AccessClause[] {
  const holders = [
    ...entrypoints.map(({ segment, authorize }) => ({ of: segment, authorize })),
    { of: endpoint.name, authorize: endpoint.authorize },
  ];
  return holders.flatMap(({ of, authorize }) =>
    authorize
      .flatMap(({ condition }) => conjuncts(condition))
      .filter((clause) => !mentionsRecord(clause))
      .map((clause) => clauseOf(of, clause, "user")),
  );
}

/** A refused write is told to those who may know the record; nothing depends on it where nothing is refused. */
function shownClauses(place: Place): AccessClause[] {
  const shown = showing(boundEntrypoints(place).at(-1));
  if (shown === undefined || clausesOfPath(place).length === 0) return [];
  const filter = shown.list?.filter ? [shown.list.filter] : [];
  const rules = shown.authorize.flatMap(({ condition }) => conjuncts(condition));
  return [...rules, ...filter].map((each) => clauseOf(shown.name, each, "shown"));
}

function partsOf(expression: Expression): Expression[] {
  if (expression.kind !== "binary" || (expression.operator !== "and" && expression.operator !== "or"))
    return [];
  return [expression.left, expression.right].flatMap((side) =>
    side.kind === "binary" && side.operator === expression.operator ? partsOf(side) : [side],
  );
}

function isRead({ endpoint: { kind } }: Place): boolean {
  return kind === "get" || kind === "list";
}

/** The id of a user, or nobody; what identifies the records of the path, outermost first. */
export interface AccessQuestion {
  readonly userId: string | null;
  readonly records: readonly string[];
}

export interface Decision {
  readonly status: number;
  /** The clause that decides, by its place; null where all hold, or where the record is missing. */
  readonly decides: number | null;
}

export interface FoundTruths {
  readonly clauses: readonly AccessClause[];
  readonly truths: readonly { readonly whole: Truth }[];
  readonly hasUser: boolean;
  readonly record: "none" | "missing" | "found";
}

/** What the server would answer, as long as the request itself is right. */
export function decide(place: Place, { clauses, truths, hasUser, record }: FoundTruths): Decision {
  const failing = (role: AccessClause["role"]): number =>
    clauses.findIndex((clause, index) => clause.role === role && truths[index]?.whole !== "yes");
  const refused = hasUser ? 403 : 401;
  const user = failing("user");
  if (user >= 0) return { status: refused, decides: user };
  if (record === "missing") return { status: 404, decides: null };
  const reach = failing("reach");
  if (reach >= 0) return { status: 404, decides: reach };
  const endpoint = failing("endpoint");
  if (endpoint < 0) return { status: successOf(place), decides: null };
  const isKnown =
    !isRead(place) && showing(boundEntrypoints(place).at(-1)) !== undefined && failing("shown") < 0;
  return { status: isKnown ? refused : 404, decides: endpoint };
}

function successOf({ endpoint: { kind, actions } }: Place): number {
  switch (kind) {
    case "get":
    case "list":
    case "update":
      return 200;
    case "create":
      return 201;
    case "delete":
      return 204;
    case "custom":
      return actions.some((action) => action.kind === "respond") ? 200 : 204;
  }
}
