// Questions that a migration asks of the rows before it changes anything: those in the way are shown, and nothing has
// happened. Values are not shown, since some are secrets; ids are.

import { qualifyName, quoteLiteral } from "../schema/quote.js";
import type { Requirement, Step, TableNames, ValueSql } from "../schema/step.js";
import type { MigrationStep } from "./migration.js";
import { joinStatements } from "./sql-text.js";

const SHOWN = 5;

export function guardsOf(step: Step, schema: string): MigrationStep[] {
  return step.needs.flatMap((need) => guardOf(need, schema) ?? []);
}

/** Nulls and missing values have a way of their own: people may fill them in first. */
function guardOf(need: Requirement, schema: string): MigrationStep | undefined {
  switch (need.kind) {
    case "castable":
      return guard(`stops if a value of ${wordsFor(need)} does not fit its new type`, [
        rowsOf(need, schema),
        `WHERE ${need.column.sql} IS NOT NULL AND (${need.fits}) IS NOT TRUE`,
      ]);
    case "values": {
      const list = need.values.map((value) => `${quoteLiteral(value)}::text`).join(", ");
      return guard(`stops if a value of ${wordsFor(need)} is none of ${need.values.join(", ")}`, [
        rowsOf(need, schema),
        `WHERE NOT (${need.column.sql} = ANY (ARRAY[${list}]::text[]))`,
      ]);
    }
    case "references":
      return referenceGuard(need, schema);
    case "unique":
      return uniqueGuard(need, schema);
    case "no-nulls":
    case "no-rows":
    // PostgreSQL itself refuses to change what a view or a key of others holds on to.
    case "no-dependents":
      return undefined;
  }
}

function guard(words: string, lines: readonly string[]): MigrationStep {
  const sql = [...lines, `LIMIT ${SHOWN}`].join("\n");
  return {
    ...{ class: "data", words, run: { kind: "no-rows" }, reasons: [] },
    sql: joinStatements([sql]),
  };
}

interface ColumnNeed {
  readonly table: TableNames;
  readonly column: ValueSql;
}

function wordsFor({ table, column }: ColumnNeed): string {
  return `${table.name}.${column.name}`;
}

function rowsOf({ table }: ColumnNeed, schema: string): string {
  return `SELECT "id" FROM ${qualifyName(schema, table.live)}`;
}

type Needs<Kind extends Requirement["kind"]> = Extract<Requirement, { readonly kind: Kind }>;

/** A target that this very migration makes is empty. */
function referenceGuard(need: Needs<"references">, schema: string): MigrationStep {
  const { table, column, target } = need;
  const keys = target && `SELECT ${target.sql} AS key FROM ${qualifyName(schema, target.live)}`;
  const exists = keys ? `EXISTS (SELECT FROM (${keys}) AS target WHERE target.key = live.value)` : "false";
  return guard(`stops if ${wordsFor(need)} points nowhere`, [
    `SELECT "id" FROM (SELECT "id", ${column.sql} AS value FROM ${qualifyName(schema, table.live)}) AS live`,
    `WHERE value IS NOT NULL AND NOT ${exists}`,
  ]);
}

function uniqueGuard({ table, columns }: Needs<"unique">, schema: string): MigrationStep {
  const names = columns.map((_, index) => `v${index + 1}`);
  const values = columns.map((column, index) => `${column.sql} AS v${index + 1}`);
  const inner = `SELECT "id", ${values.join(", ")} FROM ${qualifyName(schema, table.live)}`;
  const words = columns.map((column) => column.name).join(", ");
  return guard(`stops if ${table.name} (${words}) is the same in several rows`, [
    `SELECT min("id"::text) AS "id", count(*)::text AS "rows" FROM (${inner}) AS live`,
    `WHERE ${names.map((name) => `${name} IS NOT NULL`).join(" AND ")}`,
    `GROUP BY ${names.join(", ")} HAVING count(*) > 1`,
  ]);
}
