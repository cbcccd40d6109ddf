// `stoa db status`: what is applied, what is pending, and whether the database is as the last migration left it.
// Changes nothing.

import type { Database } from "../connection/database.js";
import { findChainProblem } from "./chain.js";
import { type Difference, findDrift, readLive } from "./differences.js";
import { type AppliedMigration, readHistory } from "./history.js";
import type { Migration, MigrationProblem } from "./migration.js";
import { findPending } from "./pending.js";

export interface MigrationStatus {
  readonly applied: readonly AppliedMigration[];
  /** Begun and not done: a deployment is at work, or was stopped. */
  readonly unfinished: string | null;
  readonly pending: readonly string[];
  readonly problem: MigrationProblem | null;
  /** Null where it cannot be told: nothing is applied, or one is unfinished. */
  readonly drift: readonly Difference[] | null;
}

export async function readStatus(
  database: Database,
  migrations: readonly Migration[],
): Promise<MigrationStatus> {
  return database.transaction(
    async (transaction) => {
      const history = await readHistory(transaction);
      const pending = findPending(migrations, history);
      const chain = findChainProblem(migrations);
      const problem = chain ?? (pending.kind === "refused" ? pending.problem : null);
      const applied = history.filter(({ finishedAt }) => finishedAt !== null);
      const unfinished = history.find(({ finishedAt }) => finishedAt === null)?.name ?? null;
      const last = migrations.find(({ name }) => name === applied.at(-1)?.name);
      const drift =
        last && unfinished === null ? findDrift(last.snapshot.catalog, await readLive(transaction)) : null;
      const names = new Set(applied.map(({ name }) => name));
      const open = migrations.map(({ name }) => name).filter((name) => !names.has(name));
      return { applied, unfinished, pending: open, problem, drift };
    },
    { isolation: "repeatable read" },
  );
}

/** For continuous integration: nothing to do and nothing wrong. */
export function isCurrent({ pending, unfinished, problem, drift }: MigrationStatus): boolean {
  const hasDrift = drift !== null && drift.length > 0;
  return pending.length === 0 && unfinished === null && problem === null && !hasDrift;
}
