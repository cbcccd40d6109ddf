// What a rule is about: the user alone, or a record.

import {
  type AuthorizeRule,
  conjuncts,
  type Expression,
  someExpression,
  type VariableExpression,
} from "@stoa/definition";
import type { Place } from "./place.js";

/** Whether an expression looks at a record other than the user. */
export function mentionsRecord(expression: Expression): boolean {
  return mentions(expression, ({ variable }) => variable !== "auth");
}

/** Whether an expression looks at anything that is known only when a request comes. */
export function mentionsVariable(expression: Expression): boolean {
  return mentions(expression, () => true);
}

/** Whether an expression looks at the record that it stands in. */
export function mentionsThis(expression: Expression): boolean {
  return mentions(expression, ({ variable }) => variable === "this" || variable === "owner");
}

/** Whether an expression looks at the record of an alias. */
export function mentionsAlias(expression: Expression, alias: string): boolean {
  return mentions(expression, ({ variable, name }) => variable === "alias" && name === alias);
}

export function mentions(
  expression: Expression,
  isSought: (variable: VariableExpression) => boolean,
): boolean {
  return someExpression(expression, (part) => part.kind === "variable" && isSought(part));
}

/** The parts of rules that are about records. */
export function recordClauses(rules: readonly AuthorizeRule[]): Expression[] {
  return rules.flatMap(({ condition }) => conjuncts(condition)).filter(mentionsRecord);
}

/**
 * What an endpoint asks of the records that its path names, beyond what is asked of each on the way. Where the path
 * names no record of the endpoint's own entrypoint, that includes what the entrypoint asks of those above it.
 */
export function clausesOfPath({ entrypoints, endpoint }: Place): Expression[] {
  const own = entrypoints.at(-1);
  const clauses = recordClauses(endpoint.authorize);
  if (own === undefined || endpoint.cardinality === "one") return clauses;
  return [...recordClauses(own.authorize).filter((clause) => !mentionsAlias(clause, own.alias)), ...clauses];
}
