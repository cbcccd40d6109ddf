// Steps for keys, checks and indexes of tables that stay: drops before the columns change, additions after.

import type { CatalogCheck, CatalogForeignKey, CatalogIndex, CatalogKey } from "./catalog.js";
import { isDistinctDefault } from "./default-value.js";
import * as say from "./messages.js";
import { findPair, namesOf, newValueSql, type Pairing, type TablePair } from "./pairs.js";
import type { TableChanges } from "./parts.js";
import * as sql from "./statements.js";
import type { Requirement, Step, StepClass, StepKind } from "./step.js";

interface StepText {
  readonly kind: StepKind;
  readonly class: StepClass;
  readonly words: string;
  readonly statement: string;
  readonly needs?: readonly Requirement[];
}

function stepOn(table: string, part: CatalogKey | CatalogIndex, { statement, ...text }: StepText): Step {
  const columns = part.columns.map((column) => (typeof column === "string" ? column : column.name));
  return {
    ...text,
    statements: [statement],
    affects: { table, columns, constraint: part.name },
    needs: text.needs ?? [],
  };
}

// ---------------------------------------------------------------- drops, by old names

export function dropForeignKeys(schema: string, { pair, foreignKeys }: TableChanges): Step[] {
  const place = { schema, table: pair.from.name };
  return foreignKeys.removed.map((key) =>
    stepOn(place.table, key, {
      kind: "drop-foreign-key",
      class: "widening",
      words: say.dropsForeignKey(place.table, key),
      statement: sql.dropConstraint(place, key.name),
    }),
  );
}

export function dropConstraints(schema: string, { pair, ...changes }: TableChanges): Step[] {
  const place = { schema, table: pair.from.name };
  const { table } = place;
  const drop = (part: CatalogKey, kind: StepKind, words: string) =>
    stepOn(table, part, { kind, class: "widening", words, statement: sql.dropConstraint(place, part.name) });
  return [
    ...changes.checks.removed.map((check) =>
      drop(check, "drop-check", say.unlimitsValues(`${table}.${check.columns.join(", ")}`)),
    ),
    ...changes.uniques.removed.map((key) =>
      drop(key, "drop-unique", say.allowsDuplicates(table, key.columns)),
    ),
    ...changes.primaryKey.removed.map((key) =>
      drop(key, "drop-primary-key", say.dropsPrimaryKey(table, key.columns)),
    ),
    ...changes.indexes.removed.map((index) =>
      stepOn(table, index, {
        kind: "drop-index",
        class: "widening",
        words: say.dropsIndex(table, index),
        statement: sql.dropIndex(schema, index.name),
      }),
    ),
  ];
}

// ---------------------------------------------------------------- additions, by new names

export function addPrimaryKeys(schema: string, { pair, primaryKey }: TableChanges): Step[] {
  const place = { schema, table: pair.to.name };
  return primaryKey.added.map((key) =>
    stepOn(place.table, key, {
      kind: "add-primary-key",
      class: "data",
      words: say.addsPrimaryKey(place.table, key.columns),
      statement: sql.addPrimaryKey(place, key),
      needs: uniqueNeeds(pair, key.columns),
    }),
  );
}

export function addConstraints(schema: string, { pair, ...changes }: TableChanges): Step[] {
  const place = { schema, table: pair.to.name };
  return [
    ...changes.checks.added.map((check) => addCheck(place, pair, check)),
    ...changes.checks.changed.map((change) => changeCheck(place, pair, change)),
    ...changes.uniques.added.map((key) => addUnique(place, pair, key)),
    ...changes.indexes.added.map((index) => addIndex(place, index)),
  ];
}

function addUnique(place: sql.Place, pair: TablePair, key: CatalogKey): Step {
  return stepOn(place.table, key, {
    kind: "add-unique",
    class: "data",
    words: say.makesUnique(place.table, key.columns),
    statement: sql.addUnique(place, key),
    needs: uniqueNeeds(pair, key.columns),
  });
}

