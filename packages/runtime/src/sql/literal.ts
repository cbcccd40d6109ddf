// Literals of the source as SQL. They are part of the program, so they stand in the text; what a client sends
// is always a parameter.

import { quoteLiteral } from "@stoa/database";
import type { LiteralExpression } from "@stoa/definition";
import { columnType } from "./types.js";

export function emitLiteral({ type, value }: LiteralExpression): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  // A negative number in parentheses: `- -1` would begin a comment without the space, and `::` binds tighter.
  return `(${quoteLiteral(String(value))}::${columnType(type)})`;
}
