// A live database → its catalog: one schema, ordinary tables, and the names that everything else takes. Must run
// under the settings of `readableSession`, so that PostgreSQL prints what it stores in one spelling.

import type { Queryable } from "../connection/database.js";
import type {
  Catalog,
  CatalogCheck,
  CatalogColumn,
  CatalogForeignKey,
  CatalogIndex,
  CatalogKey,
  CatalogTable,
  OnDelete,
} from "./catalog.js";
import { canonicalDefault } from "./default-value.js";
import {
  CATALOG_QUERY,
  type CatalogRows,
  type ColumnRow,
  type ConstraintRow,
  type IndexRow,
  type RelationRow,
} from "./introspect-query.js";
import { quoteName } from "./quote.js";

export interface LiveSchema {
  /** The schema itself. */
  readonly exists: boolean;
  /** Stoa has left a record of a push in this database. */
  readonly recorded: boolean;
  readonly catalog: Catalog;
  /** Tables, views, indexes, sequences, types: whatever takes a name. */
  readonly relations: readonly RelationRow[];
}

/**
 * For the rest of the transaction: names are printed with their schemas, and times, dates and numbers in one
 * spelling, whatever the server's and the user's settings are. No query here runs long enough for compiling it
 * to pay.
 */
export async function readableSession(transaction: Queryable): Promise<void> {
  await transaction.execute(
    `SET LOCAL search_path = ''; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, YMD';` +
      ` SET LOCAL extra_float_digits = 1; SET LOCAL standard_conforming_strings = on; SET LOCAL jit = off`,
  );
}

export async function introspect(transaction: Queryable, schema: string): Promise<LiveSchema> {
  const [row] = await transaction.query<{ catalog: string }>(CATALOG_QUERY, [schema]);
  const rows: CatalogRows = JSON.parse(row?.catalog ?? "{}");
  return {
    exists: rows.exists,
    recorded: rows.recorded,
    catalog: { tables: readTables(rows) },
    relations: rows.relations,
  };
}

/** Names of the columns with these numbers; a number without a column, such as that of an expression, has none. */
type NamesOf = (table: string, numbers: readonly number[] | null) => string[];

function readTables(rows: CatalogRows): CatalogTable[] {
  const columns = groupByTable(rows.columns);
  const constraints = groupByTable(rows.constraints);
  const indexes = groupByTable(rows.indexes);
  const names = new Map(rows.columns.map((row) => [`${row.number} ${row.table}`, row.name]));
  const namesOf: NamesOf = (table, numbers) =>
    (numbers ?? []).map((number) => names.get(`${number} ${table}`) ?? "");
  return rows.tables.map((name) => {
    const own = constraints.get(name) ?? [];
    const ofKind = (kind: ConstraintRow["kind"]) => own.filter((constraint) => constraint.kind === kind);
    return {
      name,
      columns: (columns.get(name) ?? []).map(readColumn),
      primaryKey: ofKind("p").map((row) => readKey(row, namesOf))[0] ?? null,
      uniques: ofKind("u").map((row) => readKey(row, namesOf)),
      foreignKeys: ofKind("f").map((row) => readForeignKey(row, namesOf)),
      checks: ofKind("c").map((row) => readCheck(row, namesOf)),
      indexes: (indexes.get(name) ?? []).map((row) => readIndex(row, namesOf)),
    };
  });
}

function groupByTable<Row extends { readonly table: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.table);
    if (group) group.push(row);
    else groups.set(row.table, [row]);
  }
  return groups;
}

function readColumn(row: ColumnRow): CatalogColumn {
  const printed = row.type.replace(/^timestamp(\(\d\))? with time zone$/, "timestamptz$1");
  const type = row.collation === null ? printed : `${printed} COLLATE ${quoteName(row.collation)}`;
  const isStored = row.generated !== "";
  return {
    name: row.name,
    type,
    nullable: !row.notNull,
    default: isStored || row.default === null ? null : canonicalDefault(row.default, type),
    generated: isStored ? "stored" : row.identity === "" ? null : "identity",
  };
}

const PLAIN_KEY = /^(?:UNIQUE|PRIMARY KEY) \([^()]*\)$/;
const PLAIN_FOREIGN_KEY =
  /^FOREIGN KEY \([^()]*\) REFERENCES [^()]*\([^()]*\)(?: ON DELETE (?:CASCADE|SET NULL|RESTRICT|SET DEFAULT))?$/;
const PLAIN_INDEX = /^CREATE INDEX \S+ ON \S+ USING btree \([^ ,()]+(?: DESC)?(?:, [^ ,()]+(?: DESC)?)*\)$/;

/** A definition without the texts that people chose, so that what is left are PostgreSQL's own words. */
function withoutQuoted(definition: string): string {
  return definition.replace(/"(?:[^"]|"")*"/g, "name").replace(/'(?:[^']|'')*'/g, "''");
}

function specialUnless(plain: RegExp, definition: string): string | null {
  return plain.test(withoutQuoted(definition)) ? null : definition;
}

function readKey({ table, name, columns, definition }: ConstraintRow, namesOf: NamesOf): CatalogKey {
  return { name, columns: namesOf(table, columns), special: specialUnless(PLAIN_KEY, definition) };
}

const ON_DELETE: Readonly<Record<string, OnDelete>> = {
  a: "no action",
  r: "restrict",
  c: "cascade",
  n: "set null",
  d: "set default",
};

function readForeignKey(row: ConstraintRow, namesOf: NamesOf): CatalogForeignKey {
  return {
    name: row.name,
    columns: namesOf(row.table, row.columns),
    special: row.isNear ? specialUnless(PLAIN_FOREIGN_KEY, row.definition) : row.definition,
    table: row.target ?? "",
    targetColumns: row.isNear ? namesOf(row.target ?? "", row.targetColumns) : [],
    onDelete: ON_DELETE[row.onDelete] ?? "no action",
  };
}

const ENUM_CHECK = /^CHECK \(\(\S+ = ANY \(ARRAY\[(.*)\]\)\)\)$/s;
const ENUM_VALUES = /^(?:'(?:[^']|'')*'::text(?:, )?)*$/s;

/** Checks that a column holds one of some texts; any other is special. */
function readCheck({ table, name, definition, ...row }: ConstraintRow, namesOf: NamesOf): CatalogCheck {
  const columns = namesOf(table, row.columns);
  const column = columns[0] ?? "";
  const list = ENUM_CHECK.exec(definition.replace(quoteName(column), "name"))?.[1];
  if (columns.length !== 1 || list === undefined || !ENUM_VALUES.test(list)) {
    return { name, columns, special: definition, values: [] };
  }
  const values = [...list.matchAll(/'((?:[^']|'')*)'::text/gs)].map(([, value = ""]) =>
    value.replaceAll("''", "'"),
  );
  return { name, columns, special: null, values: values.sort() };
}

function readIndex({ table, name, valid, definition, ...row }: IndexRow, namesOf: NamesOf): CatalogIndex {
  const options = row.options.split(" ").map(Number);
  const names = namesOf(table, row.columns.split(" ").map(Number));
  return {
    name,
    columns: names.map((column, index) => ({ name: column, descending: ((options[index] ?? 0) & 1) === 1 })),
    special: valid ? specialUnless(PLAIN_INDEX, definition) : `${definition} (invalid)`,
  };
}
