// `stoa db push`: makes a development database match the models.

import {
  applyPush,
  type Database,
  type PushOutcome,
  type PushPlan,
  planPush,
  type Step,
} from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { readConfiguration } from "../../config/configuration.js";
import { withDatabase } from "../../database.js";
import { EXIT } from "../../failure.js";
import { compileProject } from "../../project.js";
import { canAsk, confirm } from "../../prompt.js";
import { paletteFor, plural, print, printError } from "../../terminal.js";

export interface PushFlags {
  readonly acceptDataLoss?: boolean;
  readonly dryRun?: boolean;
  readonly sql?: boolean;
  readonly json?: boolean;
  /** Says nothing when all went well: another command goes on. */
  readonly quiet?: boolean;
}

export async function push(path: string, flags: PushFlags): Promise<number> {
  const { root, definition } = await compileProject(path, flags);
  if (!definition) return EXIT.user;
  const configuration = await readConfiguration(root, { command: "db push", flags });
  return withDatabase(configuration, (database) => pushDefinition(database, definition, flags));
}

export async function pushDefinition(
  database: Database,
  definition: Definition,
  flags: PushFlags,
): Promise<number> {
  const plan = await planPush(database, definition);
  if (!flags.json) for (const warning of plan.warnings) printWarning(warning.message);
  if (plan.obstacles.length > 0) return report({ kind: "blocked", obstacles: plan.obstacles }, plan, flags);
  if (flags.dryRun) return reportPlan(plan, flags);
  const outcome = await applyPush(database, plan, {
    acceptDataLoss: flags.acceptDataLoss === true,
    onWait: () => printError("another push is under way: waiting for it"),
    ...(canAsk() && !flags.json ? { confirm: askBefore } : {}),
  });
  return report(outcome, plan, flags);
}

async function askBefore(steps: readonly Step[]): Promise<boolean> {
  const palette = paletteFor(process.stderr);
  printError(palette.warning("This loses data:"));
  for (const step of steps) printError(`  ${step.words}`);
  return confirm("Go on?");
}

function printWarning(message: string): void {
  printError(`${paletteFor(process.stderr).warning("warning")}: ${message}`);
}

function printStep(step: Step, { sql }: PushFlags): void {
  const palette = paletteFor(process.stdout);
  const mark = step.class === "destructive" ? palette.error("-") : palette.good("+");
  print(`${mark} ${step.words} ${palette.faint(`(${step.class})`)}`);
  if (sql)
    for (const statement of step.statements)
      print(palette.faint(`    ${statement.replaceAll("\n", "\n    ")};`));
}

function reportPlan({ steps }: PushPlan, flags: PushFlags): number {
  if (flags.json) print(JSON.stringify({ outcome: "planned", steps: steps.map(stepJson) }));
  else if (steps.length === 0) printUnchanged();
  else {
    for (const step of steps) printStep(step, flags);
    print(`${plural(steps.length, "step")} to do; nothing was changed`);
  }
  return EXIT.ok;
}

function stepJson({ kind, class: stepClass, words, statements }: Step) {
  return { kind, class: stepClass, words, statements };
}

function printUnchanged(): void {
  print(`${paletteFor(process.stdout).good("✓")} the database matches the models, nothing to do`);
}

/** What came of it, in words; the exit code. */
function report(outcome: PushOutcome, plan: PushPlan, flags: PushFlags): number {
  if (flags.quiet && (outcome.kind === "unchanged" || outcome.kind === "applied")) return EXIT.ok;
  if (flags.json) return reportJson(outcome, plan);
  const palette = paletteFor(process.stderr);
  switch (outcome.kind) {
    case "unchanged":
      printUnchanged();
      return EXIT.ok;
    case "applied":
      for (const step of outcome.steps) printStep(step, flags);
      print(`${paletteFor(process.stdout).good("✓")} ${plural(outcome.steps.length, "step")} done`);
      return EXIT.ok;
    case "blocked":
      for (const { message, hint } of outcome.obstacles) {
        printError(
          `${palette.error("error")}${palette.strong(`: ${message}`)}\n  ${palette.note("= hint:")} ${hint}\n`,
        );
      }
      printError("nothing was changed");
      return EXIT.user;
    case "declined":
      printError("nothing was changed");
      return EXIT.user;
    case "refused":
      printError(`${palette.error("error")}${palette.strong(`: ${outcome.message}`)}`);
      for (const step of outcome.steps) printError(`  ${step.words}`);
      printError(`  ${palette.note("= hint:")} run it in a terminal to be asked, or add --accept-data-loss`);
      return EXIT.user;
    case "changed":
      printError("the database has changed meanwhile, and more would be lost now: run the command again");
      return EXIT.user;
    case "failed":
      printError(`${palette.error("error")}${palette.strong(`: ${outcome.message}`)}`);
      printError("nothing was changed");
      return EXIT.environment;
  }
}

function reportJson(outcome: PushOutcome, plan: PushPlan): number {
  const steps = "steps" in outcome ? outcome.steps : plan.steps;
  const obstacles = outcome.kind === "blocked" ? outcome.obstacles : [];
  print(
    JSON.stringify({ outcome: outcome.kind, steps: steps.map(stepJson), obstacles, warnings: plan.warnings }),
  );
  if (outcome.kind === "unchanged" || outcome.kind === "applied") return EXIT.ok;
  return outcome.kind === "failed" ? EXIT.environment : EXIT.user;
}
