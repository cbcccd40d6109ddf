// `stoa db migrate`: writes down what has changed in the models since the last migration.

import {
  type LookAlike,
  type Migration,
  type MigrationPlan,
  type MigrationStep,
  migrationWords,
  type PlanOptions,
  planMigration,
  type Rewrite,
  type Step,
} from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { EXIT, Failure } from "../../failure.js";
import { failureOf, readMigrations, writeMigration } from "../../migrations-folder.js";
import { compileProject } from "../../project.js";
import { canAsk, confirm } from "../../prompt.js";
import { replay } from "../../replay.js";
import { paletteFor, plural, print, printError } from "../../terminal.js";

export interface MigrateFlags {
  readonly name: string;
  readonly allowDestructive?: boolean;
  readonly allowRewrite?: boolean;
  /** False for --no-renames. */
  readonly renames?: boolean;
  readonly json?: boolean;
}

export async function migrate(path: string, flags: MigrateFlags): Promise<number> {
  const { root, definition } = await compileProject(path, flags);
  if (!definition) return EXIT.user;
  const migrations = readMigrations(root);
  const plan = await planAndAsk(definition, migrations, flags);
  if (plan.kind === "unchanged") return reportUnchanged(flags, migrations);
  const planned = requirePlanned(plan, flags);
  if (!(await replay([...migrations, planned.migration], flags))) return EXIT.user;
  const file = writeMigration(root, planned.migration);
  report(file, planned, flags);
  return EXIT.ok;
}

/** Asks about look-alikes, one by one; an answer may bring up new ones. */
async function planAndAsk(
  definition: Definition,
  migrations: readonly Migration[],
  flags: MigrateFlags,
): Promise<MigrationPlan> {
  const [renamed, notRenamed]: [LookAlike[], LookAlike[]] = [[], []];
  const options: PlanOptions = {
    name: flags.name,
    allowDestructive: flags.allowDestructive === true,
    allowRewrite: flags.allowRewrite === true,
    noRenames: flags.renames === false,
    ...{ renamed, notRenamed },
  };
  for (;;) {
    const plan = planMigration(definition, migrations, options);
    const item = plan.kind === "look-alikes" && canAsk() && !flags.json ? plan.items[0] : undefined;
    if (!item) {
      for (const answer of renamed)
        printError(`write it down, for others: ${migrationWords.wasHint(answer)}`);
      return plan;
    }
    const isRenamed = await confirm(
      `It looks as if ${migrationWords.lookAlikeInWords(item)}. Is it a rename?`,
    );
    (isRenamed ? renamed : notRenamed).push(item);
  }
}

type Planned = Extract<MigrationPlan, { readonly kind: "planned" }>;

/** What stands in the way of a plan is the user's to decide. */
function requirePlanned(plan: Exclude<MigrationPlan, { kind: "unchanged" }>, flags: MigrateFlags): Planned {
  switch (plan.kind) {
    case "planned":
      return plan;
    case "broken":
      throw failureOf(plan.problem);
    case "unnamed":
      throw new Failure(`"${flags.name}" is no name for a folder.`, {
        hint: "letters a–z and digits make one",
      });
    case "look-alikes":
      throw lookAlikes(plan.items);
    case "destructive":
      throw destructive(plan.steps);
    case "rewrites":
      throw rewrites(plan.rewrites);
  }
}

function lookAlikes(items: readonly LookAlike[]): Failure {
  const words = items.map(migrationWords.lookAlikeInWords).join("; ");
  const lines = items.map((item) => `\n      ${migrationWords.wasHint(item)}`).join("");
  return new Failure(
    `It looks as if ${words}. Nobody is there to ask, and without \`was\` its data would go.`,
    {
      hint: `if it is a rename, write${lines}\n    if it is none, run it with --no-renames`,
    },
  );
}

function destructive(steps: readonly Step[]): Failure {
  const words = steps.map((step) => step.words).join(", ");
  return new Failure(`This migration ${words}.`, {
    hint: "if that is meant, run it with --allow-destructive; the steps are marked in the file",
  });
}

function rewrites(items: readonly Rewrite[]): Failure {
  const [first] = items;
  const lines = first ? migrationWords.safeSequence(first).map((line) => `\n      ${line}`) : [];
  return new Failure(
    `This is not safe on a table in use: ${items.map(migrationWords.rewriteInWords).join("; ")}.`,
    {
      hint: `the way on which nobody waits:${lines.join("")}\n    if the table is small, run it with --allow-rewrite`,
    },
  );
}

function reportUnchanged({ json }: MigrateFlags, migrations: readonly Migration[]): number {
  const last = migrations.at(-1)?.name;
  if (json) print(JSON.stringify({ outcome: "unchanged", last: last ?? null }));
  else if (last === undefined) print("there is nothing to migrate: there are no models");
  else {
    const mark = paletteFor(process.stdout).good("✓");
    print(`${mark} nothing has changed since ${last}, nothing was written`);
  }
  return EXIT.ok;
}

function report(file: string, { migration, steps }: Planned, { json }: MigrateFlags): void {
  if (json) {
    const list = steps.map(({ class: stepClass, words, sql }) => ({ class: stepClass, words, sql }));
    return print(JSON.stringify({ outcome: "written", migration: migration.name, file, steps: list }));
  }
  const palette = paletteFor(process.stdout);
  for (const step of steps) {
    const mark = step.class === "destructive" ? palette.error("-") : palette.good("+");
    print(`${mark} ${step.words} ${palette.faint(`(${step.class})`)}`);
  }
  for (const [index, step] of steps.entries()) if (isToFill(step)) warnToFill(index + 1, step);
  print(`${palette.good("✓")} ${file}: ${plural(steps.length, "step")}, replayed in an empty database`);
}

function isToFill({ sql }: MigrationStep): boolean {
  return sql.startsWith("-- UPDATE ") && sql.includes("<value>");
}

function warnToFill(number: number, { words }: MigrationStep): void {
  const warning = paletteFor(process.stderr).warning("warning");
  printError(
    `${warning}: step ${number} ${words} only if you write a value there; deployment stops if such rows exist`,
  );
}
