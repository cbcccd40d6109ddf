// Commands that compile once and end are over before V8's optimising compiler and its care for memory pay off.

import { setFlagsFromString } from "node:v8";

/** For the V8 of Node 20, as measured with 20,000 lines; later ones have other habits and other flags. */
const FLAGS = [
  // It begins to optimise so early that a large program takes a third longer.
  "--interrupt-budget=230000",
  "--ticks-before-optimization=2",
  // The next three save another 7 %. Functions learn from their first call on what they are called with.
  "--no-lazy-feedback-allocation",
  // Most of what a compiler makes stays until its end: room at once, rather than many small collections.
  "--semi-space-growth-factor=32",
  "--no-incremental-marking",
];

/**
 * To be called when all modules are loaded: the code of Node's own is compiled ahead, for the flags that it starts
 * with.
 */
export function expectShortRun(): void {
  if (process.versions.node.startsWith("20.")) for (const flag of FLAGS) setFlagsFromString(flag);
  // Once nothing is left to do or to write, the process can go; taking its memory apart first would take a while.
  process.once("beforeExit", () => process.exit());
}
