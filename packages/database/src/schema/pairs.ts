// Two catalogs side by side: which table and column became which, and what the new value of a column is in
// terms of the old row.

import { castSafely, findCast } from "./casts.js";
import type { Catalog, CatalogColumn, CatalogTable } from "./catalog.js";
import { castName } from "./column-type.js";
import { quoteName } from "./quote.js";
import { oldNames, type Renames } from "./renames.js";
import type { TableNames } from "./step.js";

export interface TablePair {
  readonly from: CatalogTable;
  readonly to: CatalogTable;
  readonly columns: readonly ColumnPair[];
  readonly added: readonly CatalogColumn[];
  readonly dropped: readonly CatalogColumn[];
}

export interface ColumnPair {
  readonly from: CatalogColumn;
  readonly to: CatalogColumn;
}

export interface Pairing {
  readonly pairs: readonly TablePair[];
  readonly created: readonly CatalogTable[];
  readonly dropped: readonly CatalogTable[];
}

export function pairCatalogs(from: Catalog, to: Catalog, renames: Renames): Pairing {
  const { matched, added, dropped } = match(from.tables, to.tables, renames.tables);
  const pairs = matched.map((pair) => {
    const columns = match(pair.from.columns, pair.to.columns, renames.columns.get(pair.to.name) ?? new Map());
    return { ...pair, columns: columns.matched, added: columns.added, dropped: columns.dropped };
  });
  return { pairs, created: added, dropped };
}

interface Matching<Item> {
  readonly matched: readonly { readonly from: Item; readonly to: Item }[];
  readonly added: readonly Item[];
  readonly dropped: readonly Item[];
}

function match<Item extends { readonly name: string }>(
  from: readonly Item[],
  to: readonly Item[],
  renames: ReadonlyMap<string, string>,
): Matching<Item> {
  const old = new Map(from.map((item) => [item.name, item]));
  const oldNameOf = oldNames(renames);
  const sourceOf = ({ name }: Item) => {
    const oldName = oldNameOf(name);
    return oldName === undefined ? undefined : old.get(oldName);
  };
  const matched = to.flatMap((item) => {
    const source = sourceOf(item);
    return source ? [{ from: source, to: item }] : [];
  });
  const used = new Set(matched.map((pair) => pair.from.name));
  return {
    matched,
    added: to.filter((item) => !sourceOf(item)),
    dropped: from.filter((item) => !used.has(item.name)),
  };
}

export function namesOf({ from, to }: TablePair): TableNames {
  return { live: from.name, name: to.name };
}

export function hasNewType({ from, to }: ColumnPair): boolean {
  return from.type !== to.type;
}

/** SQL of what a column will hold, over a row as it is now. Never fails; what cannot be cast is null. */
export function newValueSql(pair: TablePair, column: string): string {
  const kept = pair.columns.find(({ to }) => to.name === column);
  if (kept) {
    const name = quoteName(kept.from.name);
    return hasNewType(kept) ? castSafely(findCast(kept.from.type, kept.to.type), name) : name;
  }
  const added = pair.added.find(({ name }) => name === column);
  return `(${added?.default ?? "NULL"})::${castName(added?.type ?? "text")}`;
}

export function findPair(pairing: Pairing, table: string): TablePair | undefined {
  return pairing.pairs.find(({ to }) => to.name === table);
}

/** The live table's new name; undefined if it goes. */
export function newTableName({ pairs }: Pairing, table: string): string | undefined {
  return pairs.find(({ from }) => from.name === table)?.to.name;
}

export function newColumnName(pair: TablePair, column: string): string | undefined {
  return pair.columns.find(({ from }) => from.name === column)?.to.name;
}
