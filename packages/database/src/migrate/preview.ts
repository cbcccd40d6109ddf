// `stoa db deploy --dry-run`: what would be done, with the locks that it takes and the rows that it goes through.

import type { Database } from "../connection/database.js";
import { findChainProblem } from "./chain.js";
import { estimateRows } from "./estimate.js";
import { type AppliedStep, hasHistory, readHistory, readSteps } from "./history.js";
import { type LockUse, locksOf, tableChangeOf } from "./locks.js";
import type { Migration, MigrationProblem, MigrationStep } from "./migration.js";
import { findPending } from "./pending.js";
import { splitStatements } from "./sql-text.js";
import { groupSteps } from "./units.js";
import { readUpFile } from "./up-file.js";

export interface PreviewStep {
  readonly migration: string;
  /** From 1. */
  readonly number: number;
  /** Steps with the same number are one transaction; null for what runs outside of one. */
  readonly transaction: number | null;
  readonly step: MigrationStep;
  readonly locks: readonly PreviewLock[];
}

export interface PreviewLock extends LockUse {
  /** Rows that are read or written while it is held, about; 0 for what takes no time, null if unknown. */
  readonly rows: number | null;
}

export type Preview =
  | { readonly kind: "refused"; readonly problem: MigrationProblem }
  | { readonly kind: "preview"; readonly steps: readonly PreviewStep[] };

export async function previewDeploy(database: Database, migrations: readonly Migration[]): Promise<Preview> {
  const problem = findChainProblem(migrations);
  if (problem) return { kind: "refused", problem };
  const pending = findPending(migrations, await readHistory(database));
  if (pending.kind === "refused") return pending;
  const isKnown = await hasHistory(database);
  const steps: PreviewStep[] = [];
  for (const migration of pending.migrations) {
    const done = isKnown ? await readSteps(database, migration.number) : [];
    steps.push(...(await previewMigration(database, migration, done)));
  }
  return { kind: "preview", steps };
}

async function previewMigration(
  database: Database,
  { name, sql }: Migration,
  done: readonly AppliedStep[],
): Promise<PreviewStep[]> {
  const start = done.filter(({ isApplied }) => isApplied).length;
  const units = groupSteps(readUpFile(sql) ?? [], start);
  const placed = units.flatMap((unit, index) =>
    unit.steps.map((item) => ({ ...item, transaction: unit.kind === "transaction" ? index + 1 : null })),
  );
  const names = new LiveNames();
  const steps: PreviewStep[] = [];
  for (const { step, index, transaction } of placed) {
    const locks: PreviewLock[] = [];
    for (const use of onceEach(splitStatements(step.sql).flatMap((statement) => names.locksOf(statement)))) {
      locks.push({ ...use, rows: use.isLong ? await estimateRows(database, use.table) : 0 });
    }
    steps.push({ migration: name, number: index + 1, transaction, step, locks });
  }
  return steps;
}

function onceEach(uses: readonly LockUse[]): LockUse[] {
  return [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()];
}

/** Tables by the names that they have now: some are renamed on the way, and nobody waits for one that is made on it. */
class LiveNames {
  readonly #made = new Set<string>();
  readonly #before = new Map<string, string>();

  locksOf(statement: string): LockUse[] {
    const uses = locksOf(statement)
      .filter(({ table }) => !this.#made.has(table))
      .map((use) => ({ ...use, table: this.#before.get(use.table) ?? use.table }));
    const change = tableChangeOf(statement);
    if (change?.kind === "made") this.#made.add(change.table);
    if (change?.kind === "renamed") this.#before.set(change.to, this.#before.get(change.from) ?? change.from);
    return uses;
  }
}
