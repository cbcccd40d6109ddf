// Data for development: a populator, run when the database is empty, or when somebody asks for it.

import { type Database, hasRows, populate, type Summary } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { refuseProduction } from "../database.js";
import { Failure } from "../failure.js";
import { createHookHost } from "../hook-host.js";
import { ProgressBar } from "../progress-bar.js";

const DEFAULT_POPULATOR = "Dev";

export interface PopulateInput {
  readonly root: string;
  readonly database: Database;
  readonly definition: Definition;
  readonly populator: string;
  readonly databaseUrl: string | undefined;
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
  const { root, database, definition, populator, databaseUrl } = input;
  refuseProduction(databaseUrl === undefined ? {} : { databaseUrl });
  const bar = new ProgressBar();
  try {
    return await populate(database, definition, populator, {
      hooks: createHookHost(root, definition, populator),
      empty: true,
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.clear();
  }
}
