// What can be told of expressions without running them.

import type { Expression } from "@stoa/definition";

export function conjuncts(condition: Expression): Expression[] {
  if (condition.kind !== "binary" || condition.operator !== "and") return [condition];
  return [...conjuncts(condition.left), ...conjuncts(condition.right)];
}

export function isTrue(condition: Expression): boolean {
  return condition.kind === "literal" && condition.value === true;
}

export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "variable":
      return [];
    case "member":
      return [expression.on];
    case "unary":
      return [expression.operand];
    case "binary":
      return [expression.left, expression.right];
    case "call":
      return expression.arguments;
    case "aggregate":
      return [expression.over];
    case "array":
      return expression.items;
    case "struct":
      return expression.entries.map(({ value }) => value);
  }
}

export function mentionsUser(expression: Expression): boolean {
  if (expression.kind === "variable") return expression.variable === "auth";
  return partsOf(expression).some(mentionsUser);
}

/** Whether somebody without an account can fulfil a condition; where it is hard to tell, yes. */
export function mayHoldWithoutUser(condition: Expression): boolean {
  if (condition.kind !== "binary") return !isOfUser(condition);
  const { operator, left, right } = condition;
  switch (operator) {
    case "and":
      return mayHoldWithoutUser(left) && mayHoldWithoutUser(right);
    case "or":
      return mayHoldWithoutUser(left) || mayHoldWithoutUser(right);
    // What is nobody's is null, and null is only null.
    case "is":
      if (isOfUser(left)) return right.type.nullable;
      return isOfUser(right) ? left.type.nullable : true;
    case "is not":
      if (isOfUser(left)) return !isNull(right);
      return isOfUser(right) ? !isNull(left) : true;
    default:
      return !isOfUser(left) && !isOfUser(right);
  }
}

/** `@auth` or something that belongs to the user, which is null where there is none. */
function isOfUser(expression: Expression): boolean {
  if (expression.kind === "member") return isOfUser(expression.on);
  return expression.kind === "variable" && expression.variable === "auth";
}

function isNull(expression: Expression): boolean {
  return expression.kind === "literal" && expression.value === null;
}
