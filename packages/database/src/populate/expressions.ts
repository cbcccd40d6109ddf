// Questions about the expressions of a populator.

import { type Expression, type Populate, someExpression } from "@stoa/definition";

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
