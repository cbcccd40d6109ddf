// Whether the database can serve the application: it answers, and has the tables that the plans were made for.

import { type Database, DatabaseError } from "@stoa/database";
import type { Definition } from "@stoa/definition";

/** Data, as the HTTP side expects it. */
type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const COLUMNS = `select c.relname as "table", a.attname as "column"
from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid
where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`;

export async function checkReady(database: Database, definition: Definition): Promise<Readiness> {
  try {
    const rows = await database.query<{ table: string; column: string }>(COLUMNS);
    const present = new Set(rows.map(({ table, column }) => `${table}.${column}`));
    const missing = columnsOf(definition).find((column) => !present.has(column));
    if (missing === undefined) return { ok: true };
    return { ok: false, reason: `the database has no column ${missing}; bring it up to date first` };
  } catch (error) {
    if (error instanceof DatabaseError) return { ok: false, reason: error.message };
    throw error;
  }
}

function columnsOf({ models }: Definition): string[] {
  return models.flatMap(({ table }) => table.columns.map((column) => `${table.name}.${column.name}`));
}
