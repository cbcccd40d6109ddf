// The catalog: tables as plain data, whether they come from a definition, a live database or a snapshot. Two
// catalogs that mean the same are the same data once they are in canonical order.

export interface Catalog {
  readonly tables: readonly CatalogTable[];
}

export interface CatalogTable {
  readonly name: string;
  readonly columns: readonly CatalogColumn[];
  /** Null only in tables that were not made by Stoa. */
  readonly primaryKey: CatalogKey | null;
  readonly uniques: readonly CatalogKey[];
  readonly foreignKeys: readonly CatalogForeignKey[];
  readonly checks: readonly CatalogCheck[];
  readonly indexes: readonly CatalogIndex[];
}

export interface CatalogColumn {
  readonly name: string;
  /** As it is written in SQL, in one spelling: `bigint`, `text COLLATE "C"`, `numeric(10,2)`. */
  readonly type: string;
  readonly nullable: boolean;
  /** SQL in one spelling: `'draft'`, `5`, `now()`. */
  readonly default: string | null;
  /** `stored` columns are computed by the database; Stoa makes none. */
  readonly generated: "identity" | "stored" | null;
}

interface CatalogPart {
  readonly name: string;
  /** SQL of what Stoa would never write (a partial index, a deferrable key); null for the plain thing. */
  readonly special: string | null;
}

export interface CatalogKey extends CatalogPart {
  readonly columns: readonly string[];
}

export interface CatalogForeignKey extends CatalogKey {
  readonly table: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: OnDelete;
}

export type OnDelete = "no action" | "restrict" | "cascade" | "set null" | "set default";

/** The column holds one of the values. */
export interface CatalogCheck extends CatalogKey {
  readonly values: readonly string[];
}

export interface CatalogIndex extends CatalogPart {
  readonly columns: readonly IndexColumn[];
}

export interface IndexColumn {
  readonly name: string;
  readonly descending: boolean;
}

export const EMPTY_CATALOG: Catalog = { tables: [] };

/** The order of a catalog's lists says nothing, except that of a key's columns. */
export function canonicalCatalog(catalog: Catalog): Catalog {
  return {
    tables: byName(catalog.tables).map((table) => ({
      name: table.name,
      columns: byName(table.columns),
      primaryKey: table.primaryKey,
      uniques: byName(table.uniques),
      foreignKeys: byName(table.foreignKeys),
      checks: byName(table.checks).map((check) => ({ ...check, values: [...check.values].sort() })),
      indexes: byName(table.indexes),
    })),
  };
}

export function isSameCatalog(a: Catalog, b: Catalog): boolean {
  return isSameData(canonicalCatalog(a), canonicalCatalog(b));
}

/** Plain data with the same content, whatever the order of keys. */
export function isSameData(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), b as Readonly<Record<string, unknown>>];
  if (Array.isArray(a) !== Array.isArray(b) || left.length !== Object.keys(right).length) return false;
  return left.every(([key, value]) => Object.hasOwn(right, key) && isSameData(value, right[key]));
}

/** JSON with sorted keys: equal data gives equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => compareNames(a, b)))
      : item,
  );
}

export function byName<Item extends { readonly name: string }>(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => compareNames(a.name, b.name));
}

export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function findTable(catalog: Catalog, name: string): CatalogTable | undefined {
  return catalog.tables.find((table) => table.name === name);
}
