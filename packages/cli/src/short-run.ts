// Commands that compile once and end are over before V8's optimising compiler has paid off.

import { setFlagsFromString } from "node:v8";

/**
 * Lets functions run longer before they are optimised. The V8 of Node 20 begins so early that a large program
 * takes a third longer to compile; later ones wait by themselves, and no longer know the flag. To be called when
 * all modules are loaded: the code of Node's own is compiled ahead, for the flags that it starts with.
 */
export function expectShortRun(): void {
  if (process.versions.node.startsWith("20.")) setFlagsFromString("--interrupt-budget=300000");
}
