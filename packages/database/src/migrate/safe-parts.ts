// The parts of lock-safe changes, one function each: what is run, how, and why in this way.

import type { CatalogColumn } from "../schema/catalog.js";
import { qualifyName, quoteName, quoteNames } from "../schema/quote.js";
import type { Step, StepKind } from "../schema/step.js";
import type { MigrationStep } from "./migration.js";
import { joinStatements } from "./sql-text.js";

/** So many rows are written in well under a second, and nobody waits longer for one of them. */
export const BATCH_ROWS = 5000;

export const REWRITE_REASON =
  "WRITES THE WHOLE TABLE ANEW: nobody can read or write it meanwhile. Asked for by --allow-rewrite.";

const REASONS: Partial<Record<StepKind, readonly string[]>> = {
  "rename-table": [
    "Whoever still uses the old name fails from here on: restart the application right after.",
  ],
  "rename-column": [
    "Whoever still uses the old name fails from here on: restart the application right after.",
  ],
  "drop-column": ["Applications that still read it fail from here on; they should be gone before."],
  "drop-table": ["Applications that still use it fail from here on; they should be gone before."],
  "add-column": [
    "Takes no time, however many rows there are: PostgreSQL notes the value once for all of them.",
  ],
};

export function reasonsFor(kind: StepKind): readonly string[] {
  return REASONS[kind] ?? [];
}

export function reasonsForParts({ nullable, default: value }: CatalogColumn): string[] {
  const what = value === null ? "It has no default" : "Its default is another one for every row";
  const rest = nullable ? "" : "; it becomes required when all have one";
  return [`${what}, so the rows that are there get their values in a later step${rest}.`];
}

// ---------------------------------------------------------------- indexes

const CONCURRENTLY =
  "Built while everybody works on; an invalid one that a failure has left is dropped first.";

export function dropIndex({ words, statements, ...step }: Step): MigrationStep {
  const sql = statements.map((statement) =>
    statement.replace(/^DROP INDEX /, "DROP INDEX CONCURRENTLY IF EXISTS "),
  );
  return { class: step.class, words, run: { kind: "alone" }, reasons: [], sql: joinStatements(sql) };
}

export function addIndex({ words, statements, ...step }: Step): MigrationStep {
  const sql = statements.map((statement) =>
    statement.replace(/^CREATE INDEX /, "CREATE INDEX CONCURRENTLY IF NOT EXISTS "),
  );
  return {
    ...{ class: step.class, words, run: { kind: "alone" }, reasons: [CONCURRENTLY] },
    sql: joinStatements(sql),
  };
}

function uniqueParts({ affects }: Step, schema: string) {
  const name = quoteName(affects.constraint ?? "");
  return { name, table: qualifyName(schema, affects.table ?? ""), columns: quoteNames(affects.columns) };
}

export function buildUnique(step: Step, schema: string): MigrationStep {
  const { name, table, columns } = uniqueParts(step, schema);
  return {
    class: "data",
    words: `proves that ${columnsInWords(step)} is unique`,
    run: { kind: "alone" },
    reasons: [CONCURRENTLY],
    sql: joinStatements([`CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${table} (${columns})`]),
  };
}

export function useUnique(step: Step, schema: string): MigrationStep {
  const { name, table } = uniqueParts(step, schema);
  return {
    class: step.class,
    words: step.words,
    run: { kind: "together" },
    reasons: ["The index is there already, so this takes no time."],
    sql: joinStatements([`ALTER TABLE ${table} ADD CONSTRAINT ${name} UNIQUE USING INDEX ${name}`]),
  };
}

function columnsInWords({ affects: { table, columns } }: Step): string {
  return columns.length === 1 ? `${table}.${columns[0]}` : `${table} (${columns.join(", ")})`;
}

// ---------------------------------------------------------------- rules: checks and foreign keys

export function addUnproven({ class: stepClass, words, statements }: Step): MigrationStep {
  return {
    ...{ class: stepClass, words, run: { kind: "together" } },
    reasons: ["For rows that are written from now on; those that are there are looked at in a later step."],
    sql: joinStatements(statements.map((statement) => `${statement} NOT VALID`)),
  };
}

