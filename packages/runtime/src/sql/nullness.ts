// Whether an expression may be null in SQL. Its type does not say all: a result out of range is null as well, and
// so is what is calculated from it.

import type { BinaryExpression, CallExpression, Expression, MemberExpression, Type } from "@stoa/definition";
import type { Context } from "./context.js";

export function mayBeNull(expression: Expression, context: Context): boolean {
  if (expression.type.nullable) return true;
  switch (expression.kind) {
    case "literal":
      return expression.value === null;
    case "variable":
    case "array":
    case "struct":
      return false;
    case "member":
      return isMissingMember(expression, context);
    case "unary":
      return mayBeNull(expression.operand, context);
    case "binary":
      return isMissingResult(expression, context);
    case "call":
      return isMissingCall(expression, context);
    case "aggregate":
      return expression.function === "sum" && hasRange(expression.type);
  }
}

/** Decimals have all the digits they need. */
function hasRange({ kind }: Type): boolean {
  return kind === "integer" || kind === "float";
}

function isMissingMember({ on, name }: MemberExpression, context: Context): boolean {
  const of = on.type.kind === "collection" ? on.type.of : on.type;
  if (of.kind !== "record") return false;
  const member = context.model(of.model).members.find((each) => each.name === name);
  if (member?.kind === "computed") return mayBeNull(member.value, context);
  if (member?.kind !== "query" || member.query.result.kind !== "aggregate") return false;
  return member.query.result.function === "sum" && hasRange(member.type);
}

function isMissingResult({ operator, left, right, type }: BinaryExpression, context: Context): boolean {
  switch (operator) {
    case "is":
    case "is not":
      return false;
    case "in":
    case "not in":
      return mayBeNull(left, context);
    case "/":
    case "%":
      return true;
    case "+":
    case "-":
    case "*":
      if (hasRange(type)) return true;
  }
  return mayBeNull(left, context) || mayBeNull(right, context);
}

function isMissingCall({ function: name, arguments: args, type }: CallExpression, context: Context): boolean {
  if (name === "coalesce") return args.every((arg) => mayBeNull(arg, context));
  if (name === "round" && args.length > 1 && hasRange(type)) return true;
  return args.some((arg) => mayBeNull(arg, context));
}
