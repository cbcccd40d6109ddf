// Steps for whole tables: dropped, renamed, created.

import { byName, type CatalogForeignKey, type CatalogTable } from "./catalog.js";
import * as say from "./messages.js";
import type { Pairing, TablePair } from "./pairs.js";
import type { Rename, TableChanges } from "./parts.js";
import { orderRenames } from "./rename-order.js";
import * as sql from "./statements.js";
import type { Step, StepKind } from "./step.js";

/** Tables that refer to each other are dropped one by one, after the keys that hold on to the next. */
export function dropTables(schema: string, { dropped }: Pairing): Step[] {
  const rest = new Map(dropped.map((table) => [table.name, table]));
  return byName(dropped).map(({ name }) => {
    rest.delete(name);
    const loose = [...rest.values()].flatMap((other) =>
      other.foreignKeys
        .filter((key) => key.table === name)
        .map((key) => sql.dropConstraint({ schema, table: other.name }, key.name)),
    );
    return {
      kind: "drop-table",
      class: "destructive",
      words: say.dropsTable(name),
      statements: [...loose, sql.dropTable({ schema, table: name })],
      affects: { table: name, columns: [], constraint: null },
      needs: [{ kind: "no-dependents", table: { live: name, name }, column: null }],
    };
  });
}

// ---------------------------------------------------------------- renames

export function renameTables(schema: string, { pairs }: Pairing): Step[] {
  const items = pairs
    .map((pair) => ({ from: pair.from.name, to: pair.to.name }))
    .filter(({ from, to }) => from !== to);
  return renameSteps(items, {
    kind: "rename-table",
    statement: ({ from, to }) => sql.renameTable({ schema, table: from }, to),
    words: ({ from, to }) => say.renamesTable(from, to),
    affects: ({ to }) => ({ table: to, columns: [], constraint: null }),
  });
}

export function renameColumns(schema: string, pair: TablePair): Step[] {
  const table = pair.to.name;
  const items = pair.columns
    .map((column) => ({ from: column.from.name, to: column.to.name }))
    .filter(({ from, to }) => from !== to);
  return renameSteps(items, {
    kind: "rename-column",
    statement: ({ from, to }) => sql.renameColumn({ schema, table }, from, to),
    words: ({ from, to }) => say.renamesColumn(table, from, to),
    affects: ({ to }) => ({ table, columns: [to], constraint: null }),
  });
}

interface RenameText {
  readonly kind: StepKind;
  readonly statement: (rename: Rename) => string;
  readonly words: (rename: Rename) => string;
  readonly affects: (rename: Rename) => Step["affects"];
}

/** Names in passing are given in the first step, before anything else. */
function renameSteps(items: readonly Rename[], text: RenameText): Step[] {
  const { parked, final } = orderRenames(items);
  return final.map(({ from, to, item }, index) => ({
    kind: text.kind,
    class: "additive",
    words: text.words(item),
    statements: [...(index === 0 ? parked.map(text.statement) : []), text.statement({ from, to })],
    affects: text.affects(item),
    needs: [],
  }));
}

interface ConstraintRename extends Rename {
  readonly table: string;
}

/**
 * Names of constraints and indexes follow those of tables and columns. Names of indexes, and so of primary keys
 * and unique constraints, are unique in the schema; those of the others in their table.
 */
export function renameConstraints(schema: string, changes: readonly TableChanges[]): Step[] {
  const indexes = orderRenames(
    changes.flatMap(({ pair, primaryKey, uniques, indexes: own }) =>
      inTable(pair, [...primaryKey.renamed, ...uniques.renamed, ...own.renamed]),
    ),
  );
  const parkedFirst = indexes.parked.map(({ from, to }) => sql.renameIndex(schema, from, to));
  const steps = changes.flatMap(({ pair, foreignKeys, checks }): Step[] => {
    const table = pair.to.name;
    const others = orderRenames([...foreignKeys.renamed, ...checks.renamed]);
    const ownIndexes = indexes.final.filter(({ item }) => item.table === table);
    const statements = [
      ...ownIndexes.map(({ from, to }) => sql.renameIndex(schema, from, to)),
      ...[...others.parked, ...others.final].map(({ from, to }) =>
        sql.renameConstraint({ schema, table }, from, to),
      ),
    ];
    if (statements.length === 0) return [];
    const words = say.renamesConstraints(table, ownIndexes.length + others.final.length);
    const affects = { table, columns: [], constraint: null };
    return [{ kind: "rename-constraints", class: "additive", words, statements, affects, needs: [] }];
  });
  return steps.map((step, index) =>
    index === 0 ? { ...step, statements: [...parkedFirst, ...step.statements] } : step,
  );
}

function inTable({ to }: TablePair, renames: readonly Rename[]): ConstraintRename[] {
  return renames.map((rename) => ({ ...rename, table: to.name }));
}

// ---------------------------------------------------------------- new tables

export interface CreatedTables {
  readonly steps: readonly Step[];
  /** Foreign keys to tables that come later: only where tables refer to each other in a ring. */
  readonly later: readonly { readonly table: string; readonly key: CatalogForeignKey }[];
}

export function createTables(schema: string, { created }: Pairing): CreatedTables {
  const done = new Set<string>();
  const coming = new Set(created.map((table) => table.name));
  const tables = inOrderOfReference(created).map((table) => {
    done.add(table.name);
    const isThere = (key: CatalogForeignKey) => !coming.has(key.table) || done.has(key.table);
    const keys = table.foreignKeys.filter(isThere);
    return { table, keys, later: table.foreignKeys.filter((key) => !isThere(key)) };
  });
  return {
    steps: tables.map(({ table, keys }) => createTable(schema, table, keys)),
    later: tables.flatMap(({ table, later }) => later.map((key) => ({ table: table.name, key }))),
  };
}

function createTable(schema: string, table: CatalogTable, keys: readonly CatalogForeignKey[]): Step {
  const place = { schema, table: table.name };
  return {
    kind: "create-table",
    class: "additive",
    words: say.createsTable(table.name),
    statements: [
      sql.createTable(schema, table, keys),
      ...table.indexes.map((index) => sql.createIndex(place, index)),
    ],
    affects: { table: table.name, columns: table.columns.map(({ name }) => name), constraint: null },
    needs: [],
  };
}

/** Tables after those that they refer to, as far as there is such an order. */
function inOrderOfReference(tables: readonly CatalogTable[]): CatalogTable[] {
  const byTable = new Map(byName(tables).map((table) => [table.name, table]));
  const seen = new Set<string>();
  const order: CatalogTable[] = [];
  for (const start of byTable.values()) {
    const stack = [{ table: start, isReady: false }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      if (top.isReady) order.push(top.table);
      if (top.isReady || seen.has(top.table.name)) continue;
      seen.add(top.table.name);
      stack.push({ table: top.table, isReady: true });
      for (const key of top.table.foreignKeys) {
        const target = byTable.get(key.table);
        if (target && !seen.has(target.name)) stack.push({ table: target, isReady: false });
      }
    }
  }
  return order;
}