export function proveRule(step: Step, schema: string): MigrationStep {
  const table = qualifyName(schema, step.affects.table ?? "");
  const name = quoteName(step.affects.constraint ?? "");
  return proof(`proves it for the rows of ${step.affects.table} that are there: ${step.words}`, table, name);
}

function proof(words: string, table: string, name: string): MigrationStep {
  return {
    ...{ class: "data", words, run: { kind: "apart" } },
    reasons: ["Reads the table while everybody works on."],
    sql: joinStatements([`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`]),
  };
}

// ---------------------------------------------------------------- values

export interface Goal {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly mark: number;
}

/** By a rule that is proven first, PostgreSQL knows that there are no nulls and need not read the table. */
export function requireParts({ schema, table, column, mark }: Goal) {
  const place = qualifyName(schema, table);
  const rule = quoteName(`stoa required ${mark}`);
  const name = quoteName(column);
  const add: MigrationStep = {
    ...{ class: "data", words: `refuses null in ${table}.${column} from now on`, run: { kind: "apart" } },
    reasons: ["By a rule, which goes again below: with its proof, `SET NOT NULL` need not read the table."],
    sql: joinStatements([
      `ALTER TABLE ${place} ADD CONSTRAINT ${rule} CHECK (${name} IS NOT NULL) NOT VALID`,
    ]),
  };
  const finish: MigrationStep = {
    ...{ class: "data", words: `makes ${table}.${column} required`, run: { kind: "together" } },
    reasons: [],
    sql: joinStatements([
      `ALTER TABLE ${place} ALTER COLUMN ${name} SET NOT NULL`,
      `ALTER TABLE ${place} DROP CONSTRAINT ${rule}`,
    ]),
  };
  return {
    prove: [add, proof(`proves that ${table}.${column} is never null`, place, rule)],
    tighten: [finish],
  };
}

/** Where there is no default, people must say what the value is; until then the step does nothing. */
export function fillColumn({ schema, table, column }: Goal, value: string | null): MigrationStep {
  const place = { words: `${table}.${column}`, table: qualifyName(schema, table), column: quoteName(column) };
  if (value === null) return fillByHand(place);
  return {
    ...{
      class: "data",
      words: `fills ${place.words} in the rows that are there`,
      run: batchesOf(place.table),
    },
    reasons: ["In small transactions, so that no row stays locked for long."],
    sql: joinStatements([fillSql(place, value)]),
  };
}

interface ColumnPlace {
  readonly words: string;
  /** As SQL. */
  readonly table: string;
  readonly column: string;
}

export function fillByHand(place: ColumnPlace): MigrationStep {
  return {
    ...{
      class: "data",
      words: `fills ${place.words} in the rows that are there`,
      run: batchesOf(place.table),
    },
    reasons: [
      "There is no value for them: if there are such rows, write it for <value> and take away the dashes.",
    ],
    sql: `-- ${fillSql(place, "<value>")};`,
  };
}

function fillSql({ table, column }: ColumnPlace, value: string): string {
  return `UPDATE ${table} SET ${column} = ${value} WHERE ${column} IS NULL AND "id" BETWEEN $1 AND $2`;
}

function batchesOf(table: string) {
  return { kind: "batches", size: BATCH_ROWS, table } as const;
}

export function noNulls({ schema, table, column }: Goal): MigrationStep {
  return noNullsIn({
    words: `${table}.${column}`,
    table: qualifyName(schema, table),
    column: quoteName(column),
  });
}

export function noNullsIn({ words, table, column }: ColumnPlace): MigrationStep {
  return {
    ...{
      class: "data",
      words: `stops if ${words} is null in any row`,
      run: { kind: "no-rows" },
      reasons: [],
    },
    sql: joinStatements([`SELECT "id" FROM ${table} WHERE ${column} IS NULL LIMIT 5`]),
  };
}
