// Applies the fixes of diagnostics to a source text.

import type { Diagnostic, Fix } from "./diagnostic.js";

export interface FixResult {
  readonly text: string;
  readonly applied: readonly Diagnostic[];
}

/** Fixes that overlap wait for the next round: the first one may have mended their cause as well. */
export function applyFixes(file: string, text: string, diagnostics: readonly Diagnostic[]): FixResult {
  const fixable = diagnostics
    .flatMap((diagnostic) => fixesOf(diagnostic).map((fix) => ({ diagnostic, fix })))
    .filter(({ fix }) => fix.span.file === file)
    .sort((a, b) => a.fix.span.start - b.fix.span.start);
  const applied = new Set<Diagnostic>();
  const edits: Fix[] = [];
  for (const { diagnostic, fix } of fixable) {
    const previous = edits.at(-1);
    if (previous && fix.span.start <= previous.span.end) continue;
    edits.push(fix);
    applied.add(diagnostic);
  }
  return { text: applyEdits(text, edits), applied: [...applied] };
}

function fixesOf({ fix, otherFixes = [] }: Diagnostic): Fix[] {
  return fix ? [fix, ...otherFixes] : [];
}

function applyEdits(text: string, edits: readonly Fix[]): string {
  let result = "";
  let at = 0;
  for (const { span, text: replacement } of edits) {
    result += text.slice(at, span.start) + replacement;
    at = span.end;
  }
  return result + text.slice(at);
}
