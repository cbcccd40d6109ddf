// Schema push: makes a database match a definition, in two acts. `planPush` looks, and says all there is to do
// and all that is in the way, as data. `applyPush` asks, locks, looks again (someone may have been faster) and
// does it in one transaction: all or nothing.

import type { Definition } from "@stoa/definition";
import { type Database, DatabaseError, type Queryable } from "../connection/database.js";
import { type Catalog, canonicalCatalog } from "./catalog.js";
import { desiredCatalog } from "./desired.js";
import { diffCatalogs } from "./diff.js";
import { introspect, type LiveSchema, readableSession } from "./introspect.js";
import { type LockOptions, withSchemaLock } from "./lock.js";
import { managedPart } from "./managed.js";
import {
  createsSchema,
  newerRecord,
  type Obstacle,
  type PushWarning,
  pushFailed,
  tableTakenOver,
  takesOverTable,
  wouldLoseData,
} from "./messages.js";
import { findObstacles, findTakenNames } from "./obstacles.js";
import { qualifyName } from "./quote.js";
import {
  EMPTY_RECORD,
  isSameRecord,
  type PushRecord,
  RECORD_VERSION,
  readRecord,
  writeRecord,
} from "./record.js";
import { findRenames, placementOf } from "./renames.js";
import { createSchema } from "./statements.js";
import type { Step, TableNames } from "./step.js";
import { hasSystemTables, prepareSystemTables } from "./system-tables.js";

export interface PushOptions {
  /** Where the tables are; `public` if absent. */
  readonly schema?: string;
}

export interface PushPlan {
  readonly schema: string;
  readonly definition: Definition;
  /** In the order in which they are done; none if the database matches. */
  readonly steps: readonly Step[];
  readonly warnings: readonly PushWarning[];
  /** What is in the way. Nothing is applied before they are gone. */
  readonly obstacles: readonly Obstacle[];
  /** What will be remembered of this push; null if that is what is remembered already. */
  readonly record: PushRecord | null;
}

export interface PushHooks extends LockOptions {
  /** Asked before anything destructive. */
  readonly confirm?: (steps: readonly Step[]) => Promise<boolean>;
  /** Nobody is asked. */
  readonly acceptDataLoss?: boolean;
  /** Called before each step; again from the first, if the database asks to try again. */
  readonly onStep?: (step: Step) => void;
}

export type PushOutcome =
  | { readonly kind: "unchanged" }
  | { readonly kind: "applied"; readonly steps: readonly Step[] }
  | { readonly kind: "blocked"; readonly obstacles: readonly Obstacle[] }
  | { readonly kind: "declined"; readonly steps: readonly Step[] }
  /** Data would be lost and there was nobody to ask. */
  | { readonly kind: "refused"; readonly steps: readonly Step[]; readonly message: string }
  /** The database has changed since the plan was made, and now more would be lost than was agreed to. */
  | { readonly kind: "changed"; readonly plan: PushPlan }
  /** The database said no, to a step or before any; nothing has been changed. */
  | {
      readonly kind: "failed";
      readonly step: Step | null;
      readonly message: string;
      readonly error: DatabaseError;
    };

export async function planPush(
  database: Database,
  definition: Definition,
  options: PushOptions = {},
): Promise<PushPlan> {
  const schema = options.schema ?? "public";
  return database.transaction(
    async (transaction) => {
      await readableSession(transaction);
      return makePlan({ transaction, definition, schema, isLocking: false });
    },
    { isolation: "repeatable read" },
  );
}

interface PlanInput {
  readonly transaction: Queryable;
  readonly definition: Definition;
  readonly schema: string;
  /** Tables with something to look for in their rows are locked before it is looked for. */
  readonly isLocking: boolean;
}

async function makePlan(input: PlanInput): Promise<PushPlan> {
  const { transaction, definition, schema } = input;
  const live = await introspect(transaction, schema);
  const found = live.recorded ? await readRecord(transaction, schema) : undefined;
  const record = found ?? EMPTY_RECORD;
  const plan = { schema, definition, steps: [], warnings: [], record: null };
  if (record.version > RECORD_VERSION) {
    return { ...plan, obstacles: [newerRecord(record.version, RECORD_VERSION)] };
  }
  const desired = desiredCatalog(definition);
  const renames = findRenames(definition, live.catalog, record.placement);
  const managed = managedPart({ live: live.catalog, desired, recorded: record.catalog, renames });
  const changes = diffCatalogs(managed.catalog, desired, { schema, renames });
  const takeOver = planTakeOver(managed.takenOver, changes);
  const next = nextRecord(definition, desired);
  return {
    ...plan,
    steps: [...schemaSteps(live, schema), ...takeOver.steps, ...changes],
    warnings: [...takeOver.warnings, ...managed.warnings],
    obstacles: [
      ...findTakenNames(desired, managed.catalog, live.relations),
      ...(await findRowsInTheWay(input, changes, managed.catalog)),
    ],
    record: found && isSameRecord(found, next) && (await hasSystemTables(transaction)) ? null : next,
  };
}

