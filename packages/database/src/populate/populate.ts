// Populators, from the definition to rows in the database:
//   hooks are loaded, the populator is planned and its rows are counted: what can never work fails here;
//   then in one transaction: ids are reserved, rows are made depth first and copied in batches, sequences are set.
// The same definition, seed and data in the database give the same rows. Only the clock is the real one:
// `now()`, `today()` and timestamps are those of the transaction, unless a time is given.

import { type Definition, type Model, type Populator, parseDatetime, type Value } from "@stoa/definition";
import type { Database, Queryable } from "../connection/database.js";
import { countRows } from "./count.js";
import { DEFAULT_SCHEMA, describeTableError, emptyTables } from "./empty.js";
import { usesFake } from "./expressions.js";
import { PopulateError } from "./failure.js";
import { createFake, loadFaker } from "./fake.js";
import { type HookHost, loadHooks } from "./hooks.js";
import { type Ids, reserveIds } from "./ids.js";
import { unknownPopulator } from "./messages.js";
import { type NodePlan, type Plan, planPopulator } from "./plan.js";
import { produceRows } from "./produce.js";
import { measureProgress, type Progress } from "./progress.js";
import { createRandom, randomBytes, randomUuid } from "./random.js";
import type { Row } from "./row.js";
import { type HashSecret, hashSecret, rememberHashes, SALT_BYTES } from "./secret.js";
import { createWriter } from "./writer.js";

export const DEFAULT_SEED = 1;

/** Someone who keeps a table locked should not make a populator wait for ever. */
const LOCK_TIMEOUT = "10s";

export interface PopulateOptions {
  readonly seed?: number;
  readonly hooks?: HookHost;
  /** How passwords are stored; by default with scrypt. */
  readonly hashSecret?: HashSecret;
  /** What `now()` is, in RFC 3339; by default the time of the transaction. */
  readonly now?: string;
  /** Empties the tables of the definition first; they are as they were if the run fails. */
  readonly empty?: boolean;
  /** Where the tables are; `public` if absent. */
  readonly schema?: string;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

export interface Summary {
  readonly populator: string;
  readonly rows: number;
  readonly models: readonly { readonly model: string; readonly rows: number }[];
  readonly durationMs: number;
}

export async function populate(
  database: Database,
  definition: Definition,
  name: string,
  options: PopulateOptions = {},
): Promise<Summary> {
  const startedAt = performance.now();
  const populator = findPopulator(definition, name);
  const hooks = await loadHooks(definition, populator, options.hooks);
  const signal = options.signal ?? new AbortController().signal;
  const context = { ...options.hooks?.context, auth: null, signal };
  const plan = planPopulator({ definition, populator, hooks, context });
  const run: Run = { plan, populator, options, startedAt, total: countRows(plan) ?? null };
  const counts = await database.transaction((transaction) => runPlan(transaction, run));
  const models = [...counts].map(([model, rows]) => ({ model, rows }));
  return {
    populator: name,
    rows: models.reduce((sum, { rows }) => sum + rows, 0),
    models,
    durationMs: performance.now() - startedAt,
  };
}

function findPopulator({ populators }: Definition, name: string): Populator {
  const populator = populators.find((candidate) => candidate.name === name);
  if (populator) return populator;
  const known = populators.map((candidate) => candidate.name);
  throw new PopulateError({ message: unknownPopulator(name, known) });
}

interface Run {
  readonly plan: Plan;
  readonly populator: Populator;
  readonly options: PopulateOptions;
  readonly startedAt: number;
  readonly total: number | null;
}

type Counts = ReadonlyMap<string, number>;

/** All of a run that happens in the transaction; it may happen again after a deadlock. */
async function runPlan(transaction: Queryable, run: Run): Promise<Counts> {
  const { plan, options } = run;
  const models = modelsOf(plan);
  const counts = new Map(models.map((model) => [model.name, 0]));
  await transaction.execute(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  const schema = options.schema ?? DEFAULT_SCHEMA;
  if (options.empty) await emptyTables(transaction, plan.definition, { schema });
  if (models.length === 0) return counts;
  const seed = String(options.seed ?? DEFAULT_SEED);
  const ids = await reserveIds(transaction, { models, schema, seed }).catch((error) => {
    throw describeTableError(error);
  });
  const world = await createWorld(transaction, run, ids);
  const writer = createWriter({ transaction, plan, schema, onWritten: reporter(run) });
  const take = (node: NodePlan, row: Row): Promise<void> | undefined => {
    counts.set(node.model.name, (counts.get(node.model.name) ?? 0) + 1);
    options.signal?.throwIfAborted();
    return writer.take(node, row);
  };
  try {
    await produceRows({ plan, ...world, nextId: ids.next, take });
    await writer.finish();
  } finally {
    // The transaction can only be ended when nothing is being written; an error of earlier rows comes first.
    await writer.settle();
  }
  options.signal?.throwIfAborted();
  await ids.finish();
  return counts;
}

function modelsOf({ nodes }: Plan): Model[] {
  return [...new Set(nodes.map((node) => node.model))];
}

/** What rows are made from: the clock, the seed, and who is above them. */
async function createWorld(transaction: Queryable, { populator, options }: Run, ids: Ids) {
  const seed = options.seed ?? DEFAULT_SEED;
  // New uuids differ from those of an earlier run whose rows are still there.
  const random = createRandom(`${seed} ${populator.name} ${ids.origin}`);
  const aliases = new Map<string, Value>();
  const iterators = new Map<string, Value>();
  const now = await timeOf(transaction, options.now);
  const hash =
    options.hashSecret ?? ((secret: string) => hashSecret(secret, randomBytes(random, SALT_BYTES)));
  const scope = {
    auth: null,
    aliases,
    iterators,
    now: () => now,
    uuid: () => randomUuid(random),
    ...(usesFake(populator.populates) ? { fake: createFake(await loadFaker(seed), random) } : {}),
    hashSecret: rememberHashes(hash),
  };
  return { scope, aliases, iterators };
}

const NOW = `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS now`;

async function timeOf(transaction: Queryable, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const now = parseDatetime(given);
    if (now === undefined) throw new Error(`\`${given}\` is not a datetime.`);
    return now;
  }
  const [row] = await transaction.query<{ now: string }>(NOW);
  return row?.now ?? "";
}

function reporter({ options, total, startedAt }: Run): (rows: number) => void {
  let written = 0;
  return (rows) => {
    written += rows;
    options.onProgress?.(measureProgress(written, total, performance.now() - startedAt));
  };
}
