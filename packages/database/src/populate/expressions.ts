// Questions about expressions as a whole.

import type { Expression, Populate } from "@stoa/definition";

/** Whether a test holds for an expression or any part of it. */
export function someExpression(expression: Expression, test: (part: Expression) => boolean): boolean {
  return test(expression) || partsOf(expression).some((part) => someExpression(part, test));
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "variable":
      return [];
    case "array":
      return expression.items;
    case "struct":
      return expression.entries.map((entry) => entry.value);
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
  }
}

/** Fake values take a library that is only loaded for those who use them. */
export function usesFake(populates: readonly Populate[]): boolean {
  const isFake = (part: Expression): boolean => part.kind === "call" && part.function === "fake";
  return populates.some(
    (populate) =>
      expressionsOf(populate).some((expression) => someExpression(expression, isFake)) ||
      usesFake(populate.populates),
  );
}

function expressionsOf({ repeat, assignments }: Populate): Expression[] {
  const values = assignments.flatMap((assignment) => {
    if (assignment.kind === "set") return [assignment.value];
    if (assignment.kind !== "hook") return [];
    return assignment.hook.arguments.flatMap(({ value }) =>
      value.kind === "expression" ? [value.expression] : [],
    );
  });
  return repeat ? [repeat.start, repeat.end, ...values] : values;
}
