// Keys, checks and indexes of a table that stays: which are kept (perhaps under a new name), changed, removed,
// added. The old ones are first put into the new names of tables and columns, then compared by what they do.

import { type CatalogForeignKey, type CatalogTable, stableJson } from "./catalog.js";
import { findPair, hasNewType, newColumnName, newTableName, type Pairing, type TablePair } from "./pairs.js";

export interface PartChanges<Part> {
  /** By their old names. */
  readonly removed: readonly Part[];
  readonly added: readonly Part[];
  /** In new names: they are renamed before they are changed, so that no two ever want the same name. */
  readonly changed: readonly { readonly from: Part; readonly to: Part }[];
  readonly renamed: readonly Rename[];
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

export interface TableChanges {
  readonly pair: TablePair;
  readonly primaryKey: PartChanges<NonNullable<CatalogTable["primaryKey"]>>;
  readonly uniques: PartChanges<CatalogTable["uniques"][number]>;
  readonly foreignKeys: PartChanges<CatalogForeignKey>;
  readonly checks: PartChanges<CatalogTable["checks"][number]>;
  readonly indexes: PartChanges<CatalogTable["indexes"][number]>;
}

export function compareParts(pair: TablePair, pairing: Pairing): TableChanges {
  const { from, to } = pair;
  const project = <Part extends AnyPart>(parts: readonly Part[]) => projectAll(parts, pair);
  const listOf = ({ primaryKey }: CatalogTable) => (primaryKey ? [primaryKey] : []);
  const never = () => null;
  return {
    pair,
    primaryKey: compare(project(listOf(from)), listOf(to), never),
    uniques: compare(project(from.uniques), to.uniques, never),
    foreignKeys: compare(projectForeignKeys(pair, pairing), to.foreignKeys, linkOf),
    checks: compare(project(from.checks), to.checks, valuesOf),
    indexes: compare(project(from.indexes), to.indexes, never),
  };
}

/** Checks of the same column differ in the values they allow. */
function valuesOf({ columns, special }: CatalogTable["checks"][number]): string | null {
  return special === null ? JSON.stringify(columns) : null;
}

interface AnyPart {
  readonly name: string;
  readonly special: string | null;
  readonly columns: readonly (string | { readonly name: string })[];
}

/** What was, and the same in new names; null if nothing of it can stay. */
interface Projected<Part> {
  readonly old: Part;
  readonly now: Part | null;
}

/**
 * Parts over a dropped column are left out: PostgreSQL drops them with it. Special ones cannot stay. Their columns
 * may be nameless expressions.
 */
function projectAll<Part extends AnyPart>(parts: readonly Part[], pair: TablePair): Projected<Part>[] {
  const nameOf = (column: Part["columns"][number]) => (typeof column === "string" ? column : column.name);
  return parts.flatMap((old): Projected<Part>[] => {
    const names = old.columns.map((column) => newColumnName(pair, nameOf(column)));
    if (names.some((name, index) => name === undefined && nameOf(old.columns[index] ?? "") !== "")) return [];
    if (old.special !== null) return [{ old, now: null }];
    const columns = old.columns.map((column, index) =>
      typeof column === "string" ? names[index] : { ...column, name: names[index] },
    );
    return [{ old, now: { ...old, columns } as Part }];
  });
}

/** A foreign key to a table that goes, or over a column that changes its type on either side, goes first. */
function projectForeignKeys(pair: TablePair, pairing: Pairing): Projected<CatalogForeignKey>[] {
  return projectAll(pair.from.foreignKeys, pair).map(({ old, now }) => {
    const table = newTableName(pairing, old.table);
    const target = table === undefined ? undefined : findPair(pairing, table);
    const targetColumns = target ? old.targetColumns.map((name) => newColumnName(target, name)) : [];
    if (!now || !target || table === undefined || targetColumns.includes(undefined))
      return { old, now: null };
    const isRetyped = changesType(pair, old.columns) || changesType(target, old.targetColumns);
    const columns = targetColumns.filter((name) => name !== undefined);
    return { old, now: isRetyped ? null : { ...now, table, targetColumns: columns } };
  });
}

function changesType(pair: TablePair, columns: readonly string[]): boolean {
  return pair.columns.some((column) => columns.includes(column.from.name) && hasNewType(column));
}

/**
 * Foreign keys with the same link differ in what a deletion does, which one statement can change. A special one
 * may never have been checked, so it is replaced like any other.
 */
function linkOf({ columns, table, targetColumns, special }: CatalogForeignKey): string | null {
  return special === null ? JSON.stringify([columns, table, targetColumns]) : null;
}

function compare<Part extends AnyPart>(
  old: readonly Projected<Part>[],
  wanted: readonly Part[],
  changeKey: (part: Part) => string | null,
): PartChanges<Part> {
  const kept = pairUp(old, wanted, shapeOf);
  const changed = pairUp(kept.oldLeft, kept.wantedLeft, changeKey);
  return {
    removed: changed.oldLeft.map((item) => item.old),
    added: changed.wantedLeft,
    changed: changed.pairs.map(({ old: { old: before, now }, wanted: to }) => ({ from: now ?? before, to })),
    renamed: [...kept.pairs, ...changed.pairs]
      .filter((pair) => pair.old.old.name !== pair.wanted.name)
      .map((pair) => ({ from: pair.old.old.name, to: pair.wanted.name })),
  };
}

function shapeOf(part: AnyPart): string {
  return stableJson({ ...part, name: "" });
}

/** Pairs with the same key, those of the same name first. A key of null matches nothing. */
function pairUp<Part extends AnyPart>(
  old: readonly Projected<Part>[],
  wanted: readonly Part[],
  keyOf: (part: Part) => string | null,
) {
  const oldLeft = [...old];
  const pairs: { readonly old: Projected<Part>; readonly wanted: Part }[] = [];
  const take = (part: Part, isRight: (item: Projected<Part>) => boolean) => {
    const key = keyOf(part);
    const index = oldLeft.findIndex(
      (item) => key !== null && item.now !== null && keyOf(item.now) === key && isRight(item),
    );
    const [found] = index < 0 ? [] : oldLeft.splice(index, 1);
    if (found) pairs.push({ old: found, wanted: part });
    return found !== undefined;
  };
  const rest = wanted.filter((part) => !take(part, (item) => item.old.name === part.name));
  const wantedLeft = rest.filter((part) => !take(part, () => true));
  return { oldLeft, pairs, wantedLeft };
}
