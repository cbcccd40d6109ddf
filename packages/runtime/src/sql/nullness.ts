// Whether an expression may be null in SQL. Its type does not say all. A result out of range is null as well, and so
// is what is calculated from it. And what `x is not null and …` has shown about x is known only where the left side
// is true: the right side has a value also where the left one is null.

import type { BinaryExpression, CallExpression, Expression, MemberExpression, Type } from "@stoa/definition";
import type { Context } from "./context.js";

export interface NullnessOptions {
  readonly context: Context;
  /** In a condition nothing counts but where it holds, so that there the types can be relied on. */
  readonly isCondition: boolean;
}

export function mayBeNull(expression: Expression, options: NullnessOptions): boolean {
  if (expression.type.nullable) return true;
  switch (expression.kind) {
    case "literal":
      return expression.value === null;
    case "variable":
      return expression.variable === "auth" && !options.isCondition;
    case "array":
    case "struct":
      return false;
    case "member":
      return isMissingMember(expression, options);
    case "unary":
      return mayBeNull(expression.operand, options);
    case "binary":
      return isMissingResult(expression, options);
    case "call":
      return isMissingCall(expression, options);
    case "aggregate":
      if (expression.function === "sum" && hasRange(expression.type)) return true;
      return mayBeNull(expression.over, options);
  }
}

/** Decimals have all the digits they need. */
function hasRange({ kind }: Type): boolean {
  return kind === "integer" || kind === "float";
}

function isMissingMember({ on, name }: MemberExpression, options: NullnessOptions): boolean {
  const of = on.type.kind === "collection" ? on.type.of : on.type;
  if (of.kind !== "record") return !options.isCondition;
  const member = options.context.model(of.model).members.find((each) => each.name === name);
  if (member === undefined) return true;
  if (member.kind === "computed") {
    return mayBeNull(member.value, { ...options, isCondition: false }) || mayBeNull(on, options);
  }
  if (member.kind === "query" && isOutOfRange(member)) return true;
  if (options.isCondition) return false;
  return isNullableMember(member) || mayBeNull(on, options);
}

type Member = ReturnType<Context["model"]>["members"][number];

function isOutOfRange({ query, type }: Extract<Member, { kind: "query" }>): boolean {
  return query.result.kind === "aggregate" && query.result.function === "sum" && hasRange(type);
}

/** As it is declared, whatever has been shown about it. */
function isNullableMember(member: Member): boolean {
  switch (member.kind) {
    case "reference":
      return member.nullable;
    case "relation":
      return member.single;
    case "hook":
      return true;
    default:
      return member.type.nullable;
  }
}

function isMissingResult(
  { operator, left, right, type }: BinaryExpression,
  options: NullnessOptions,
): boolean {
  switch (operator) {
    case "is":
    case "is not":
      return false;
    case "/":
    case "%":
      return true;
    case "+":
    case "-":
    case "*":
      if (hasRange(type)) return true;
  }
  return mayBeNull(left, options) || mayBeNull(right, options);
}

function isMissingCall(
  { function: name, arguments: args, type }: CallExpression,
  options: NullnessOptions,
): boolean {
  if (name === "coalesce") return args.every((arg) => mayBeNull(arg, options));
  if (name === "round" && args.length > 1 && hasRange(type)) return true;
  return args.some((arg) => mayBeNull(arg, options));
}
