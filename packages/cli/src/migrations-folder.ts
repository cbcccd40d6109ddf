// The folder `migrations` of a project: one folder each, with `up.sql` and `snapshot.json`.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  inOrder,
  type Migration,
  type MigrationProblem,
  migrationNumber,
  migrationWords,
  printSnapshot,
  readSnapshot,
} from "@stoa/database";
import { Failure } from "./failure.js";

const FOLDER = "migrations";

/** In order. Throws what is wrong with the files themselves. */
export function readMigrations(root: string): Migration[] {
  const folder = join(root, FOLDER);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  return inOrder(names.flatMap((name) => readMigration(folder, name) ?? []));
}

/** Folders of other names are none of ours. */
function readMigration(folder: string, name: string): Migration | undefined {
  const number = migrationNumber(name);
  if (number === null) return undefined;
  const read = (file: string) => {
    const path = join(folder, name, file);
    if (!existsSync(path)) throw failureOf(migrationWords.fileMissing(name, file));
    return readFileSync(path, "utf8");
  };
  const reading = readSnapshot(read("snapshot.json"));
  if (reading.kind === "unreadable") throw failureOf(migrationWords.snapshotUnreadable(name, reading.why));
  return { name, number, sql: read("up.sql"), snapshot: reading.snapshot };
}

/** Both files or none: the folder gets its name when it is complete. Gives the path of `up.sql`. */
export function writeMigration(root: string, { name, sql, snapshot }: Migration): string {
  const path = join(root, FOLDER, name);
  const draft = join(root, FOLDER, `.${name}`);
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "up.sql"), sql);
  writeFileSync(join(draft, "snapshot.json"), printSnapshot(snapshot));
  renameSync(draft, path);
  return `${FOLDER}/${name}/up.sql`;
}

export function failureOf({ message, hint }: MigrationProblem): Failure {
  return new Failure(message, { hint });
}
