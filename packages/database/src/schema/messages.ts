// All that schema push says to people, one function per message. Three kinds: the words of a step ("adds …"),
// obstacles (what is in the way, and what to do about it) and warnings.

import type { CatalogForeignKey, CatalogIndex } from "./catalog.js";
import { typeInWords } from "./column-type.js";

// ---------------------------------------------------------------- words of steps

export const createsSchema = (schema: string) => `adds the schema ${schema}`;
export const takesOverTable = (table: string) => `takes over the table ${table}, which Stoa did not make`;
export const createsTable = (table: string) => `adds the table ${table}`;
export const dropsTable = (table: string) => `drops the table ${table} and all its rows`;
export const renamesTable = (from: string, to: string) => `renames the table ${from} to ${to}`;

export const addsColumn = (table: string, column: string) => `adds the column ${column} to ${table}`;
export const dropsColumn = (table: string, column: string) =>
  `drops the column ${column} of ${table} and all its values`;
export const renamesColumn = (table: string, from: string, to: string) =>
  `renames the column ${from} of ${table} to ${to}`;

export function changesType(column: string, from: string, to: string): string {
  const [before, after] = [typeInWords(from), typeInWords(to)];
  if (before !== after) return `changes the type of ${column} from ${before} to ${after}`;
  return `changes the type of ${column} from ${from} to ${to}`;
}

export const setsDefault = (column: string, value: string) => `sets the default of ${column} to ${value}`;
export const dropsDefault = (column: string) => `drops the default of ${column}`;
export const requiresValue = (column: string) => `makes ${column} required`;
export const allowsNull = (column: string) => `makes ${column} nullable`;
export const numbersColumn = (column: string) => `lets the database number ${column}`;
export const stopsNumbering = (column: string) => `stops the database from numbering ${column}`;
export const stopsComputing = (column: string) => `stops the database from computing ${column}`;

export const addsPrimaryKey = (table: string, columns: readonly string[]) =>
  `adds the primary key ${columnList(table, columns)}`;
export const dropsPrimaryKey = (table: string, columns: readonly string[]) =>
  `drops the primary key ${columnList(table, columns)}`;
export const makesUnique = (table: string, columns: readonly string[]) =>
  `makes ${columnList(table, columns)} unique`;
export const allowsDuplicates = (table: string, columns: readonly string[]) =>
  `allows duplicates in ${columnList(table, columns)}`;

export const addsForeignKey = (table: string, key: CatalogForeignKey) =>
  `makes ${columnList(table, key.columns)} refer to ${key.table}`;
export const dropsForeignKey = (table: string, key: CatalogForeignKey) =>
  `stops ${columnList(table, key.columns)} from referring to ${key.table}`;

export function changesDeletion(table: string, key: CatalogForeignKey): string {
  const column = columnList(table, key.columns);
  switch (key.onDelete) {
    case "cascade":
      return `deletes rows of ${table} when what ${column} refers to is deleted`;
    case "set null":
    case "set default":
      return `clears ${column} when what it refers to is deleted`;
    case "no action":
    case "restrict":
      return `refuses to delete what ${column} refers to`;
  }
}

export const limitsValues = (column: string, values: readonly string[]) =>
  `limits ${column} to ${values.join(", ")}`;
export const unlimitsValues = (column: string) => `allows any value in ${column}`;

export function changesValues(column: string, before: readonly string[], after: readonly string[]): string {
  const more = after.filter((value) => !before.includes(value));
  const less = before.filter((value) => !after.includes(value));
  if (less.length === 0) return `allows ${more.join(", ")} in ${column}`;
  if (more.length === 0) return `no longer allows ${less.join(", ")} in ${column}`;
  return `allows ${more.join(", ")} and no longer ${less.join(", ")} in ${column}`;
}

export const addsIndex = (table: string, index: CatalogIndex) =>
  `adds an index on ${indexList(table, index)}`;
export const dropsIndex = (table: string, index: CatalogIndex) => `drops the index ${index.name} of ${table}`;
export const renamesConstraints = (table: string, count: number) =>
  `renames ${plural(count, "constraint or index", "constraints and indexes")} of ${table} to match`;

function indexList(table: string, { columns }: CatalogIndex): string {
  return columnList(
    table,
    columns.map(({ name, descending }) => (descending ? `${name} desc` : name)),
  );
}

