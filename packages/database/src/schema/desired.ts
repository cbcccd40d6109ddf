// The catalog that a definition asks for, and what else the definition knows of its columns.
//
// Ids of the type uuid have no default: they are UUIDv7 and made by the server, and a default of
// gen_random_uuid() (version 4; uuidv7() only exists since PostgreSQL 18) would quietly mix two orders.

import type { Column, Definition, FieldMember, ForeignKey, Model } from "@stoa/definition";
import type {
  Catalog,
  CatalogColumn,
  CatalogForeignKey,
  CatalogKey,
  CatalogTable,
  OnDelete,
} from "./catalog.js";
import { columnTypeSql } from "./column-type.js";
import { defaultSql, TIMESTAMP_DEFAULT } from "./default-value.js";

export function desiredCatalog(definition: Definition): Catalog {
  return { tables: definition.models.map(desiredTable) };
}

function desiredTable(model: Model): CatalogTable {
  const { table } = model;
  const fields = fieldsByColumn(model);
  return {
    name: table.name,
    columns: table.columns.map((column) => desiredColumn(column, fields.get(column.name))),
    primaryKey: desiredKey(table.primaryKey),
    uniques: onceEach(table.uniques).map(desiredKey),
    foreignKeys: table.foreignKeys.map(desiredForeignKey),
    checks: table.checks.map((check) => ({ ...desiredKey(check), values: [...check.values].sort() })),
    indexes: onceEach(table.indexes).map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => ({ name: column.name, descending: column.descending })),
      special: null,
    })),
  };
}

export function fieldsByColumn(model: Model): ReadonlyMap<string, FieldMember> {
  const fields = model.members.filter((member): member is FieldMember => member.kind === "field");
  return new Map(fields.map((field) => [field.column, field]));
}

function desiredColumn(column: Column, field: FieldMember | undefined): CatalogColumn {
  const type = columnTypeSql(column.type);
  return {
    name: column.name,
    type,
    nullable: column.nullable,
    default: field ? desiredDefault(field, type) : null,
    generated: column.generated === "identity" ? "identity" : null,
  };
}

function desiredDefault(field: FieldMember, type: string): string | null {
  if (field.maintained) return TIMESTAMP_DEFAULT;
  return field.default ? defaultSql(field.default, type) : null;
}

function desiredKey({
  name,
  columns,
}: {
  readonly name: string;
  readonly columns: readonly string[];
}): CatalogKey {
  return { name, columns: [...columns], special: null };
}

/**
 * `restrict` is NO ACTION to PostgreSQL: looked at when the statement ends. Its own RESTRICT looks at once, and
 * with two ways of deletion to the same row, the age of the constraints would decide whether it fails.
 */
const ON_DELETE: Readonly<Record<ForeignKey["onDelete"], OnDelete>> = {
  cascade: "cascade",
  "set null": "set null",
  restrict: "no action",
};

function desiredForeignKey(key: ForeignKey): CatalogForeignKey {
  return {
    ...desiredKey(key),
    table: key.table,
    targetColumns: [...key.targetColumns],
    onDelete: ON_DELETE[key.onDelete],
  };
}

/** `unique` on a field and `unique { field }` ask for the same constraint. */
function onceEach<Part extends { readonly name: string }>(parts: readonly Part[]): Part[] {
  return [...new Map(parts.map((part) => [part.name, part])).values()];
}
