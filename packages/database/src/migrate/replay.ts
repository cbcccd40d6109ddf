// All migrations in an empty database, before a new one is written: what they lead to must be what the definition
// asks for.

import type { Database } from "../connection/database.js";
import { deployMigrations } from "./deploy.js";
import { type Difference, findDifferences, readLive } from "./differences.js";
import type { Migration } from "./migration.js";

export type Replay =
  | { readonly kind: "equal" }
  /** `migration` is the last one whose snapshot is not what the files lead to. */
  | { readonly kind: "different"; readonly migration: string; readonly differences: readonly Difference[] }
  | { readonly kind: "failed"; readonly message: string; readonly hint: string };

/** `session` is an empty database with one connection; the last migration is the new one. */
export async function replayMigrations(session: Database, migrations: readonly Migration[]): Promise<Replay> {
  // First those that were there: what is wrong with them is not the fault of the new one.
  const old = migrations.slice(0, -1);
  const before = old.length === 0 ? undefined : await replayTo(session, old);
  return before && before.kind !== "equal" ? before : replayTo(session, migrations);
}

async function replayTo(session: Database, migrations: readonly Migration[]): Promise<Replay> {
  const outcome = await deployMigrations(session, migrations);
  if (outcome.kind === "failed") return { kind: "failed", message: outcome.message, hint: outcome.hint };
  if (outcome.kind === "refused") {
    return { kind: "failed", message: outcome.problem.message, hint: outcome.problem.hint };
  }
  const last = migrations.at(-1);
  if (!last) return { kind: "equal" };
  const live = await session.transaction(readLive);
  const differences = findDifferences(last.snapshot.catalog, live);
  return differences.length === 0
    ? { kind: "equal" }
    : { kind: "different", migration: last.name, differences };
}
