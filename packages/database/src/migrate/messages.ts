// All that migrations say to people about what is wrong, one function per message.

import { typeInWords } from "../schema/column-type.js";
import type { LookAlike } from "./look-alikes.js";
import type { Migration, MigrationProblem, ProblemKind } from "./migration.js";
import type { Rewrite } from "./rewrites.js";

function problem(kind: ProblemKind, message: string, hint: string): MigrationProblem {
  return { kind, message, hint };
}

// ---------------------------------------------------------------- files

export function twoBranches(first: Migration, second: Migration): MigrationProblem {
  const parent = first.snapshot.parent ?? "nothing";
  return problem(
    "branches",
    `${first.name} and ${second.name} both come after ${parent}: two branches have added a migration.`,
    mergeHint(second.name, first.name),
  );
}

/** A longer chain on one of the branches: the numbers may fit, and the ancestry does not. */
export function otherParent(migration: Migration, previous: string | null): MigrationProblem {
  const parent = migration.snapshot.parent ?? "nothing";
  return problem(
    "branches",
    `${migration.name} was made after ${parent}, but stands after ${previous ?? "nothing"}: two branches have added migrations.`,
    mergeHint(migration.name, previous ?? "the others"),
  );
}

function mergeHint(later: string, earlier: string): string {
  return (
    `keep what has been deployed already; delete the folder of the other (say migrations/${later}) and run ` +
    `\`stoa db migrate\` again: it is made anew, after ${earlier}. Copy over what you had added to it by hand`
  );
}

export function numberMissing(number: number, next: Migration): MigrationProblem {
  return problem(
    "gap",
    `There is no migration number ${number}, but there is ${next.name}.`,
    "bring back the folder that is missing, from version control",
  );
}

export function unknownRun(name: string): MigrationProblem {
  return problem(
    "unreadable",
    `migrations/${name}/up.sql has a line that begins with \`-- run\` and cannot be understood.`,
    "it is one of: in a new transaction, outside a transaction, in batches of 5000 rows of <table>, and stop if there are rows",
  );
}

export function fileMissing(name: string, file: string): MigrationProblem {
  return problem(
    "unreadable",
    `migrations/${name} has no ${file}.`,
    "bring it back from version control, or remove the folder",
  );
}

export function snapshotUnreadable(name: string, why: string): MigrationProblem {
  return problem(
    "unreadable",
    `migrations/${name}/snapshot.json cannot be read: ${why}.`,
    "bring it back from version control; it is not meant to be edited",
  );
}

// ---------------------------------------------------------------- files and what was applied

export function fileEdited(name: string): MigrationProblem {
  return problem(
    "edited",
    `migrations/${name}/up.sql is not what was deployed: it has been edited since.`,
    "bring back its text from version control, and write a new migration for what is to change",
  );
}

export function stepEdited(name: string, step: number): MigrationProblem {
  return problem(
    "edited",
    `Step ${step} of migrations/${name}/up.sql is not what was deployed: it has been edited since.`,
    "bring back its text; only steps that have not been done yet may change",
  );
}

export function filesMissing(names: readonly string[]): MigrationProblem {
  return problem(
    "missing-files",
    `The database has migrations that are not in this folder: ${names.join(", ")}.`,
    "get the version of the sources that has them; an older one cannot be deployed over a newer one",
  );
}

export function behindApplied(name: string, later: string): MigrationProblem {
  return problem(
    "out-of-order",
    `${name} has not been applied to the database, but ${later}, which comes after it, has.`,
    "give it a number after the last one: delete its folder and run `stoa db migrate` again",
  );
}

export function pushedBefore(): MigrationProblem {
  return problem(
    "pushed",
    "The tables of this database were made by `stoa db push`, and no migration has been applied to it.",
    "if it is to be kept, `stoa db baseline` marks it as being at the current definition; otherwise use an empty database",
  );
}

export function recordNewer(version: number, known: number): MigrationProblem {
  return problem(
    "newer-record",
    `This database was changed by a newer Stoa (record version ${version}, known: ${known}).`,
    "use that version of Stoa, or a later one",
  );
}

// ---------------------------------------------------------------- planning

export function lookAlikeInWords(item: LookAlike): string {
  if (item.kind === "model") return `the model ${item.from} became ${item.to}`;
  return `the ${item.kind} ${item.model}.${item.from} became ${item.model}.${item.to}`;
}

/** What to write in the source, if it is a rename. */
export function wasHint(item: LookAlike): string {
  if (item.kind === "model") return `model ${item.to} { was ${item.from}, … }`;
  return `${item.kind} ${item.to} { …, was ${item.from} }   in the model ${item.model}`;
}

export function rewriteInWords({ table, column, from, to }: Rewrite): string {
  const [before, after] = [typeInWords(from), typeInWords(to)];
  return `changing ${table}.${column} from ${before} to ${after} writes the whole table anew, and nobody can use it meanwhile`;
}

/** What to do instead, in an order in which the application never stops. */
export function safeSequence({ table, column, to }: Rewrite): string[] {
  const type = typeInWords(to);
  return [
    `1. add a nullable field of the type ${type} under another name beside ${table}.${column}, and migrate`,
    "2. let the application write both, and fill the new one for the rows that are there: a step in up.sql,",
    `   -- run in batches of 5000 rows of "public"."${table}"`,
    "3. make the new field required if it must be, read from it alone, and migrate",
    `4. remove ${table}.${column} (--allow-destructive); \`was\` and \`dbname\` give its name to the new one, if you like`,
  ];
}

// ---------------------------------------------------------------- deploying

export interface StepPlace {
  readonly migration: string;
  /** From 1. */
  readonly number: number;
  readonly words: string;
}

export function stepFailed({ migration, number, words }: StepPlace, reason: string): string {
  return `Step ${number} of ${migration} (${words}) did not work: ${reason.replace(/\.$/, "")}.`;
}

export function rowsInTheWay({ migration, number, words }: StepPlace, rows: readonly string[]): string {
  return `Step ${number} of ${migration} ${words}, and there are: ${rows.join(", ")}${rows.length >= 5 ? " …" : ""}.`;
}

export const RESUME_HINT =
  "what was done before it stays done; mend the cause, and run `stoa db deploy` again: it goes on with this step";

export const ROWS_HINT =
  "change these rows, or write in up.sql, before this step, what changes them; then run `stoa db deploy` again: it goes on there";

export function lockNotHad(holders: readonly string[]): string {
  const who = holders.length === 0 ? "" : `; open transactions: ${holders.join("; ")}`;
  return `other connections did not let go of the table in time${who}`;
}

export function lockLost(): string {
  return "The connection to the database was lost, and with it the lock that keeps other deployments out.";
}
