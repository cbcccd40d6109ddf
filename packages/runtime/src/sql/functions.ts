// Functions of the language as functions of PostgreSQL. Both give null for null, but for `coalesce`.

import { quoteLiteral } from "@stoa/database";
import { type CallExpression, type Type, WHITE_SPACE } from "@stoa/definition";
import { clampedInt, roundedValue } from "./arithmetic.js";
import { asJsonb, dateText, datetimeText } from "./json.js";
import type { Scope } from "./scope.js";

export function emitCall(expression: CallExpression, scope: Scope): string {
  const args = expression.arguments.map((arg) => scope.emitter.value(arg, scope));
  const [a = "null", b = "null", c] = args;
  switch (expression.function) {
    case "length":
      return `length(${a})::bigint`;
    case "lower":
    case "upper":
      return recased(expression.function, a);
    case "trim":
      return `btrim(${a}, ${quoteLiteral(WHITE_SPACE)})`;
    case "concat":
      return `(${args.join(" || ")})`;
    case "substring":
      return substring(expression, args);
    case "replace":
      return `replace(${a}, ${b}, ${c ?? "null"})`;
    case "contains":
      return `(strpos(${a}, ${b}) > 0)`;
    case "startsWith":
      return `starts_with(${a}, ${b})`;
    case "endsWith":
      return `(right(${a}, length(${b})) = ${b})`;
    case "stringify":
      return stringified(a, typeOfFirst(expression));
    case "now":
      return "now()";
    case "today":
      return "(now() at time zone 'UTC')::date";
    case "uuid":
      return "gen_random_uuid()";
    case "abs":
      return `abs(${a})`;
    case "round":
      return rounded(expression, args, scope.strict);
    case "floor":
    case "ceil":
      return typeOfFirst(expression).kind === "integer" ? a : `${expression.function}(${a})`;
    case "coalesce":
      return coalesced(expression, args);
    case "fake":
      throw new Error("`fake` has no meaning in SQL.");
  }
}

function typeOfFirst({ arguments: [first], function: name }: CallExpression): Type {
  if (first === undefined) throw new Error(`\`${name}\` has no argument.`);
  return first.type;
}

/** The simple case mappings of Unicode, and then text like any other. */
function recased(name: "lower" | "upper", sql: string): string {
  return `(${name}(${sql} collate "pg_c_utf8") collate "C")`;
}

/** The start counts from 0 in the language, from 1 in SQL; below the start is the start. */
function substring({ arguments: [, start, length] }: CallExpression, args: readonly string[]): string {
  const [text, from = "null", size = "null"] = args;
  if (start === undefined) throw new Error("`substring` has no start.");
  const position = `${clampedInt(start, from, [0, 2_147_483_646])} + 1`;
  if (length === undefined) return `substr(${text}, ${position})`;
  return `substr(${text}, ${position}, ${clampedInt(length, size, [0, 2_147_483_647])})`;
}

function rounded(
  expression: CallExpression,
  [value = "null", digits = "null"]: readonly string[],
  strict: string | null,
): string {
  const [, places] = expression.arguments;
  const asked = places === undefined ? undefined : clampedInt(places, digits, [-2000, 2000]);
  return roundedValue(value, asked, typeOfFirst(expression), strict);
}

function stringified(sql: string, type: Type): string {
  switch (type.kind) {
    case "string":
    case "enum":
      return sql;
    case "datetime":
      return datetimeText(sql);
    case "date":
      return dateText(sql);
    case "float":
      return `to_jsonb(${sql})::text`;
    case "struct":
      // In the notation of jsonb, like all JSON that becomes a text.
      return `(${sql})::jsonb::text`;
    default:
      return `${sql}::text`;
  }
}

/** In the common type of all: an integer beside decimals is one of them, and so is a value in json. */
function coalesced({ arguments: args, type }: CallExpression, sql: readonly string[]): string {
  const isJson = type.kind === "json";
  const parts = args.map((arg, index) => {
    const part = sql[index] ?? "null";
    return isJson && arg.type.kind !== "null" ? asJsonb(part, arg.type) : part;
  });
  return `coalesce(${parts.join(", ")})`;
}
