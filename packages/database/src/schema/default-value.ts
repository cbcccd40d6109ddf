// Defaults as SQL, in one spelling. Both sides come here: the default of a field, and what PostgreSQL prints of
// the default it stores (`'5'::bigint`, `'draft'::text`), so that equal defaults are equal texts.
//
// Only plain values and now(), today() and uuid() become defaults of columns: there both engines agree without
// further thought. All others are applied by the server, which knows the whole expression language.

import type { Expression } from "@stoa/definition";
import { stableJson } from "./catalog.js";
import { parseType } from "./column-type.js";
import { quoteLiteral } from "./quote.js";

const NOW = "now()";
/** Days are those of UTC, as all times are. Spelt as PostgreSQL prints it. */
const TODAY = "((now() AT TIME ZONE 'UTC'::text))::date";
const UUID = "gen_random_uuid()";

/** The default of a column for the system's own timestamps. */
export const TIMESTAMP_DEFAULT = NOW;

/** Null where the database has no way to say it. */
export function defaultSql(expression: Expression, type: string): string | null {
  const { family } = parseType(type);
  if (expression.kind === "call") {
    if (expression.function === "now" && family === "datetime") return NOW;
    if (expression.function === "today" && family === "date") return TODAY;
    if (expression.function === "uuid" && family === "uuid") return UUID;
  }
  if (family === "json") return jsonDefault(expression);
  const text = constantText(expression);
  return text === null ? null : valueSql(text, type);
}

/** Every row gets a value of its own. */
export function isDistinctDefault(sql: string): boolean {
  return sql === UUID;
}

function constantText(expression: Expression): string | null {
  if (expression.kind === "literal") return expression.value === null ? null : String(expression.value);
  if (expression.kind !== "unary" || expression.operator !== "-") return null;
  const operand = constantText(expression.operand);
  if (operand === null) return null;
  return operand.startsWith("-") ? operand.slice(1) : `-${operand}`;
}

/** `undefined` stands for what is not constant, since null is a JSON value. */
function jsonDefault(expression: Expression): string | null {
  const value =
    expression.kind === "literal" && expression.value === null ? undefined : jsonValue(expression);
  return value === undefined ? null : valueSql(JSON.stringify(value), "jsonb");
}

function jsonValue(expression: Expression): unknown {
  if (expression.kind === "literal") return expression.value;
  if (expression.kind === "array") {
    const items = expression.items.map(jsonValue);
    return items.includes(undefined) ? undefined : items;
  }
  if (expression.kind === "struct") {
    const entries = expression.entries.map(({ name, value }) => [name, jsonValue(value)] as const);
    return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
  }
  const text = constantText(expression);
  return text === null ? undefined : Number(text);
}

/** A value as SQL in the spelling of its type; null if PostgreSQL cannot hold it. */
function valueSql(text: string, type: string): string | null {
  const { family } = parseType(type);
  switch (family) {
    case "integer":
      return /^-?\d+$/.test(text) ? String(BigInt(text)) : quoteLiteral(text);
    case "float":
      return Number.isFinite(Number(text)) ? String(Number(text)) : quoteLiteral(text);
    case "decimal":
      return canonicalDecimal(text);
    case "boolean":
      return text === "true" || text === "t" ? "true" : "false";
    case "datetime":
      return canonicalDatetime(text);
    case "json":
      return canonicalJson(text);
    case "uuid":
      return quoteLiteral(text.toLowerCase());
    case "string":
    case "date":
    case "local datetime":
    case "other":
      return text.includes("\u0000") ? null : quoteLiteral(text);
  }
}

function canonicalDecimal(text: string): string {
  const match = /^(-?)0*(\d+(?:\.\d+)?)$/.exec(text);
  if (!match?.[2]) return quoteLiteral(text);
  const isZero = /^[0.]+$/.test(match[2]);
  return `${isZero ? "" : match[1]}${match[2]}`;
}

/** In UTC with as many digits as needed, at most the six that PostgreSQL keeps. */
function canonicalDatetime(text: string): string | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d)(?::?(\d\d))?$/.exec(text);
  if (!match) return quoteLiteral(text);
  const [, date, time, fraction = "", hours, minutes = "00"] = match;
  const offset = hours === "Z" ? "Z" : `${hours}:${minutes}`;
  const iso = new Date(`${date}T${time}${offset}`).toISOString();
  if (!/^(?!0000)\d{4}-/.test(iso)) return null;
  const digits = fraction.slice(0, 6).replace(/0+$/, "");
  return quoteLiteral(`${iso.slice(0, 19)}${digits === "" ? "" : `.${digits}`}Z`);
}

function canonicalJson(text: string): string | null {
  const json = stableJson(JSON.parse(text));
  return json.includes("\\u0000") ? null : quoteLiteral(json);
}

/** What PostgreSQL prints of a stored default, in our spelling; anything we would not write stays as it is. */
export function canonicalDefault(printed: string, type: string): string | null {
  if (/^NULL(::.*)?$/.test(printed)) return null;
  const text = printedValue(printed);
  if (text === undefined) return printed;
  try {
    return valueSql(text, type) ?? printed;
  } catch {
    return printed;
  }
}

const PRINTED_TEXT = /^'((?:[^']|'')*)'(?:::[a-z ]+(?:\(\d+(?:,\d+)?\))?)?$/s;
const PRINTED_NUMBER = /^\(?(-?\d+(?:\.\d+)?)\)?(?:::[a-z ]+(?:\(\d+(?:,\d+)?\))?)?$/;

/** The value of a printed constant; undefined if it is no constant. */
function printedValue(printed: string): string | undefined {
  if (printed === "true" || printed === "false") return printed;
  const text = PRINTED_TEXT.exec(printed)?.[1];
  return text?.replaceAll("''", "'") ?? PRINTED_NUMBER.exec(printed)?.[1];
}
