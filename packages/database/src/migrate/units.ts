// Steps → units, each of which is done as a whole or not at all: the largest transactions that PostgreSQL and the
// locks allow, and between them what runs outside of one.

import type { MigrationStep } from "./migration.js";

export interface PlacedStep {
  readonly step: MigrationStep;
  /** From 0, in its file. */
  readonly index: number;
}

export type Unit =
  | { readonly kind: "transaction"; readonly steps: readonly PlacedStep[] }
  | { readonly kind: "alone" | "batches" | "no-rows"; readonly steps: readonly [PlacedStep] };

/** Of the steps from `start` on. */
export function groupSteps(steps: readonly MigrationStep[], start = 0): Unit[] {
  const units: Unit[] = [];
  for (const [index, step] of steps.entries()) {
    if (index < start) continue;
    const placed = { step, index };
    const open = units.at(-1);
    if (step.run.kind === "together" && open?.kind === "transaction") {
      units.splice(-1, 1, { kind: "transaction", steps: [...open.steps, placed] });
    } else if (step.run.kind === "together" || step.run.kind === "apart") {
      units.push({ kind: "transaction", steps: [placed] });
    } else {
      units.push({ kind: step.run.kind, steps: [placed] });
    }
  }
  return units;
}
