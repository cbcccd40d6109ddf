// Whether the database can serve the application: it answers, has the tables that the plans were made for, and, where
// it is changed by migrations, has come as far as the definition.

import { type Database, DatabaseError, type Row, readMigrationReadiness } from "@stoa/database";
import type { Definition } from "@stoa/definition";

/** Data, as the HTTP side expects it. */
type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const COLUMNS = `select c.relname as "table", a.attname as "column"
from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid
where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`;

export async function checkReady(database: Database, definition: Definition): Promise<Readiness> {
  try {
    const rows = await database.query<PresentColumn & Row>(COLUMNS);
    const missing = findMissing(rows, definition);
    const migrations = await readMigrationReadiness(database, definition);
    if (missing !== undefined) return { ok: false, reason: lacking(missing, migrations !== "none") };
    if (migrations === "behind") return { ok: false, reason: OLDER };
    return { ok: true };
  } catch (error) {
    if (error instanceof DatabaseError) return { ok: false, reason: error.message };
    throw error;
  }
}

const OLDER = "the database is older than the application: bring it up to date with `stoa db deploy`";

function lacking(missing: string, isMigrated: boolean): string {
  const command = isMigrated ? "stoa db deploy" : "stoa db push` or, in production, `stoa db deploy";
  return `the database has no ${missing}: bring it up to date with \`${command}\``;
}

interface PresentColumn {
  readonly table: string;
  readonly column: string;
}

/** The first table or column that the plans need and the database does not have. */
function findMissing(rows: readonly PresentColumn[], { models }: Definition): string | undefined {
  const tables = new Set(rows.map(({ table }) => table));
  const columns = new Set(rows.map(({ table, column }) => `${table}.${column}`));
  for (const { table } of models) {
    if (!tables.has(table.name)) return `table ${table.name}`;
    const missing = table.columns.find((column) => !columns.has(`${table.name}.${column.name}`));
    if (missing !== undefined) return `column ${missing.name} in the table ${table.name}`;
  }
  return undefined;
}
