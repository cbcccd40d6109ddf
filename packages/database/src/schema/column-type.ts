// Types of columns, in the one spelling that catalogs use, and what they are called by those who write Stoa.

import type { ColumnType } from "@stoa/definition";

/**
 * Texts are compared by code point everywhere, whatever the locale of the server. With the collation in the
 * column, plain indexes serve such comparisons, and nobody has to say it in every query.
 */
export const TEXT_TYPE = 'text COLLATE "C"';

export function columnTypeSql(type: ColumnType): string {
  if (type.kind === "text") return TEXT_TYPE;
  if (type.kind !== "numeric" || type.precision === undefined) return type.kind;
  return `numeric(${type.precision},${type.scale ?? 0})`;
}

export type TypeFamily =
  | "string"
  | "integer"
  | "float"
  | "decimal"
  | "boolean"
  | "date"
  | "datetime"
  | "local datetime"
  | "uuid"
  | "json"
  | "other";

export interface ParsedType {
  readonly family: TypeFamily;
  readonly sql: string;
  /** Of decimals with limits. */
  readonly precision?: number;
  readonly scale?: number;
}

/** Names as PostgreSQL prints them; those that Stoa makes, and their near relatives in older tables. */
const FAMILIES: Readonly<Record<string, TypeFamily>> = {
  text: "string",
  "character varying": "string",
  character: "string",
  bigint: "integer",
  integer: "integer",
  smallint: "integer",
  "double precision": "float",
  real: "float",
  numeric: "decimal",
  boolean: "boolean",
  date: "date",
  timestamptz: "datetime",
  "timestamp without time zone": "local datetime",
  uuid: "uuid",
  jsonb: "json",
  json: "json",
};

export function parseType(sql: string): ParsedType {
  const plain = sql.replace(/ COLLATE .*$/, "");
  const name = plain.replace(/\([^)]*\)/, "").trim();
  const family = FAMILIES[name] ?? "other";
  const limits = /\((\d+),(-?\d+)\)/.exec(plain);
  if (family !== "decimal" || !limits) return { family, sql };
  return { family, sql, precision: Number(limits[1]), scale: Number(limits[2]) };
}

/** The type without its collation, for casts. */
export function castName(sql: string): string {
  return sql.replace(/ COLLATE .*$/, "");
}

/** The name that people know: `decimal(10, 2)`, `datetime`. */
export function typeInWords(sql: string): string {
  const { family, precision, scale } = parseType(sql);
  if (family === "other" || family === "local datetime") return sql;
  return precision === undefined ? family : `${family}(${precision}, ${scale})`;
}
