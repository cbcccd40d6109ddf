// `stoa db status`: where a database stands, for people and for continuous integration.

import { compile } from "@stoa/compiler";
import { isCurrent, type Migration, type MigrationStatus, planMigration, readStatus } from "@stoa/database";
import { readConfiguration } from "../../config/configuration.js";
import { withDatabase } from "../../database.js";
import { EXIT, Failure } from "../../failure.js";
import { readMigrations } from "../../migrations-folder.js";
import { projectRoot } from "../../project-root.js";
import { readProject } from "../../sources.js";
import { paletteFor, print, printError } from "../../terminal.js";

export interface StatusFlags {
  readonly json?: boolean;
}

export async function status(path: string, flags: StatusFlags): Promise<number> {
  const root = projectRoot(path);
  const configuration = await readConfiguration(root, { command: "db status", flags });
  const migrations = readMigrations(root);
  const isAhead = hasNewModels(path, migrations);
  return withDatabase(configuration, async (database) => {
    const found = await readStatus(database, migrations);
    const isFine = isCurrent(found) && !isAhead;
    if (flags.json) printJson(found, { isFine, isAhead });
    else printStatus(found, isAhead);
    return isFine ? EXIT.ok : EXIT.user;
  });
}

/** Whether a migration is to be written. False where there are no sources, or they have errors. */
function hasNewModels(path: string, migrations: readonly Migration[]): boolean {
  try {
    const { definition } = compile(readProject(path).sources);
    if (!definition) return false;
    const { kind } = planMigration(definition, migrations, { name: "status" });
    return kind !== "unchanged" && kind !== "broken";
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function printJson(
  found: MigrationStatus,
  extra: { readonly isFine: boolean; readonly isAhead: boolean },
): void {
  const { applied, unfinished, pending, problem, drift } = found;
  const list = applied.map(({ name, finishedAt }) => ({ name, finishedAt }));
  const { isFine: ok, isAhead: modelsChanged } = extra;
  print(JSON.stringify({ ok, applied: list, unfinished, pending, modelsChanged, drift, problem }));
}

function printStatus(found: MigrationStatus, isAhead: boolean): void {
  const palette = paletteFor(process.stdout);
  for (const { name, finishedAt } of found.applied) {
    print(`${palette.good("✓")} ${name} ${palette.faint(`applied ${finishedAt ?? ""}`)}`);
  }
  for (const name of found.pending) {
    const isBegun = name === found.unfinished;
    print(`${palette.warning("•")} ${name} ${isBegun ? "begun and not finished" : "pending"}`);
  }
  if (found.problem) printProblem(found.problem.message, found.problem.hint);
  else if (found.pending.length > 0) print("`stoa db deploy` applies what is pending");
  if (isAhead) print(aheadInWords(found));
  printDrift(found);
}

function aheadInWords({ applied, pending }: MigrationStatus): string {
  return applied.length + pending.length === 0
    ? "there are no migrations yet; `stoa db migrate` writes the first"
    : "the models have changed since the last migration; `stoa db migrate` writes the next";
}

function printProblem(message: string, hint: string): void {
  const palette = paletteFor(process.stderr);
  printError(
    `${palette.error("error")}${palette.strong(`: ${message}`)}\n  ${palette.note("= hint:")} ${hint}`,
  );
}

function printDrift({ drift, applied }: MigrationStatus): void {
  const last = applied.at(-1)?.name;
  if (drift === null || last === undefined) return;
  const palette = paletteFor(process.stdout);
  if (drift.length === 0) return print(`${palette.good("✓")} the database is as ${last} left it`);
  print(`${palette.error("✗")} the database is not as ${last} left it; in comparison, it`);
  for (const { words, statements } of drift) {
    print(`    ${words}`);
    for (const statement of statements) print(palette.faint(`      to undo it: ${statement};`));
  }
}
