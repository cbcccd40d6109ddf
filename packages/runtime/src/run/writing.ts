// What an endpoint that writes is made of, and what its parts share.

import { type Database, DatabaseError } from "@stoa/database";
import type { Definition, Endpoint, Entrypoint } from "@stoa/definition";
import type { Call, Problem } from "../exchange.js";
import type { Log } from "../http/index.js";
import type { ReadIdentifiers } from "../input/identifier.js";
import type { CompiledRequest } from "../input/index.js";
import type { Place } from "../plan/place.js";
import type { Step, WriteProgram } from "../plan/write/program.js";
import type { Planning } from "../plan/write/runs.js";
import { bindRead } from "./bind.js";
import type { HookCalls } from "./hook-calls.js";
import type { FillHooks } from "./hooks.js";
import { reasonOf } from "./marks.js";
import { noteUser, refusalOf } from "./refusals.js";
import type { CheckPassword, CheckRule } from "./rule-step.js";
import type { ExplainViolation } from "./violation.js";

export interface WriteOptions {
  readonly database: Database;
  readonly definition: Definition;
  readonly hooks: HookCalls;
  readonly log: Log;
  readonly planning: Planning;
  readonly maxBodyBytes?: number;
}

export interface Writing {
  readonly program: WriteProgram;
  readonly place: Place;
  readonly options: WriteOptions;
  readonly request: CompiledRequest | null;
  readonly readIdentifiers: ReadIdentifiers;
  readonly secrets: readonly (readonly string[])[];
  readonly fill: FillHooks | null;
  readonly explain: ExplainViolation;
  /** Tests a rule of a validate action over the values that its statement gave. */
  readonly checkRule: CheckRule;
  readonly checkPassword: CheckPassword;
}

export type StatementStep = Extract<Step, { kind: "statement" }>;

export function reasonOfAll(
  { program }: Writing,
  steps: readonly StatementStep[],
  rows: readonly (readonly Uint8Array[])[],
): Problem | null {
  for (const [index, { lookups }] of steps.entries()) {
    const reason = reasonOf(rows[index] ?? [], lookups, program.endpoint.actions);
    if (reason !== null) return reason;
  }
  return null;
}

/** A violation of the user's making, by the given statement if any; anything else is thrown. */
export function explained({ explain, program }: Writing, failure: unknown, step?: StatementStep): Problem {
  const { actions } = program.endpoint;
  const suspects = (step?.actions ?? []).flatMap((index) => actions[index] ?? []);
  const problem = failure instanceof DatabaseError ? explain(failure, suspects) : null;
  if (problem === null) throw failure;
  return problem;
}

/** Whoever may not do this hears that, not what is wrong with what they have sent. */
export async function refusedBefore({ program, options }: Writing, call: Call): Promise<Problem | undefined> {
  const { guard } = program;
  if (guard === null) return undefined;
  const { userId, credentials } = call;
  const parameters = bindRead(guard.bindings, { identifiers: [], page: null, userId, credentials });
  const { rows } = await options.database.batch([{ sql: guard.sql, parameters }], {
    signal: call.departure,
  });
  noteUser(call, rows[0] ?? []);
  return refusalOf(rows[0] ?? []);
}

/** The get endpoint beside an endpoint. */
export function getBeside(entrypoints: readonly Entrypoint[]): Endpoint | undefined {
  return entrypoints.at(-1)?.endpoints.find(({ kind }) => kind === "get");
}
