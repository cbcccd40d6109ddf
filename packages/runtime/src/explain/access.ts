// Who can do what: the rules of every endpoint, clause by clause; and for a user, an endpoint and a record, which of
// them decides.

import type { Database } from "@stoa/database";
import { type AuthorizeRule, conjuncts, type Definition, printExpression } from "@stoa/definition";
import type { Place } from "../plan/place.js";
import { mentionsRecord } from "../plan/rules.js";
import { askClauses } from "./access-statement.js";
import {
  type AccessClause,
  type AccessQuestion,
  clausesOf,
  type Decision,
  decide,
  type Truth,
} from "./clauses.js";
import type { ExplainedRule, SourcePlace } from "./explanation.js";
import { sourcePlace } from "./source-place.js";

/** One endpoint and what it asks. */
export interface AccessRow {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly at: SourcePlace;
  /** `public` where the program says so, `unguarded` where it says nothing. */
  readonly guard: "rules" | "public" | "unguarded";
  /** All of them must hold; those of the entrypoints first. */
  readonly rules: readonly AccessRule[];
}

export interface AccessRule extends ExplainedRule {
  /** About the user alone: a refusal is 403. About records: they are hidden from those for whom it does not hold. */
  readonly about: "user" | "record";
}

export function listAccess(definition: Definition, places: readonly Place[]): AccessRow[] {
  return places.map(({ entrypoints, endpoint }) => {
    const { name, method, path, at } = endpoint;
    const all = [...entrypoints, endpoint].flatMap(({ authorize }) => authorize);
    const rules = [
      ...entrypoints.flatMap(({ segment, authorize }) => rulesOf(definition, segment, authorize)),
      ...rulesOf(definition, name, endpoint.authorize),
    ];
    const guard = rules.length > 0 ? "rules" : all.length > 0 ? "public" : "unguarded";
    return { ...{ name, method, path, guard, rules }, at: sourcePlace(definition, at) };
  });
}

/** Without those that always hold: `authorize { true }` asks nothing. */
function rulesOf(definition: Definition, of: string, rules: readonly AuthorizeRule[]): AccessRule[] {
  return rules.flatMap(({ condition, at }) =>
    conjuncts(condition)
      .filter((clause) => clause.kind !== "literal" || clause.value !== true)
      .map((clause) => ({
        of,
        condition: printExpression(clause),
        about: mentionsRecord(clause) ? "record" : "user",
        at: sourcePlace(definition, at),
      })),
  );
}

export interface AccessAnswer extends Decision {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly user: "nobody" | "missing" | "found";
  readonly record: "none" | "missing" | "found";
  readonly clauses: readonly DecidedClause[];
}

export interface DecidedClause {
  readonly of: string;
  readonly clause: string;
  readonly role: AccessClause["role"];
  readonly holds: Truth;
  /** The parts of an `and` or `or`. */
  readonly parts: readonly { readonly clause: string; readonly holds: Truth }[];
}

/** One statement finds the user and the record, and says of every clause whether it holds. */
export async function explainAccess(
  definition: Definition,
  place: Place,
  { database, question }: { readonly database: Database; readonly question: AccessQuestion },
): Promise<AccessAnswer> {
  const clauses = clausesOf(place);
  const found = await askClauses(definition, place, { clauses, question, database });
  const { name, method, path } = place.endpoint;
  const user = question.userId === null ? "nobody" : found.hasUser ? "found" : "missing";
  const record = question.records.length === 0 ? "none" : found.hasRecord ? "found" : "missing";
  const decision = decide(place, { clauses, truths: found.truths, hasUser: user === "found", record });
  return {
    ...{ name, method, path, user, record, ...decision },
    clauses: clauses.map(({ of, expression, role, parts }, index) => ({
      of,
      clause: printExpression(expression),
      role,
      holds: found.truths[index]?.whole ?? "unknown",
      parts: parts.map((part, at) => ({
        clause: printExpression(part),
        holds: found.truths[index]?.parts[at] ?? "unknown",
      })),
    })),
  };
}