function nextRecord(definition: Definition, desired: Catalog): PushRecord {
  return { version: RECORD_VERSION, catalog: canonicalCatalog(desired), placement: placementOf(definition) };
}

function schemaSteps({ exists }: LiveSchema, schema: string): Step[] {
  if (exists) return [];
  const affects = { table: null, columns: [], constraint: null };
  const statements = [createSchema(schema)];
  const words = createsSchema(schema);
  return [{ kind: "create-schema", class: "additive", words, statements, affects, needs: [] }];
}

/** Tables of others are not changed before someone has agreed to it; one that needs no change is just adopted. */
function planTakeOver(tables: readonly TableNames[], changes: readonly Step[]) {
  const changed = new Set(changes.map((step) => step.affects.table));
  const isChanged = ({ live, name }: TableNames) => changed.has(live) || changed.has(name);
  const steps = tables.filter(isChanged).map(({ live, name }): Step => {
    const affects = { table: name, columns: [], constraint: null };
    const words = takesOverTable(live);
    return { kind: "take-over-table", class: "destructive", words, statements: [], affects, needs: [] };
  });
  const warnings = tables.filter((table) => !isChanged(table)).map(({ live }) => tableTakenOver(live));
  return { steps, warnings };
}

async function findRowsInTheWay(input: PlanInput, steps: readonly Step[], managed: Catalog) {
  const { transaction, definition, schema, isLocking } = input;
  const needs = steps.flatMap((step) => step.needs);
  const tables = [...new Set(needs.map((need) => qualifyName(schema, need.table.live)))].sort();
  if (isLocking && tables.length > 0) {
    await transaction.execute(`LOCK TABLE ${tables.join(", ")} IN ACCESS EXCLUSIVE MODE`);
  }
  return findObstacles({ transaction, schema, definition, managed }, needs);
}

// ---------------------------------------------------------------- applying

export async function applyPush(
  database: Database,
  plan: PushPlan,
  hooks: PushHooks = {},
): Promise<PushOutcome> {
  if (plan.obstacles.length > 0) return { kind: "blocked", obstacles: plan.obstacles };
  if (plan.steps.length === 0 && plan.record === null) return { kind: "unchanged" };
  const losses = lossesOf(plan);
  if (losses.length > 0 && !hooks.acceptDataLoss) {
    if (!hooks.confirm) return { kind: "refused", steps: losses, message: wouldLoseData(losses) };
    if (!(await hooks.confirm(losses))) return { kind: "declined", steps: losses };
  }
  let current: Step | undefined;
  const onStep = (step: Step | undefined) => {
    current = step;
    if (step) hooks.onStep?.(step);
  };
  try {
    return await withSchemaLock(database, hooks, (transaction) =>
      applyLocked({ transaction, plan, hooks, onStep }),
    );
  } catch (error) {
    if (!(error instanceof DatabaseError) || isOutage(error)) throw error;
    return { kind: "failed", step: current ?? null, message: pushFailed(current, error), error };
  }
}

/** Not for this push alone. */
function isOutage({ kind }: DatabaseError): boolean {
  return kind === "unavailable" || kind === "authentication";
}

function lossesOf(plan: PushPlan): Step[] {
  return plan.steps.filter((step) => step.class === "destructive");
}

interface ApplyInput {
  readonly transaction: Queryable;
  readonly plan: PushPlan;
  readonly hooks: PushHooks;
  readonly onStep: (step: Step | undefined) => void;
}

async function applyLocked({ transaction, plan, hooks, onStep }: ApplyInput): Promise<PushOutcome> {
  onStep(undefined);
  await readableSession(transaction);
  const { schema, definition } = plan;
  const fresh = await makePlan({ transaction, definition, schema, isLocking: true });
  if (fresh.obstacles.length > 0) return { kind: "blocked", obstacles: fresh.obstacles };
  if (!hooks.acceptDataLoss && !isAgreed(fresh, plan)) return { kind: "changed", plan: fresh };
  for (const step of fresh.steps) {
    onStep(step);
    if (step.statements.length > 0) await transaction.execute(step.statements.join(";\n"));
  }
  onStep(undefined);
  if (fresh.record) {
    await prepareSystemTables(transaction);
    await writeRecord(transaction, schema, fresh.record);
  }
  return fresh.steps.length === 0 ? { kind: "unchanged" } : { kind: "applied", steps: fresh.steps };
}

/** Everything that would be lost now was in the plan. */
function isAgreed(fresh: PushPlan, agreed: PushPlan): boolean {
  const textOf = (step: Step) => [step.words, ...step.statements].join(";\n");
  const known = new Set(lossesOf(agreed).map(textOf));
  return lossesOf(fresh).every((step) => known.has(textOf(step)));
}
