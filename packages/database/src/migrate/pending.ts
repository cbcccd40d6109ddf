// Files beside what was applied: what is to be done, or why nothing can be.

import type { AppliedMigration } from "./history.js";
import * as say from "./messages.js";
import type { Migration, MigrationProblem } from "./migration.js";
import { checksumOf } from "./snapshot.js";

export type Pending =
  | { readonly kind: "pending"; readonly migrations: readonly Migration[] }
  | { readonly kind: "refused"; readonly problem: MigrationProblem };

export function findPending(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Pending {
  const problem = findProblem(migrations, applied);
  if (problem) return { kind: "refused", problem };
  const done = new Set(applied.filter(({ finishedAt }) => finishedAt !== null).map(({ name }) => name));
  return { kind: "pending", migrations: migrations.filter(({ name }) => !done.has(name)) };
}

function findProblem(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): MigrationProblem | undefined {
  const files = new Map(migrations.map((migration) => [migration.name, migration]));
  const missing = applied.filter(({ name }) => !files.has(name));
  if (missing.length > 0) return say.filesMissing(missing.map(({ name }) => name));
  const edited = applied.find(
    ({ name, checksum, finishedAt }) =>
      finishedAt !== null && checksumOf(files.get(name)?.sql ?? "") !== checksum,
  );
  if (edited) return say.fileEdited(edited.name);
  const known = new Set(applied.map(({ name }) => name));
  const last = applied.at(-1);
  const skipped = migrations.find(({ name, number }) => last && number < last.number && !known.has(name));
  return skipped && last ? say.behindApplied(skipped.name, last.name) : undefined;
}
