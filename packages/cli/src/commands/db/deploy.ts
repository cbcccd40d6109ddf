// `stoa db deploy`: applies the pending migrations.

import {
  type Database,
  DatabaseError,
  type DeployEvent,
  type DeployOutcome,
  deployMigrations,
  type Migration,
  type PreviewLock,
  type PreviewStep,
  previewDeploy,
} from "@stoa/database";
import { readConfiguration } from "../../config/configuration.js";
import { withDatabase } from "../../database.js";
import { EXIT, Failure } from "../../failure.js";
import { failureOf, readMigrations } from "../../migrations-folder.js";
import { ProgressBar } from "../../progress-bar.js";
import { projectRoot } from "../../project-root.js";
import { paletteFor, plural, print, printError } from "../../terminal.js";

export interface DeployFlags {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export async function deploy(path: string, flags: DeployFlags): Promise<number> {
  const root = projectRoot(path);
  const configuration = await readConfiguration(root, { command: "db deploy", flags });
  const migrations = readMigrations(root);
  if (migrations.length === 0) {
    throw new Failure("There are no migrations.", { hint: "write the first: stoa db migrate --name init" });
  }
  const { lockTimeoutMs } = configuration.settings;
  const work = async (session: Database): Promise<number> => {
    if (flags.dryRun) return preview(session, migrations, flags);
    const teller = new Teller(flags.json === true);
    const outcome = await deployMigrations(session, migrations, {
      lockTimeoutMs,
      onEvent: (event) => teller.tell(event),
    }).catch((error: unknown) => {
      throw lostOnTheWay(error);
    });
    return report(outcome, flags);
  };
  return withDatabase(configuration, work, { connections: 1 });
}

function lostOnTheWay(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== "unavailable") return error;
  return new Failure(error.message, {
    hint: "see that the server is running and run the command again: it goes on where it stopped",
    exitCode: EXIT.environment,
  });
}

/** Progress, while it goes on: steps on standard output, all else beside it. */
class Teller {
  readonly #isSilent: boolean;
  readonly #bar = new ProgressBar();
  #rowsSince = 0;

  constructor(isSilent: boolean) {
    this.#isSilent = isSilent;
  }

  tell(event: DeployEvent): void {
    if (this.#isSilent) return;
    const palette = paletteFor(process.stdout);
    switch (event.kind) {
      case "waiting":
        return printError("another deployment or push is under way: waiting for it");
      case "migration":
        return print(
          palette.strong(event.start === 0 ? event.name : `${event.name}, from step ${event.start + 1}`),
        );
      case "step":
        this.#rowsSince = performance.now();
        return;
      case "rows":
        return this.#tellRows(event);
      case "retry":
        return printError(
          `  step ${event.place.number} waits for a table that others use; attempt ${event.attempt + 1}`,
        );
      case "done":
        this.#bar.clear();
        return print(
          `${palette.good("+")} ${event.place.number} ${event.place.words} ${palette.faint(`(${Math.round(event.elapsedMs)} ms)`)}`,
        );
    }
  }

  #tellRows({ rows, total }: Extract<DeployEvent, { readonly kind: "rows" }>): void {
    const elapsedMs = performance.now() - this.#rowsSince;
    const rowsPerSecond = Math.round((rows / Math.max(1, elapsedMs)) * 1000);
    const remainingMs = rowsPerSecond === 0 ? null : ((total - rows) / rowsPerSecond) * 1000;
    this.#bar.update({ rows, total, rowsPerSecond, remainingMs, elapsedMs });
  }
}

function report(outcome: DeployOutcome, { json = false }: DeployFlags): number {
  const palette = paletteFor(process.stdout);
  switch (outcome.kind) {
    case "unchanged":
      if (json) print(JSON.stringify({ outcome: "unchanged" }));
      else print(`${palette.good("✓")} all migrations are applied, nothing to do`);
      return EXIT.ok;
    case "applied":
      return reportApplied(outcome, json);
    case "refused":
      throw failureOf(outcome.problem);
    case "failed":
      throw new Failure(outcome.message, { hint: outcome.hint });
  }
}

function reportApplied(
  { migrations, drift }: Extract<DeployOutcome, { kind: "applied" }>,
  json: boolean,
): number {
  if (json) {
    print(JSON.stringify({ outcome: "applied", migrations, drift }));
    return EXIT.ok;
  }
  print(`${paletteFor(process.stdout).good("✓")} ${plural(migrations.length, "migration")} applied`);
  if (drift.length > 0) {
    const warning = paletteFor(process.stderr).warning("warning");
    printError(`${warning}: the database is not quite as the last snapshot says; see \`stoa db status\``);
  }
  return EXIT.ok;
}

// ---------------------------------------------------------------- the dry run

async function preview(
  session: Database,
  migrations: readonly Migration[],
  { json }: DeployFlags,
): Promise<number> {
  const outcome = await previewDeploy(session, migrations);
  if (outcome.kind === "refused") throw failureOf(outcome.problem);
  if (json) print(JSON.stringify({ outcome: "planned", steps: outcome.steps.map(stepJson) }));
  else if (outcome.steps.length === 0) {
    print(`${paletteFor(process.stdout).good("✓")} all migrations are applied, nothing to do`);
  } else printPreview(outcome.steps);
  return EXIT.ok;
}

function stepJson({ migration, number, transaction, step, locks }: PreviewStep) {
  const { class: stepClass, words, sql } = step;
  return { migration, number, transaction, class: stepClass, words, sql, locks };
}

function printPreview(steps: readonly PreviewStep[]): void {
  const palette = paletteFor(process.stdout);
  let [migration, transaction]: [string, number | null] = ["", null];
  for (const item of steps) {
    if (item.migration !== migration) print(palette.strong(item.migration));
    else if (item.transaction !== transaction || transaction === null) print(palette.faint("  ─"));
    ({ migration, transaction } = item);
    print(`  ${item.number} ${item.step.words} ${palette.faint(`(${item.step.class})`)}`);
    for (const lock of item.locks) print(palette.faint(`      ${lockInWords(lock)}`));
  }
  print(`${plural(steps.length, "step")} to do; between the lines is one transaction. Nothing was changed`);
}

function lockInWords({ lock, table, blocks, isLong, rows }: PreviewLock): string {
  const who = blocks === "nobody" ? "others work on" : `others' ${blocks} wait`;
  const count = rows === null ? "for rows that nobody knows yet" : `for about ${plural(rows, "row")}`;
  return `${lock} on ${table}: ${who}, ${isLong ? count : "for a moment"}`;
}
