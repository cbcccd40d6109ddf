// Which part of a live database is Stoa's business. A push may drop what is not in the definition any more, but
// never what someone else put there: a table, a column, an index, a constraint of their own.
//
// Known by a record: every push leaves the catalog it has made in the database. What the definition describes,
// or the last push described, is managed; the rest is left alone. A table of the record only counts as long as
// its primary key still has the recorded name: one that was made anew by other hands has another. Comments on
// the objects were the other choice; they take a statement for each object and are in the way of people's own.

import type { Catalog, CatalogColumn, CatalogTable } from "./catalog.js";
import { columnOnlyElsewhere, type PushWarning } from "./messages.js";
import { oldNames, type Renames } from "./renames.js";
import type { TableNames } from "./step.js";

export interface Managed {
  readonly catalog: Catalog;
  /** Tables that the definition describes and no push has described before. */
  readonly takenOver: readonly TableNames[];
  readonly warnings: readonly PushWarning[];
}

export interface ManagedInput {
  readonly live: Catalog;
  readonly desired: Catalog;
  /** The catalog of the last push. */
  readonly recorded: Catalog;
  readonly renames: Renames;
}

export function managedPart({ live, desired, recorded, renames }: ManagedInput): Managed {
  const oldNameOf = oldNames(renames.tables);
  const bySource = new Map(desired.tables.map((table) => [oldNameOf(table.name), table]));
  const records = new Map(recorded.tables.map((table) => [table.name, table]));
  const parts = live.tables.flatMap((table) => {
    const record = recordOf(table, records.get(table.name));
    const wanted = bySource.get(table.name);
    if (!wanted && !record) return [];
    const sources = wanted ? columnSources(wanted, renames) : new Map<string, string>();
    return [{ table, context: { wanted, record, sources } }];
  });
  return {
    catalog: { tables: parts.map(({ table, context }) => managedTable(table, context)) },
    takenOver: parts.flatMap(({ table, context: { wanted, record } }) =>
      wanted && !record ? [{ live: table.name, name: wanted.name }] : [],
    ),
    warnings: parts.flatMap(({ table, context }) => strangers(table, context)),
  };
}

interface TableContext {
  readonly wanted: CatalogTable | undefined;
  readonly record: CatalogTable | undefined;
  /** Old names of the wanted columns to new ones. */
  readonly sources: ReadonlyMap<string, string>;
}

function recordOf(table: CatalogTable, record: CatalogTable | undefined): CatalogTable | undefined {
  return record?.primaryKey?.name === table.primaryKey?.name ? record : undefined;
}

function columnSources(wanted: CatalogTable, renames: Renames): Map<string, string> {
  const oldNameOf = oldNames(renames.columns.get(wanted.name));
  return new Map(
    wanted.columns.flatMap(({ name }) => {
      const oldName = oldNameOf(name);
      return oldName === undefined ? [] : [[oldName, name] as const];
    }),
  );
}

function managedTable(table: CatalogTable, context: TableContext): CatalogTable {
  return {
    ...table,
    columns: table.columns.filter((column) => isManagedColumn(column, context)),
    uniques: managedOf(table, context, "uniques"),
    foreignKeys: managedOf(table, context, "foreignKeys"),
    checks: managedOf(table, context, "checks"),
    indexes: managedOf(table, context, "indexes"),
  };
}

function isManagedColumn({ name }: CatalogColumn, { sources, record }: TableContext): boolean {
  return sources.has(name) || (record?.columns.some((column) => column.name === name) ?? false);
}

type PartList = "uniques" | "foreignKeys" | "checks" | "indexes";
type Part<List extends PartList> = CatalogTable[List][number];

/** By name; or as the only one to do what the definition asks for, then it gets the derived name. */
function managedOf<List extends PartList>(
  table: CatalogTable,
  { wanted, record, sources }: TableContext,
  list: List,
): Part<List>[] {
  const parts = table[list] as readonly Part<List>[];
  const names = new Set([...(wanted?.[list] ?? []), ...(record?.[list] ?? [])].map((part) => part.name));
  const present = new Set(parts.map((part) => part.name));
  const missing = (wanted?.[list] ?? []).filter((part) => !present.has(part.name));
  const shapes = new Set(missing.map((part) => columnsKey(part, new Map())));
  return parts.filter(
    (part) => names.has(part.name) || (part.special === null && shapes.delete(columnsKey(part, sources))),
  );
}

function columnsKey(part: Part<PartList>, sources: ReadonlyMap<string, string>): string {
  const columns = part.columns.map((column) =>
    typeof column === "string"
      ? (sources.get(column) ?? column)
      : { ...column, name: sources.get(column.name) ?? column.name },
  );
  return JSON.stringify(columns);
}

/** Columns of others in a managed table stay; a required one makes every insert fail. */
function strangers(table: CatalogTable, context: TableContext): PushWarning[] {
  if (!context.wanted) return [];
  return table.columns
    .filter((column) => !isManagedColumn(column, context))
    .map((column) =>
      columnOnlyElsewhere(table.name, column.name, {
        blocksInserts: !column.nullable && column.default === null && column.generated === null,
      }),
    );
}
