// What Stoa remembers in the database itself, in a schema of its own: for each schema, the catalog of the last
// push and where every model and member lived. It decides nothing about how tables look (that is read from the
// tables), only which of them are Stoa's and what was renamed.

import type { Queryable } from "../connection/database.js";
import { type Catalog, EMPTY_CATALOG, isSameData } from "./catalog.js";
import type { Placement } from "./renames.js";

/**
 * All tables of the system live here, away from those of the application. Not `stoa`: by default names are
 * first looked up in the schema of the user's own name, and `stoa` is a likely name for a user.
 */
export const SYSTEM_SCHEMA = "_stoa";

export const RECORD_VERSION = 1;

export interface PushRecord {
  readonly version: number;
  readonly catalog: Catalog;
  readonly placement: Placement;
}

export const EMPTY_RECORD: PushRecord = {
  version: RECORD_VERSION,
  catalog: EMPTY_CATALOG,
  placement: { models: {} },
};

export function isSameRecord(a: PushRecord, b: PushRecord): boolean {
  return isSameData(a, b);
}

/** Undefined if nothing was pushed to the schema yet. Only where the table exists. */
export async function readRecord(transaction: Queryable, schema: string): Promise<PushRecord | undefined> {
  const rows = await transaction.query<{ version: string; record: string }>(
    "SELECT version::text AS version, record::text AS record FROM _stoa.pushed WHERE schema_name = $1",
    [schema],
  );
  if (rows[0] === undefined) return undefined;
  const { catalog, placement }: Omit<PushRecord, "version"> = JSON.parse(rows[0].record);
  return { version: Number(rows[0].version), catalog, placement };
}

export async function writeRecord(transaction: Queryable, schema: string, record: PushRecord): Promise<void> {
  const { version, ...rest } = record;
  await transaction.query(
    `INSERT INTO _stoa.pushed (schema_name, version, record) VALUES ($1, $2::text::integer, $3::text::jsonb)
     ON CONFLICT (schema_name) DO UPDATE
     SET version = excluded.version, record = excluded.record, pushed_at = now()`,
    [schema, String(version), JSON.stringify(rest)],
  );
}
