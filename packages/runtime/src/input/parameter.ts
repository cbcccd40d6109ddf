// Values on their way to PostgreSQL. Parameters of statements are texts, whose types the server knows.

import { type Decimal, decimalText, type Json, jsonText, type Value, type ValueType } from "@stoa/definition";

export function parameterText(value: Value, type: ValueType): string | null {
  if (value === null) return null;
  switch (type.kind) {
    // Numbers as both engines write them.
    case "json":
      return jsonText(value as Json);
    case "decimal":
      return typeof value === "object" ? decimalText(value as Decimal) : String(value);
    case "string":
    case "integer":
    case "float":
    case "boolean":
    case "date":
    case "datetime":
    case "uuid":
    case "enum":
      return String(value);
  }
}
