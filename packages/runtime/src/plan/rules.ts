// What a rule is about: the user alone, or a record.

import type { Expression } from "@stoa/definition";

/** Whether an expression looks at a record other than the user. */
export function mentionsRecord(expression: Expression): boolean {
  switch (expression.kind) {
    case "literal":
      return false;
    case "variable":
      return expression.variable !== "auth";
    case "member":
      return mentionsRecord(expression.on);
    case "unary":
      return mentionsRecord(expression.operand);
    case "binary":
      return mentionsRecord(expression.left) || mentionsRecord(expression.right);
    case "call":
      return expression.arguments.some(mentionsRecord);
    case "aggregate":
      return mentionsRecord(expression.over);
    case "array":
      return expression.items.some(mentionsRecord);
    case "struct":
      return expression.entries.some(({ value }) => mentionsRecord(value));
  }
}
