// What a rule is about: the user alone, or a record.

import type { Expression, VariableExpression } from "@stoa/definition";

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

function mentions(expression: Expression, isSought: (variable: VariableExpression) => boolean): boolean {
  const inside = (part: Expression): boolean => mentions(part, isSought);
  switch (expression.kind) {
    case "literal":
      return false;
    case "variable":
      return isSought(expression);
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
