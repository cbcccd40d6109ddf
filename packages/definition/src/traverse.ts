// Questions about expressions as a whole: what they are made of, and whether something is among it.

import type { Definition } from "./definition.js";
import type { Expression } from "./expression.js";
import type { Type } from "./types.js";

/** The expressions that stand directly in one. */
export function expressionParts(expression: Expression): readonly Expression[] {
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

/** Whether a test holds for an expression or any part of it. */
export function someExpression(expression: Expression, test: (part: Expression) => boolean): boolean {
  return test(expression) || expressionParts(expression).some((part) => someExpression(part, test));
}

/** The parts of a condition that must all hold, each for itself. */
export function conjuncts(condition: Expression): Expression[] {
  if (condition.kind !== "binary" || condition.operator !== "and") return [condition];
  return [...conjuncts(condition.left), ...conjuncts(condition.right)];
}

/** `authorize { true }` says that an endpoint is public on purpose. */
export function isAlwaysTrue(condition: Expression): boolean {
  return condition.kind === "literal" && condition.value === true;
}

/** The model of a record, or of a collection's records. */
export function modelOfType(type: Type): string | undefined {
  const of = type.kind === "collection" ? type.of : type;
  return of.kind === "record" ? of.model : undefined;
}

/** The values of enums by name; none of an unknown one. */
export function enumValuesOf({ enums }: Pick<Definition, "enums">): (name: string) => readonly string[] {
  const values = new Map(enums.map((each) => [each.name, each.values.map((value) => value.name)]));
  return (name) => values.get(name) ?? [];
}
