// Values on their way into JSON: row_to_json writes most types as the contract says; the others are texts.

import { quoteLiteral, quoteName } from "@stoa/database";
import type { Type } from "@stoa/definition";

/**
 * The name of rows that become objects: `row_to_json(…)` of a row that has a column of the row's own name would be
 * that column alone, and no property is called so.
 */
export const ROW = quoteName("$row");

/** What PostgreSQL calls a column is cut off there; what clients read is not. */
const LONGEST_NAME = 63;
const OBJECT = quoteName("$object");

/** `value as "name"` for each property of an object. */
export function columnList(properties: readonly { readonly name: string; readonly sql: string }[]): string {
  if (properties.every(({ name }) => name.length <= LONGEST_NAME)) {
    return properties.map(({ name, sql }) => `${sql} as ${quoteName(name)}`).join(", ");
  }
  const pairs = properties.map(
    ({ name, sql }) => `(${quoteLiteral(name)}, (select to_json(v.item) from (select ${sql} as item) v))`,
  );
  return `(select json_object_agg(v.name, v.item) from (values ${pairs.join(", ")}) v(name, item)) as ${OBJECT}`;
}

/** The object that a row of such columns becomes. */
export function rowObject(columns: string): string {
  return columns.endsWith(` as ${OBJECT}`) ? `${ROW}.${OBJECT}` : `row_to_json(${ROW})`;
}

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
