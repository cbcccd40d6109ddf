// Differences between a database and what it should be, on the terminal.

import type { Difference } from "@stoa/database";
import { paletteFor, print, printError } from "./terminal.js";

export interface DifferenceOptions {
  readonly json: boolean;
  readonly hint: string;
}

export function printDifferences(
  message: string,
  differences: readonly Difference[],
  { json, hint }: DifferenceOptions,
): void {
  if (json) return print(JSON.stringify({ outcome: "different", differences, error: { message, hint } }));
  const palette = paletteFor(process.stderr);
  printError(`${palette.error("error")}${palette.strong(`: ${message} In comparison, it`)}`);
  for (const { words, statements } of differences) {
    printError(`  ${words}`);
    for (const statement of statements) printError(palette.faint(`    to undo it: ${statement};`));
  }
  printError(`  ${palette.note("= hint:")} ${hint}`);
}
