// Results that can be out of range. In answers such a result is null, whatever its type says: no data may make a list
// fail. Where a program writes or responds, it is an error instead.

import {
  type Definition,
  type Expression,
  expressionParts,
  type MemberExpression,
  type Type,
} from "@stoa/definition";

interface Context {
  readonly definition: Definition;
  /** Whether arithmetic that stands here gives null; in computeds it always does. */
  readonly isLenient: boolean;
}

/** Whether a value may be null because something that it is calculated from is out of range. */
export function mayBeLost(context: Context, expression: Expression): boolean {
  switch (expression.kind) {
    case "literal":
    case "variable":
      return false;
    case "member":
      return mayLoseMember(context, expression);
    case "binary": {
      const { operator, left, right } = expression;
      if (operator === "is" || operator === "is not") return false;
      const isArithmetic =
        operator === "+" || operator === "-" || operator === "*" || operator === "/" || operator === "%";
      if (context.isLenient && isArithmetic && isBounded(expression.type)) return true;
      return [left, right].some((part) => mayBeLost(context, part));
    }
    case "aggregate":
      return context.isLenient && expression.function === "sum" && isBounded(expression.type);
    case "call":
      if (expression.function === "coalesce")
        return expression.arguments.every((part) => mayBeLost(context, part));
      if (context.isLenient && ROUNDING.has(expression.function) && expression.type.kind === "integer")
        return true;
      return expression.arguments.some((part) => mayBeLost(context, part));
    case "unary":
      return mayBeLost(context, expression.operand);
    case "array":
    case "struct":
      return expressionParts(expression).some((part) => mayBeLost(context, part));
  }
}

const ROUNDING: ReadonlySet<string> = new Set(["round", "floor", "ceil"]);

/** Decimals have as many digits as it takes. */
function isBounded({ kind }: Type): boolean {
  return kind === "integer" || kind === "float";
}

function mayLoseMember({ definition }: Context, { on, name, member }: MemberExpression): boolean {
  const { type } = on;
  if (type.kind !== "record" || (member !== "computed" && member !== "query")) return false;
  const found = definition.models
    .find((model) => model.name === type.model)
    ?.members.find((each) => each.name === name);
  if (found?.kind === "computed") return mayBeLost({ definition, isLenient: true }, found.value);
  if (found?.kind !== "query" || found.query.result.kind !== "aggregate") return false;
  const { result } = found.query;
  return result.function === "sum"
    ? isBounded(found.type)
    : result.value !== null && mayBeLost({ definition, isLenient: true }, result.value);
}
