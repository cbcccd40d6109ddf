// What a rule is about: the user alone, or a record.

import type { AuthorizeRule, Expression, VariableExpression } from "@stoa/definition";
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
  return someOf(expression, (part) => part.kind === "variable" && isSought(part));
}

/** Whether an expression is, or has in it, one that is sought. */
export function someOf(expression: Expression, isSought: (part: Expression) => boolean): boolean {
  const inside = (part: Expression): boolean => someOf(part, isSought);
  if (isSought(expression)) return true;
  switch (expression.kind) {
    case "literal":
    case "variable":
      return false;
    case "member":
      return inside(expression.on);
    case "unary":
      return inside(expression.operand);
    case "binary":
      return inside(expression.left) || inside(expression.right);
    case "call":
      return expression.arguments.some(inside);
    case "aggregate":
      return inside(expression.over);
    case "array":
      return expression.items.some(inside);
    case "struct":
      return expression.entries.some(({ value }) => inside(value));
  }
}

/** The parts of a rule that must all hold, each for itself: some may be about the user alone. */
export function conjuncts(condition: Expression): Expression[] {
  if (condition.kind !== "binary" || condition.operator !== "and") return [condition];
  return [...conjuncts(condition.left), ...conjuncts(condition.right)];
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