/** `book.title` or `book (title, year)`. */
function columnList(table: string, columns: readonly string[]): string {
  return columns.length === 1 ? `${table}.${columns[0]}` : `${table} (${columns.join(", ")})`;
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

// ---------------------------------------------------------------- obstacles

export interface Obstacle {
  readonly kind:
    | "no-rows"
    | "no-nulls"
    | "castable"
    | "unique"
    | "references"
    | "values"
    | "no-dependents"
    | "name-taken"
    | "newer-record";
  readonly table: string | null;
  readonly columns: readonly string[];
  /** Of rows, or of values that occur more than once. */
  readonly count: number;
  /** The first of them. */
  readonly rows: readonly RowInTheWay[];
  readonly message: string;
  /** What to do. */
  readonly hint: string;
}

export interface RowInTheWay {
  /** More than one where rows share a value; empty where the table has no `id`. */
  readonly ids: readonly string[];
  /** Null for secrets. */
  readonly value: string | null;
}

export interface InTheWay {
  readonly table: string;
  readonly columns: readonly string[];
  readonly count: number;
  readonly rows: readonly RowInTheWay[];
}

/** Why rows that are there get no value: there is no default, there cannot be one, or SQL cannot say it. */
export type LackOfDefault = "none" | "reference" | "computed";

const LACKS: Readonly<Record<LackOfDefault, { readonly why: string; readonly hint: string }>> = {
  none: { why: "has no default", hint: "give it a default" },
  reference: { why: "has no value to begin with", hint: "delete the rows" },
  computed: { why: "only the server can compute its default", hint: "write the default as a plain value" },
};

export function tableNotEmpty(found: InTheWay, lack: LackOfDefault): Obstacle {
  const column = columnList(found.table, found.columns);
  const { why, hint } = LACKS[lack];
  return {
    kind: "no-rows",
    ...found,
    message: `${column} is required and ${why}, but ${found.table} has ${rowsInWords(found)}.`,
    hint: `${hint}; or make it nullable, push, fill it in, and make it required then`,
  };
}

export function nullsPresent(found: InTheWay, update: string): Obstacle {
  const column = columnList(found.table, found.columns);
  return {
    kind: "no-nulls",
    ...found,
    message: `${column} cannot be required: it is null in ${rowsInWords(found)}.`,
    hint: `fill it in first (${update}), or leave it nullable`,
  };
}

export interface TypeChange {
  readonly from: string;
  readonly to: string;
  /** Some values of the one type are values of the other. */
  readonly isPossible: boolean;
}

export function notCastable(found: InTheWay, { isPossible, ...types }: TypeChange): Obstacle {
  const column = columnList(found.table, found.columns);
  const [from, to] = [typeInWords(types.from), typeInWords(types.to)];
  const why = isPossible
    ? `${valuesInWords(found)} does not fit`
    : `there is no way from one to the other, and ${valuesInWords(found)} is there`;
  const first = isPossible ? "change these values first" : "delete these values or rows first";
  return {
    kind: "castable",
    ...found,
    message: `${column} cannot change from ${from} to ${to}: ${why}.`,
    hint: `${first}, or keep the type ${from}, or add a field of another name`,
  };
}

export function duplicatesPresent(found: InTheWay, isNew: boolean): Obstacle {
  const column = columnList(found.table, found.columns);
  const values = plural(found.count, "value occurs", "values occur");
  return {
    kind: "unique",
    ...found,
    message: `${column} cannot be unique: ${values} more than once (${listInWords(found)}).`,
    hint: isNew
      ? "the default would be the same in all rows: make it nullable without one, push, and fill it in"
      : "change or delete the duplicates first",
  };
}

export function targetsMissing(found: InTheWay, target: string): Obstacle {
  const column = columnList(found.table, found.columns);
  return {
    kind: "references",
    ...found,
    message: `${column} cannot refer to ${target}: ${rowsWithValues(found)} would point nowhere.`,
    hint: "point these rows at something that exists, set them to null, or delete them",
  };
}

export function valuesNotAllowed(found: InTheWay, values: readonly string[]): Obstacle {
  const column = columnList(found.table, found.columns);
  return {
    kind: "values",
    ...found,
    message: `${column} cannot be limited to ${values.join(", ")}: ${valuesInWords(found)} is not among them.`,
    hint: "change these rows first, or add the values to the enum",
  };
}

export function usedByOthers(table: string, column: string | null, users: readonly string[]): Obstacle {
  const what = column === null ? `The table ${table}` : `The column ${table}.${column}`;
  return {
    kind: "no-dependents",
    table,
    columns: column === null ? [] : [column],
    count: users.length,
    rows: [],
    message: `${what} cannot be changed or dropped: it is used by ${users.join(", ")}, not made by Stoa.`,
    hint: "drop that first, and make it again after the push",
  };
}

const RELATION_KINDS: Readonly<Record<string, string>> = {
  r: "a table",
  p: "a partitioned table",
  v: "a view",
  m: "a materialized view",
  f: "a foreign table",
  i: "an index",
  I: "an index",
  S: "a sequence",
  c: "a type",
  type: "a type",
};

export function nameTaken(table: string, name: string, kind: string): Obstacle {
  const what = name === table ? `The table ${table}` : `The constraint or index ${name} of ${table}`;
  return {
    kind: "name-taken",
    table,
    columns: [],
    count: 1,
    rows: [],
    message: `${what} cannot be made: ${RELATION_KINDS[kind] ?? "something else"} has this name already.`,
    hint: "rename or drop that first, or give the model another `dbname`",
  };
}

export function newerRecord(version: number, known: number): Obstacle {
  return {
    kind: "newer-record",
    table: null,
    columns: [],
    count: 0,
    rows: [],
    message: `The last push to this database was made by a newer Stoa (record version ${version}, known: ${known}).`,
    hint: "use that version of Stoa, or a later one",
  };
}

/** `3 rows (ids 1, 2, 3)` */
function rowsInWords({ count, rows }: InTheWay): string {
  const ids = rows.flatMap((row) => row.ids);
  const more = count > ids.length ? " and others" : "";
  const list =
    ids.length === 0 ? "" : ` (${ids.length === 1 && !more ? "id" : "ids"} ${ids.join(", ")}${more})`;
  return `${plural(count, "row", "rows")}${list}`;
}

/** `what 3 rows hold ("x" in id 1; "y" in id 2; and others)` */
function valuesInWords(found: InTheWay): string {
  return `what ${plural(found.count, "row holds", "rows hold")} (${listInWords(found)})`;
}

function rowsWithValues(found: InTheWay): string {
  return `${plural(found.count, "row", "rows")} (${listInWords(found)})`;
}

function listInWords({ count, rows }: InTheWay): string {
  const list = rows.map(({ ids, value }) => {
    const place = ids.length === 0 ? "" : ` in ${ids.length === 1 ? "id" : "ids"} ${ids.join(", ")}`;
    return `${value === null ? "a secret" : value}${place}`;
  });
  return `${list.join("; ")}${count > rows.length ? "; and others" : ""}`;
}

// ---------------------------------------------------------------- warnings and refusals

export interface PushWarning {
  readonly kind: "table-taken-over" | "foreign-column";
  readonly table: string;
  readonly message: string;
}

export function tableTakenOver(table: string): PushWarning {
  return {
    kind: "table-taken-over",
    table,
    message: `The table ${table} was not made by Stoa, but is as the definition wants it; from now on it is managed.`,
  };
}

export function columnOnlyElsewhere(
  table: string,
  column: string,
  { blocksInserts }: { readonly blocksInserts: boolean },
): PushWarning {
  const advice = blocksInserts
    ? ` It is required and has no default, so no ${table} can be created: give it a default or make it nullable.`
    : "";
  const message = `The column ${table}.${column} is not in the definition and was not made by Stoa; it stays.${advice}`;
  return { kind: "foreign-column", table, message };
}

export function wouldLoseData(steps: readonly { readonly words: string }[]): string {
  const list = steps.map(({ words }) => words).join(", ");
  return `This push ${list}. Nobody is there to ask; run it with --accept-data-loss if that is meant.`;
}

/** PostgreSQL's code for a lock that could not be had in time. */
const LOCK_NOT_AVAILABLE = "55P03";

export function pushFailed(
  step: { readonly words: string } | undefined,
  error: { readonly message: string; readonly sqlState: string | undefined },
): string {
  const place = step ? `The step that ${step.words}` : "The push";
  const why =
    error.sqlState === LOCK_NOT_AVAILABLE
      ? "another connection is at work on the same tables; end it and try again"
      : error.message.replace(/\.$/, "");
  return `${place} did not work: ${why}. Nothing has been changed.`;
}
