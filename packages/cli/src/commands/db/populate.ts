// `stoa db populate`: fills a development database with the data of a populator.

import {
  type Database,
  hasRows,
  PopulateError,
  populate as runPopulator,
  type Summary,
} from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { readConfiguration } from "../../config/configuration.js";
import { refuseProduction, withDatabase } from "../../database.js";
import { EXIT, Failure } from "../../failure.js";
import { createHookHost } from "../../hook-host.js";
import { renderPopulateError } from "../../populate-error.js";
import { ProgressBar } from "../../progress-bar.js";
import { compileProject } from "../../project.js";
import { projectRoot } from "../../project-root.js";
import { paletteFor, plural, print, printError } from "../../terminal.js";
import { pushDefinition } from "./push.js";

export interface PopulateFlags {
  readonly populator: string;
  readonly keep?: boolean;
  readonly ifEmpty?: boolean;
  readonly seed?: string;
  readonly json?: boolean;
  readonly allowProduction?: boolean;
}

export async function populate(path: string, flags: PopulateFlags): Promise<number> {
  const seed = readSeed(flags.seed);
  const configuration = await readConfiguration(projectRoot(path), { command: "db populate", flags });
  refuseProduction(configuration, flags);
  const { root, definition } = await compileProject(path, flags);
  if (!definition) return EXIT.user;
  checkName(definition, flags.populator);
  return withDatabase(configuration, async (database) => {
    const pushed = await pushQuietly(database, definition, flags);
    if (pushed !== EXIT.ok) return pushed;
    const { populator, keep = false, json = false } = flags;
    if (flags.ifEmpty && (await hasRows(database, definition))) return leaveAsIs(json);
    return fill(database, definition, { populator, keep, json, seed, root });
  });
}

function readSeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new Failure(`"${text}" is not a seed.`, { hint: "a seed is a whole number from 0" });
}

function checkName({ populators }: Definition, name: string): void {
  if (populators.some((populator) => populator.name === name)) return;
  const known = populators.map((populator) => populator.name).join(", ");
  throw new Failure(`There is no populator ${name}.`, {
    hint: known === "" ? "declare one: populator Dev { … }" : `there is: ${known}`,
  });
}

/** The tables must be there; what data they hold is about to be replaced anyway, unless it is kept. */
function pushQuietly(
  database: Database,
  definition: Definition,
  { keep, ifEmpty, json }: PopulateFlags,
): Promise<number> {
  return pushDefinition(database, definition, {
    acceptDataLoss: !keep && !ifEmpty,
    quiet: true,
    ...(json === undefined ? {} : { json }),
  });
}

function leaveAsIs(json: boolean): number {
  if (json) print(JSON.stringify({ outcome: "kept" }));
  else print(`${paletteFor(process.stdout).good("✓")} there is data already, nothing was populated`);
  return EXIT.ok;
}

interface Filling {
  readonly populator: string;
  readonly root: string;
  readonly keep: boolean;
  readonly seed: number | undefined;
  readonly json: boolean;
}

async function fill(database: Database, definition: Definition, filling: Filling): Promise<number> {
  const bar = new ProgressBar();
  try {
    const summary = await runPopulator(database, definition, filling.populator, {
      hooks: createHookHost(filling.root, definition, filling.populator),
      empty: !filling.keep,
      onProgress: (progress) => bar.update(progress),
      ...(filling.seed === undefined ? {} : { seed: filling.seed }),
    });
    bar.clear();
    printSummary(summary, filling.json);
    return EXIT.ok;
  } catch (error) {
    bar.clear();
    if (!(error instanceof PopulateError)) throw error;
    return reportError(error, filling.json);
  }
}

function printSummary(summary: Summary, json: boolean): void {
  if (json) return print(JSON.stringify(summary));
  const palette = paletteFor(process.stdout);
  const width = Math.max(0, ...summary.models.map(({ model }) => model.length));
  const counts = summary.models.map(({ rows }) => rows.toLocaleString("en"));
  const numberWidth = Math.max(0, ...counts.map((count) => count.length));
  for (const [index, { model }] of summary.models.entries()) {
    print(`  ${model.padEnd(width)}  ${(counts[index] ?? "").padStart(numberWidth)}`);
  }
  const seconds = (summary.durationMs / 1000).toFixed(2);
  print(`${palette.good("✓")} ${summary.populator}: ${plural(summary.rows, "row")} in ${seconds} s`);
}

function reportError(error: PopulateError, json: boolean): number {
  const { message, hint, place, model, values } = error;
  if (json) {
    print(JSON.stringify({ error: { message, hint, place, model, values } }));
    return EXIT.user;
  }
  printError(renderPopulateError(error, paletteFor(process.stderr)));
  printError("nothing was populated");
  return EXIT.user;
}
