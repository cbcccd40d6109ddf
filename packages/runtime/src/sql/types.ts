// Types of values and their columns.

import type { Type } from "@stoa/definition";

/** The type that PostgreSQL keeps values of a type in. */
export function columnType(type: Type): string {
  switch (type.kind) {
    case "string":
    case "enum":
      return "text";
    case "integer":
      return "bigint";
    case "float":
      return "double precision";
    case "decimal":
      return "numeric";
    case "boolean":
      return "boolean";
    case "date":
      return "date";
    case "datetime":
      return "timestamptz";
    case "uuid":
      return "uuid";
    case "json":
      return "jsonb";
    case "record":
    case "collection":
    case "struct":
    case "array":
    case "null":
    case "any":
      throw new Error(`Values of the kind \`${type.kind}\` have no column.`);
  }
}

/** Strings compare by code points, whatever the database's own collation is. */
export function isText({ kind }: Type): boolean {
  return kind === "string" || kind === "enum";
}
