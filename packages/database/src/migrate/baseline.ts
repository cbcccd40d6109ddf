// `stoa db baseline`: a database that was there before its migrations, marked as being where they lead to. Only where
// it is: the tables must be what the last snapshot says.

import type { Database, Queryable } from "../connection/database.js";
import { canonicalCatalog } from "../schema/catalog.js";
import { withSchemaLock } from "../schema/lock.js";
import { RECORD_VERSION, writeRecord } from "../schema/record.js";
import { prepareSystemTables } from "../schema/system-tables.js";
import { findChainProblem } from "./chain.js";
import { type Difference, findDrift, readLive } from "./differences.js";
import { readHistory, recordEnd } from "./history.js";
import type { Migration, MigrationProblem } from "./migration.js";
import { findPending } from "./pending.js";
import { SCHEMA } from "./plan.js";

export type BaselineOutcome =
  | { readonly kind: "marked"; readonly migrations: readonly string[] }
  | { readonly kind: "unchanged" }
  | { readonly kind: "different"; readonly differences: readonly Difference[] }
  | { readonly kind: "refused"; readonly problem: MigrationProblem };

export async function baselineDatabase(
  database: Database,
  migrations: readonly Migration[],
  options: { readonly onWait?: () => void } = {},
): Promise<BaselineOutcome> {
  const problem = findChainProblem(migrations);
  if (problem) return { kind: "refused", problem };
  return withSchemaLock(database, options, (transaction) => markApplied(transaction, migrations));
}

async function markApplied(
  transaction: Queryable,
  migrations: readonly Migration[],
): Promise<BaselineOutcome> {
  const pending = findPending(migrations, await readHistory(transaction));
  if (pending.kind === "refused") return pending;
  const last = pending.migrations.at(-1);
  if (!last) return { kind: "unchanged" };
  const { catalog, placement } = last.snapshot;
  const differences = findDrift(catalog, await readLive(transaction));
  if (differences.length > 0) return { kind: "different", differences };
  await prepareSystemTables(transaction);
  for (const migration of pending.migrations) await recordEnd(transaction, migration);
  const record = { version: RECORD_VERSION, catalog: canonicalCatalog(catalog), placement };
  await writeRecord(transaction, SCHEMA, record);
  return { kind: "marked", migrations: pending.migrations.map(({ name }) => name) };
}
