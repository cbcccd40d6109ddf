// Steps for the columns of a table that stays.

import { findCast } from "./casts.js";
import type { CatalogColumn } from "./catalog.js";
import * as say from "./messages.js";
import { type ColumnPair, hasNewType, namesOf, type TablePair } from "./pairs.js";
import { quoteName } from "./quote.js";
import * as sql from "./statements.js";
import type { Requirement, Step, StepClass, StepKind } from "./step.js";

/** By its old name, since tables and columns are renamed after the drops. */
export function dropColumns(schema: string, pair: TablePair): Step[] {
  const place = { schema, table: pair.from.name };
  return pair.dropped.map(({ name }) => ({
    kind: "drop-column",
    class: "destructive",
    words: say.dropsColumn(pair.from.name, name),
    statements: [sql.dropColumn(place, name)],
    affects: { table: pair.from.name, columns: [name], constraint: null },
    needs: [{ kind: "no-dependents", table: namesOf(pair), column: name }],
  }));
}

export function changeColumns(schema: string, pair: TablePair): Step[] {
  return [
    ...pair.columns.flatMap((column) => changeColumn({ schema, pair, column })),
    ...pair.added.map((column) => addColumn(schema, pair, column)),
  ];
}

function addColumn(schema: string, pair: TablePair, column: CatalogColumn): Step {
  const place = { schema, table: pair.to.name };
  const isFilled = column.nullable || column.default !== null || column.generated === "identity";
  return {
    kind: "add-column",
    class: isFilled ? "additive" : "data",
    words: say.addsColumn(pair.to.name, column.name),
    statements: [sql.addColumn(place, column)],
    affects: { table: pair.to.name, columns: [column.name], constraint: null },
    needs: isFilled ? [] : [{ kind: "no-rows", table: namesOf(pair), column: column.name }],
  };
}

interface ColumnChange {
  readonly schema: string;
  readonly pair: TablePair;
  readonly column: ColumnPair;
}

/** Numbering ends before the type changes, and begins after the column is required, as it must be. */
function changeColumn(change: ColumnChange): Step[] {
  return [
    ...endGeneration(change),
    ...changeType(change),
    ...changeDefault(change),
    ...changeNull(change),
    ...beginNumbering(change),
  ];
}

interface StepText {
  readonly kind: StepKind;
  readonly class: StepClass;
  readonly words: string;
  readonly statements: readonly string[];
  readonly needs?: readonly Requirement[];
}

function step({ pair, column }: ColumnChange, text: StepText): Step {
  const affects = { table: pair.to.name, columns: [column.to.name], constraint: null };
  return { ...text, affects, needs: text.needs ?? [] };
}

function placeOf({ schema, pair }: ColumnChange): sql.Place {
  return { schema, table: pair.to.name };
}

function wordsFor({ pair, column }: ColumnChange): string {
  return `${pair.to.name}.${column.to.name}`;
}

function endGeneration(change: ColumnChange): Step[] {
  const { from, to } = change.column;
  if (from.generated === null || from.generated === to.generated) return [];
  const isNumbered = from.generated === "identity";
  const drop = isNumbered ? sql.dropIdentity : sql.dropExpression;
  return [
    step(change, {
      kind: "drop-identity",
      class: "widening",
      words: (isNumbered ? say.stopsNumbering : say.stopsComputing)(wordsFor(change)),
      statements: [drop(placeOf(change), to.name)],
    }),
  ];
}

/** A default of the old type may have no cast of its own, so it is taken away meanwhile. */
function changeType(change: ColumnChange): Step[] {
  const { pair, column } = change;
  const { from, to } = column;
  if (!hasNewType(column)) return [];
  const cast = findCast(from.type, to.type);
  const place = placeOf(change);
  const table = namesOf(pair);
  const live = quoteName(from.name);
  const castable: Requirement[] = cast.fits
    ? [
        {
          kind: "castable",
          table,
          column: { name: to.name, sql: live },
          fits: cast.fits(live),
          from: from.type,
          to: to.type,
          isPossible: cast.isPossible,
        },
      ]
    : [];
  return [
    step(change, {
      kind: "change-type",
      class: cast.class,
      words: say.changesType(wordsFor(change), from.type, to.type),
      statements: [
        ...(from.default === null ? [] : [sql.dropDefault(place, to.name)]),
        sql.changeType(place, to, cast.using(quoteName(to.name))),
        ...(from.default !== null && from.default === to.default
          ? [sql.setDefault(place, to.name, to.default)]
          : []),
      ],
      needs: [...castable, { kind: "no-dependents", table, column: from.name }],
    }),
  ];
}

function changeDefault(change: ColumnChange): Step[] {
  const { from, to } = change.column;
  if (from.default === to.default) return [];
  const place = placeOf(change);
  if (to.default === null) {
    const statements = [sql.dropDefault(place, to.name)];
    const words = say.dropsDefault(wordsFor(change));
    return [step(change, { kind: "drop-default", class: "widening", words, statements })];
  }
  const statements = [sql.setDefault(place, to.name, to.default)];
  const words = say.setsDefault(wordsFor(change), to.default);
  return [step(change, { kind: "set-default", class: "additive", words, statements })];
}

function changeNull(change: ColumnChange): Step[] {
  const { from, to } = change.column;
  if (from.nullable === to.nullable) return [];
  const place = placeOf(change);
  if (to.nullable) {
    const statements = [sql.dropNotNull(place, to.name)];
    const words = say.allowsNull(wordsFor(change));
    return [step(change, { kind: "drop-not-null", class: "widening", words, statements })];
  }
  const column = { name: to.name, sql: quoteName(from.name) };
  return [
    step(change, {
      kind: "set-not-null",
      class: "data",
      words: say.requiresValue(wordsFor(change)),
      statements: [sql.setNotNull(place, to.name)],
      needs: [{ kind: "no-nulls", table: namesOf(change.pair), column }],
    }),
  ];
}

function beginNumbering(change: ColumnChange): Step[] {
  const { from, to } = change.column;
  if (to.generated !== "identity" || from.generated === "identity") return [];
  return [
    step(change, {
      kind: "add-identity",
      class: "additive",
      words: say.numbersColumn(wordsFor(change)),
      statements: sql.addIdentity(placeOf(change), to.name),
    }),
  ];
}
