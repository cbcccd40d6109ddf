// Whether a database has come as far as a definition. A newer database is fine: it is migrated before the
// applications that need it are started.

import type { Definition } from "@stoa/definition";
import { DatabaseError, type Queryable } from "../connection/database.js";
import { isSameCatalog } from "../schema/catalog.js";
import { desiredCatalog } from "../schema/desired.js";
import { readRecord } from "../schema/record.js";
import { hasHistory } from "./history.js";
import { SCHEMA } from "./plan.js";
import { catalogHash } from "./snapshot.js";

/**
 * `none`     no migration has ever been applied, or it is not for us to see
 * `reached`  one that is applied leads to this definition
 * `behind`   none of them does
 */
export type MigrationReadiness = "none" | "reached" | "behind";

export async function readMigrationReadiness(
  database: Queryable,
  definition: Definition,
): Promise<MigrationReadiness> {
  try {
    return await compare(database, definition);
  } catch (error) {
    // An application may lack the right to read this table, and can serve nevertheless.
    if (error instanceof DatabaseError && error.sqlState === "42501") return "none";
    throw error;
  }
}

async function compare(database: Queryable, definition: Definition): Promise<MigrationReadiness> {
  if (!(await hasHistory(database))) return "none";
  const desired = desiredCatalog(definition);
  const [row] = await database.query<{ some: boolean; reached: boolean }>(
    `SELECT count(*) > 0 AS some, coalesce(bool_or(catalog = $1 AND finished_at IS NOT NULL), false) AS reached
     FROM _stoa.migration`,
    [catalogHash(desired)],
  );
  if (!row?.some) return "none";
  if (row.reached) return "reached";
  // In development, push may have gone on from there.
  const record = await readRecord(database, SCHEMA);
  return record && isSameCatalog(record.catalog, desired) ? "reached" : "behind";
}