/** New columns that are null, or different in every row, make all rows different. */
function uniqueNeeds(pair: TablePair, columns: readonly string[]): Requirement[] {
  const isDistinct = pair.added.some(
    ({ name, default: value, generated }) =>
      columns.includes(name) && (generated !== null || value === null || isDistinctDefault(value)),
  );
  if (isDistinct) return [];
  const values = columns.map((name) => ({ name, sql: newValueSql(pair, name) }));
  const isNew = pair.added.some(({ name }) => columns.includes(name));
  return [{ kind: "unique", table: namesOf(pair), columns: values, isNew }];
}

function addIndex(place: sql.Place, index: CatalogIndex): Step {
  return stepOn(place.table, index, {
    kind: "add-index",
    class: "additive",
    words: say.addsIndex(place.table, index),
    statement: sql.createIndex(place, index),
  });
}

function addCheck(place: sql.Place, pair: TablePair, check: CatalogCheck): Step {
  return stepOn(place.table, check, {
    kind: "add-check",
    class: "data",
    words: say.limitsValues(`${place.table}.${check.columns.join(", ")}`, check.values),
    statement: sql.addCheck(place, check),
    needs: valueNeeds(pair, check),
  });
}

function valueNeeds(pair: TablePair, { columns, values }: CatalogCheck): Requirement[] {
  return columns.map((name) => ({
    kind: "values",
    table: namesOf(pair),
    column: { name, sql: newValueSql(pair, name) },
    values,
  }));
}

function changeCheck(
  place: sql.Place,
  pair: TablePair,
  { from, to }: { readonly from: CatalogCheck; readonly to: CatalogCheck },
): Step {
  const isWider = from.values.every((value) => to.values.includes(value));
  return stepOn(place.table, to, {
    kind: "change-check",
    class: isWider ? "widening" : "data",
    words: say.changesValues(`${place.table}.${to.columns.join(", ")}`, from.values, to.values),
    statement: sql.replaceCheck(place, to),
    needs: isWider ? [] : valueNeeds(pair, to),
  });
}

export function addForeignKeys(schema: string, changes: TableChanges, pairing: Pairing): Step[] {
  const { pair, foreignKeys } = changes;
  const place = { schema, table: pair.to.name };
  return [
    ...foreignKeys.added.map((key) =>
      stepOn(place.table, key, {
        kind: "add-foreign-key",
        class: "data",
        words: say.addsForeignKey(place.table, key),
        statement: sql.addForeignKey(place, key),
        needs: referenceNeeds(pair, key, pairing),
      }),
    ),
    ...foreignKeys.changed.map(({ to }) =>
      stepOn(place.table, to, {
        kind: "change-foreign-key",
        class: "widening",
        words: say.changesDeletion(place.table, to),
        statement: sql.replaceForeignKey(place, to),
      }),
    ),
  ];
}

/** New columns are null or, where they must not be, want an empty table: nothing to look at. */
function referenceNeeds(pair: TablePair, key: CatalogForeignKey, pairing: Pairing): Requirement[] {
  const [name, target] = [key.columns[0], key.targetColumns[0]];
  if (name === undefined || target === undefined || pair.added.some((column) => column.name === name)) {
    return [];
  }
  const targetPair = findPair(pairing, key.table);
  return [
    {
      kind: "references",
      table: namesOf(pair),
      column: { name, sql: newValueSql(pair, name) },
      target: targetPair ? { ...namesOf(targetPair), sql: newValueSql(targetPair, target) } : null,
      targetName: key.table,
    },
  ];
}

/** Of new tables that refer to each other: there are no rows yet. */
export function addForeignKeyLater(place: sql.Place, key: CatalogForeignKey): Step {
  return stepOn(place.table, key, {
    kind: "add-foreign-key",
    class: "additive",
    words: say.addsForeignKey(place.table, key),
    statement: sql.addForeignKey(place, key),
  });
}
