// Data for development: a populator, run when the database is empty, or when somebody asks for it.

import { type Database, hasRows, populate, type Summary } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import type { Configuration } from "../config/configuration.js";
import { refuseProduction } from "../database.js";
import { Failure } from "../failure.js";
import { createHookHost } from "../hook-host.js";
import { ProgressBar } from "../progress-bar.js";

const DEFAULT_POPULATOR = "Dev";

export interface PopulateInput {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly definition: Definition;
  readonly populator: string;
}

/** The populator that the settings name, or the usual one where there is one. */
export function choosePopulator({ populators }: Definition, wanted: string | undefined): string | undefined {
  const names = populators.map(({ name }) => name);
  if (wanted === undefined) return names.find((name) => name === DEFAULT_POPULATOR);
  if (names.includes(wanted)) return wanted;
  throw new Failure(`There is no populator ${wanted}.`, {
    hint: names.length === 0 ? "declare one: populator Dev { … }" : `there is: ${names.join(", ")}`,
  });
}

/** Null if there is data already. */
export async function populateIfEmpty(input: PopulateInput): Promise<Summary | null> {
  return (await hasRows(input.database, input.definition)) ? null : populateAnew(input);
}

/** Empties the tables first. */
export async function populateAnew(input: PopulateInput): Promise<Summary> {
  const { configuration, database, definition, populator } = input;
  refuseHere(configuration);
  const bar = new ProgressBar();
  try {
    return await populate(database, definition, populator, {
      hooks: createHookHost(configuration.root, definition, populator),
      empty: true,
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.clear();
  }
}

/** Somebody may mean it; then it is not for `stoa dev` to do. */
function refuseHere(configuration: Configuration): void {
  try {
    refuseProduction(configuration, {});
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(`Nothing was populated. ${error.message}`, {
      hint: "if its data may be thrown away: stoa db populate --allow-production",
    });
  }
}
