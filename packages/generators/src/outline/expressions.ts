// What can be told of expressions without running them.

import { type Expression, someExpression } from "@stoa/definition";

export function mentionsUser(expression: Expression): boolean {
  return someExpression(expression, (part) => part.kind === "variable" && part.variable === "auth");
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
