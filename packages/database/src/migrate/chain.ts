// Migrations form a chain: numbers without gaps, each after the one before. What is wrong with one is found here,
// from the files alone.

import * as say from "./messages.js";
import type { Migration, MigrationProblem } from "./migration.js";
import { readUpFile } from "./up-file.js";

/** Only the first: the others follow from it. */
export function findChainProblem(migrations: readonly Migration[]): MigrationProblem | undefined {
  let previous: Migration | undefined;
  for (const migration of migrations) {
    const { number, snapshot } = migration;
    if (previous && number === previous.number) return say.twoBranches(previous, migration);
    if (number !== (previous?.number ?? 0) + 1)
      return say.numberMissing((previous?.number ?? 0) + 1, migration);
    if (snapshot.parent !== (previous?.name ?? null)) {
      return say.otherParent(migration, previous?.name ?? null);
    }
    if (readUpFile(migration.sql) === undefined) return say.unknownRun(migration.name);
    previous = migration;
  }
  return undefined;
}

export function inOrder(migrations: readonly Migration[]): Migration[] {
  return [...migrations].sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
}
