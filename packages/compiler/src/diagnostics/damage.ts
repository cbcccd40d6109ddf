// Which findings of the later phases are worth telling. Where the parser could not read something, it has said
// so, and what the rest seems to mean is a guess.

import type { Code } from "./codes.js";
import type { Diagnostic, Span } from "./diagnostic.js";

export interface Damage {
  /** Items that could not be read: what else seems wrong in them may follow from that. */
  readonly unreadable: readonly Span[];
  /** Blocks in which something has no name: a name that seems to be unknown there may be its name. */
  readonly nameless: readonly Span[];
}

/** What the absence of a name at its declaration leads to. */
const UNKNOWN: ReadonlySet<Code> = new Set(["unknown-name", "unknown-input", "action-target"]);

export function outsideDamage(
  diagnostics: readonly Diagnostic[],
  damage: readonly Damage[],
): readonly Diagnostic[] {
  const unreadable = damage.flatMap((file) => file.unreadable);
  const nameless = damage.flatMap((file) => file.nameless);
  return diagnostics.filter(({ code, span }) => {
    if (unreadable.some((item) => contains(item, span))) return false;
    return !UNKNOWN.has(code) || !nameless.some((block) => contains(block, span));
  });
}

function contains(outer: Span, inner: Span): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}
