// `stoa db migrate`, the thinking part: the definition against the snapshot of the last migration → the next
// migration, or what must be said first. Pure.

import type { Definition } from "@stoa/definition";
import { EMPTY_CATALOG, isSameData } from "../schema/catalog.js";
import { diffCatalogs } from "../schema/diff.js";
import { pairCatalogs } from "../schema/pairs.js";
import { findRenames, type Renames } from "../schema/renames.js";
import type { Step } from "../schema/step.js";
import { findChainProblem } from "./chain.js";
import { findLookAlikes, type LookAlike, withRenamed } from "./look-alikes.js";
import { type Migration, type MigrationProblem, type MigrationStep, migrationName } from "./migration.js";
import { type Rewrite, rewriteOf } from "./rewrites.js";
import { makeSafe, type SafeInput } from "./safe-steps.js";
import { snapshotOf } from "./snapshot.js";
import { printUpFile } from "./up-file.js";

export interface PlanOptions {
  /** What people call it; becomes part of the folder's name. */
  readonly name: string;
  readonly allowDestructive?: boolean;
  readonly allowRewrite?: boolean;
  /** What was answered about look-alikes. */
  readonly renamed?: readonly LookAlike[];
  readonly notRenamed?: readonly LookAlike[];
  /** None of those that are left is a rename. */
  readonly noRenames?: boolean;
}

export type MigrationPlan =
  | { readonly kind: "broken"; readonly problem: MigrationProblem }
  | { readonly kind: "unchanged" }
  | { readonly kind: "unnamed" }
  /** To be answered first. */
  | { readonly kind: "look-alikes"; readonly items: readonly LookAlike[] }
  | { readonly kind: "destructive"; readonly steps: readonly Step[] }
  | { readonly kind: "rewrites"; readonly rewrites: readonly Rewrite[] }
  | { readonly kind: "planned"; readonly migration: Migration; readonly steps: readonly MigrationStep[] };

/** The schema that migrations are written for. */
export const SCHEMA = "public";

export function planMigration(
  definition: Definition,
  migrations: readonly Migration[],
  options: PlanOptions,
): MigrationPlan {
  const problem = findChainProblem(migrations);
  if (problem) return { kind: "broken", problem };
  const last = migrations.at(-1);
  const next = snapshotOf(definition, last?.name ?? null);
  const from = last?.snapshot.catalog ?? EMPTY_CATALOG;
  const placement = last?.snapshot.placement ?? { models: {} };
  const input = { schema: SCHEMA, from, to: next.catalog, definition, placement };
  const renames = (options.renamed ?? []).reduce(withRenamed, findRenames(definition, from, placement));
  const lookAlikes = findLookAlikes({ ...input, renames }).filter((item) => isOpen(item, options));
  const steps = diffCatalogs(from, next.catalog, { schema: SCHEMA, renames });
  if (steps.length === 0) return { kind: "unchanged" };
  if (lookAlikes.length > 0) return { kind: "look-alikes", items: lookAlikes };
  const refusal = refuse(steps, { ...input, renames }, options);
  if (refusal) return refusal;
  const number = (last?.number ?? 0) + 1;
  const name = migrationName(number, options.name);
  if (name === null) return { kind: "unnamed" };
  const safe = makeSafe(steps, { ...input, renames });
  const sql = printUpFile({ name, parent: next.parent, steps: safe });
  return { kind: "planned", migration: { name, number, sql, snapshot: next }, steps: safe };
}

function isOpen(item: LookAlike, { noRenames = false, notRenamed = [] }: PlanOptions): boolean {
  return !noRenames && !notRenamed.some((other) => isSameData(item, other));
}

function refuse(
  steps: readonly Step[],
  input: SafeInput & { readonly renames: Renames },
  { allowDestructive = false, allowRewrite = false }: PlanOptions,
): MigrationPlan | undefined {
  const losses = steps.filter((step) => step.class === "destructive");
  if (losses.length > 0 && !allowDestructive) return { kind: "destructive", steps: losses };
  const pairing = pairCatalogs(input.from, input.to, input.renames);
  const rewrites = steps.flatMap((step) => rewriteOf(step, pairing) ?? []);
  return rewrites.length > 0 && !allowRewrite ? { kind: "rewrites", rewrites } : undefined;
}
