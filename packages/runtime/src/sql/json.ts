// Values on their way into JSON: row_to_json writes most types as the contract says; the others are texts.

import { quoteLiteral } from "@stoa/database";
import type { Type } from "@stoa/definition";

/** A value in the form that its JSON has. */
export function jsonValue(sql: string, type: Type): string {
  switch (type.kind) {
    case "decimal":
      return `${sql}::text`;
    case "datetime":
      return datetimeText(sql);
    default:
      return sql;
  }
}

/** RFC 3339 in UTC; `MS` cuts off what is finer than milliseconds. */
export function datetimeText(sql: string): string {
  return `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export function dateText(sql: string): string {
  return `to_char(${sql}, 'YYYY-MM-DD')`;
}

/** What stands under a key; a null inside JSON is null like any other. */
export function jsonPart(sql: string, name: string): string {
  return `nullif(${sql} -> ${quoteLiteral(name)}, 'null'::jsonb)`;
}

/** Any value as jsonb. */
export function asJsonb(sql: string, type: Type): string {
  return type.kind === "json" ? sql : `to_jsonb(${jsonValue(sql, type)})`;
}
