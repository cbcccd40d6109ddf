// What the compiler makes of mutants, counted.

import { checkSources } from "../../src/compile.js";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.js";
import { applyFixes } from "../../src/diagnostics/fix.js";
import { parse, type Source } from "../../src/syntax/parse.js";
import { applyMutants, type Mutant } from "./mutants.js";
import { destroyedBy, type OutlineEntry, outlineOf } from "./outline.js";

export interface Verdict {
  readonly errors: readonly Diagnostic[];
  /** Paths of declarations and members that are gone, beyond the one with the mistake. */
  readonly destroyed: readonly string[];
  /** Whether some error has a fix, and whether the program compiles once all fixes are applied. */
  readonly fix: "none" | "mends" | "fails";
}

export function errorsOf(source: Source): Diagnostic[] {
  return checkSources([source]).diagnostics.filter(({ severity }) => severity === "error");
}

/** A valid program, and what is in it. */
export interface Sample extends Source {
  readonly outline: readonly OutlineEntry[];
}

export function judge({ name, text, outline }: Sample, mutant: Mutant): Verdict {
  const source = { name, text: applyMutants(text, [mutant]) };
  const errors = errorsOf(source);
  if (errors.length === 0) return { errors, destroyed: [], fix: "none" };
  const destroyed = destroyedBy(mutant.token, outline, outlineOf(parse(source).file));
  return { errors, destroyed, fix: judgeFix(source, errors) };
}

function judgeFix(source: Source, errors: readonly Diagnostic[]): Verdict["fix"] {
  if (errors.every(({ fix }) => fix === undefined)) return "none";
  const { text } = applyFixes(source.name, source.text, errors);
  return errorsOf({ name: source.name, text }).length === 0 ? "mends" : "fails";
}

/** Counts of verdicts. Mutants that are valid programs have no verdict worth counting. */
export class Score {
  mutants = 0;
  valid = 0;
  oneError = 0;
  intact = 0;
  fixes = 0;
  mended = 0;

  add({ errors, destroyed, fix }: Verdict): void {
    this.mutants++;
    if (errors.length === 0) {
      this.valid++;
      return;
    }
    if (errors.length === 1) this.oneError++;
    if (destroyed.length === 0) this.intact++;
    if (fix !== "none") this.fixes++;
    if (fix === "mends") this.mended++;
  }

  merge(other: Score): void {
    this.mutants += other.mutants;
    this.valid += other.valid;
    this.oneError += other.oneError;
    this.intact += other.intact;
    this.fixes += other.fixes;
    this.mended += other.mended;
  }

  get invalid(): number {
    return this.mutants - this.valid;
  }

  get oneErrorShare(): number {
    return this.oneError / Math.max(1, this.invalid);
  }

  get intactShare(): number {
    return this.intact / Math.max(1, this.invalid);
  }

  get mendedShare(): number {
    return this.mended / Math.max(1, this.fixes);
  }
}
