// A program in a database of its own: compiled, pushed, ready to be populated.

import { compile, renderDiagnostics } from "@stoa/compiler";
import type { Definition } from "@stoa/definition";
import { expect, vi } from "vitest";
import type { Database, Row } from "../../packages/database/src/connection/database.js";
import {
  PopulateError,
  type PopulateOptions,
  populate,
  type Summary,
} from "../../packages/database/src/populate/index.js";
import { applyPush, planPush } from "../../packages/database/src/schema/index.js";
import { testDatabase } from "../../packages/database/test/server.js";

// Two cores may be busy with other things.
vi.setConfig({ testTimeout: 30_000 });

export interface Program {
  readonly definition: Definition;
  readonly database: Database;
  /** Runs a populator, `Dev` if none is named. */
  run(options?: PopulateOptions & { readonly name?: string }): Promise<Summary>;
  /** Rows of a statement, everything as text. */
  rows(sql: string): Promise<readonly Row[]>;
  /** Values of a statement with one column. */
  values(sql: string): Promise<unknown[]>;
}

export const SOURCE_NAME = "app.stoa";

export function compileSource(text: string): Definition {
  const { definition, diagnostics } = compile([{ name: SOURCE_NAME, text }]);
  const sources = new Map([[SOURCE_NAME, text]]);
  if (!definition) throw new Error(renderDiagnostics(diagnostics, { sources }));
  return definition;
}

export async function prepare(text: string): Promise<Program> {
  const definition = compileSource(text);
  const { database } = await testDatabase();
  const outcome = await applyPush(database, await planPush(database, definition));
  expect(["applied", "unchanged"]).toContain(outcome.kind);
  return programIn(database, definition);
}

export function programIn(database: Database, definition: Definition): Program {
  const rows = (sql: string): Promise<readonly Row[]> => database.query(sql);
  return {
    definition,
    database,
    run: ({ name = "Dev", ...options } = {}) => populate(database, definition, name, options),
    rows,
    values: async (sql) => (await rows(sql)).map((row) => Object.values(row)[0]),
  };
}

/** The error a run ends with; the run must not succeed. */
export async function failureOf(run: Promise<unknown>): Promise<PopulateError> {
  const error = await run.then(
    () => new Error("The run has succeeded."),
    (reason: unknown) => reason,
  );
  if (error instanceof PopulateError) return error;
  throw error;
}
