// Endpoints that write: the request is read and checked, the program runs, and its rows become the answer.

import type { Definition, Endpoint, RequestField, RequestSchema } from "@stoa/definition";
import type { Call, Outcome, Problem, Route } from "../exchange.js";
import { hashInTurn } from "../hashing.js";
import { identifierReader } from "../input/identifier.js";
import { compileRequest, type Inputs, type ValidatorHooks } from "../input/index.js";
import { invalid, readQuery } from "../input/query-string.js";
import type { Place } from "../plan/place.js";
import { takesTags } from "../plan/tag.js";
import { planWrite } from "../plan/write/write.js";
import { answerOf } from "./answer.js";
import { bindAll, type Values } from "./bind.js";
import type { CodeContext } from "./code.js";
import { contextsOf } from "./hook-context.js";
import { planHooks } from "./hooks.js";
import { readKey, runOnce } from "./idempotent.js";
import { newUuid } from "./new-id.js";
import { runInTransaction } from "./program.js";
import { NOT_FOUND, OVERTAKEN } from "./refusals.js";
import { compilePasswordRule, compileRuleSteps } from "./rule-step.js";
import { wantedTags } from "./tags.js";
import { violationsOf } from "./violation.js";
import {
  explained,
  reasonOfAll,
  refusedBefore,
  type StatementStep,
  type WriteOptions,
  type Writing,
} from "./writing.js";

export function writeRoute(place: Place, options: WriteOptions): Route {
  const plain = writingOf(place, options);
  const conditional = takesTags(place) ? writingOf({ ...place, isConditional: true }, options) : plain;
  const { name, method, path } = place.endpoint;
  const handle = (call: Call): Promise<Outcome> =>
    write(call.headers["if-match"] === undefined ? plain : conditional, call);
  return { name, method, path, handle };
}

function writingOf(place: Place, options: WriteOptions): Writing {
  const { definition, log, planning } = options;
  const program = planWrite(definition, place, planning);
  const { endpoint } = program;
  return {
    ...{ program, place, options },
    request: compileInputs(endpoint, options),
    readIdentifiers: identifierReader(definition, endpoint.parameters),
    secrets: secretPaths(definition, endpoint.request?.fields ?? []),
    fill: planHooks(program.hooks, options.hooks, contextsOf(definition, log)),
    explain: violationsOf(definition, endpoint.actions),
    checkRule: compileRuleSteps(definition, validatorHooks(options), program.steps),
    checkPassword: compilePasswordRule(definition, validatorHooks(options)),
  };
}

/** The code of validators that ask code. */
function validatorHooks({ definition, hooks }: WriteOptions): ValidatorHooks {
  return {
    find(name) {
      const validator = definition.validators.find((each) => each.name === name);
      if (validator?.assert.kind !== "hook") throw new Error(`The validator \`${name}\` has no hook.`);
      const run = hooks.code.find(validator.assert.hook);
      return (args, context) => run(args, context as CodeContext);
    },
  };
}

/** What could bring inputs is looked at even where there are none, so that nobody sends any in vain. */
const NO_INPUTS: RequestSchema = { in: "body", fields: [] };

function compileInputs({ request: schema, kind, method }: Endpoint, options: WriteOptions) {
  const request = schema ?? (method === "GET" || method === "DELETE" ? null : NO_INPUTS);
  if (request === null) return null;
  const mode = kind === "create" || kind === "update" ? kind : "custom";
  const { definition, maxBodyBytes } = options;
  return compileRequest(definition, request, {
    mode,
    hooks: validatorHooks(options),
    mergePatch: method === "PATCH",
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  });
}

/** Inputs that are stored as hashes: the secret that users log in with. */
function secretPaths(
  { auth }: Pick<Definition, "auth">,
  fields: readonly RequestField[],
  above: readonly string[] = [],
): string[][] {
  return fields.flatMap((field): string[][] => {
    const path = [...above, field.name];
    if (field.kind === "object") return secretPaths({ auth }, field.fields, path);
    const { source } = field;
    const isSecret =
      source.kind === "member" && source.model === auth?.model && source.member === auth.password?.secret;
    return isSecret ? [path] : [];
  });
}

