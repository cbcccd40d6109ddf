// Patterns, run in time proportional to the text.

import { readPattern } from "@stoa/definition";
import { RE2JS } from "re2js";

/** Whether the pattern is found in a text. Throws for patterns that the compiler refuses. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const reading = readPattern(pattern);
  if (reading.kind === "problem")
    throw new Error(`The pattern \`${pattern}\` cannot be used: ${reading.message}.`);
  const compiled = RE2JS.compile(reading.linear);
  return (text) => compiled.test(text);
}