async function write(writing: Writing, call: Call): Promise<Outcome> {
  const identifiers = writing.readIdentifiers(call.parameters);
  if (identifiers === undefined) return NOT_FOUND;
  const key = readKey(writing, call);
  if (key !== null && "kind" in key) return key;
  // Code that tests inputs does not run for those who may not do this, and passwords are not hashed for them.
  const isCostly = writing.request?.asksCode || writing.secrets.length > 0;
  const refused = isCostly ? await refusedBefore(writing, call) : undefined;
  if (refused !== undefined) return refused;
  const inputs =
    strayParameters(writing, call) ??
    (await readInputs(writing, call, key === null ? call.body : key.watch(call.body)));
  if (inputs !== null && inputs.kind === "problem") return (await refusedBefore(writing, call)) ?? inputs;
  const values = await valuesOf(writing, call, identifiers, inputs);
  if (key !== null) return runOnce(writing, { values, call }, key);
  let outcome = await run(writing, values, call);
  // While it waited for the record, another request has made it one that does not match, which looks like none; or one
  // that the rules forbid.
  if (outcome === NOT_FOUND && values.tags !== null) outcome = await run(writing, values, call);
  for (let tries = 1; tries < MAX_TRIES && outcome === OVERTAKEN; tries++)
    outcome = await run(writing, values, call);
  return outcome;
}

const MAX_TRIES = 4;

function run(writing: Writing, values: Values, call: Call): Promise<Outcome> {
  return needsTransaction(writing)
    ? runInTransaction(writing, { values, call, claim: null })
    : runBatch(writing, values, call);
}

/** Where inputs do not come in the query string, nothing does. */
function strayParameters({ program }: Writing, { query }: Call): Problem | null {
  if (program.endpoint.request?.in === "query") return null;
  const read = readQuery(query, { known: [] });
  if ("kind" in read) return read;
  return read.errors.length === 0 ? null : invalid(read.errors);
}

/** Where code runs before the end: if it fails, all is undone. */
function needsTransaction({ program, fill }: Writing): boolean {
  return fill !== null || program.steps.some(({ kind }) => kind !== "statement");
}

function readInputs(
  { request, options }: Writing,
  call: Call,
  body: Call["body"],
): Promise<Inputs | Problem> | Inputs | Problem | null {
  if (request === null) return null;
  const now = new Date().toISOString().replace("Z", "000Z");
  return request.read({
    headers: call.headers,
    body,
    query: call.query,
    scope: { now: () => now, uuid: () => crypto.randomUUID() },
    hookContext: contextsOf(options.definition, options.log)(call),
  });
}

async function valuesOf(
  { secrets }: Writing,
  call: Call,
  identifiers: readonly string[],
  inputs: Inputs | null,
): Promise<Values> {
  const hashed = new Map<string, string>();
  for (const path of secrets) {
    const value = inputs?.get(path).value;
    if (typeof value === "string") hashed.set(path.join("."), await hashInTurn(value, call.departure));
  }
  const ids = new Map<number, string>();
  const newId = (action: number): string => {
    const id = ids.get(action) ?? newUuid();
    ids.set(action, id);
    return id;
  };
  const tags = wantedTags(call);
  return {
    identifiers,
    userId: call.userId,
    credentials: call.credentials,
    page: null,
    inputs,
    hashed,
    newId,
    results: new Map(),
    tags,
  };
}

/** All in one go. */
async function runBatch(writing: Writing, values: Values, call: Call): Promise<Outcome> {
  const steps = writing.program.steps.filter((step): step is StatementStep => step.kind === "statement");
  const statements = steps.map(({ statement }) => {
    return { sql: statement.sql, parameters: bindAll(statement.bindings, values) };
  });
  // One statement is over soon; several may wait for locks while they hold some.
  const options = { signal: call.departure, isShared: statements.length === 1 };
  const { rows, failure } = await writing.options.database.batch(statements, options);
  const reason = reasonOfAll(writing, steps, rows);
  if (reason !== null) return reason;
  if (failure !== null) return explained(writing, failure, steps[rows.length]);
  return answerOf(writing, rows.flat(), call);
}
