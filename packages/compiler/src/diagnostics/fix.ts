// Applies the fixes of diagnostics to a source text.

import type { Diagnostic, Fix } from "./diagnostic.js";

export interface FixResult {
  readonly text: string;
  readonly applied: readonly Diagnostic[];
}

/** Fixes that overlap wait for the next round: the first one may have mended their cause as well. */
export function applyFixes(file: string, text: string, diagnostics: readonly Diagnostic[]): FixResult {
  const fixable = diagnostics
    .flatMap((diagnostic) =>
      diagnostic.fix?.span.file === file ? [{ diagnostic, fix: diagnostic.fix }] : [],
    )
    .sort((a, b) => a.fix.span.start - b.fix.span.start);
  const applied: Diagnostic[] = [];
  const edits: Fix[] = [];
  for (const { diagnostic, fix } of fixable) {
    const previous = edits.at(-1);
    if (previous && fix.span.start <= previous.span.end) continue;
    edits.push(fix);
    applied.push(diagnostic);
  }
  return { text: applyEdits(text, edits), applied };
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
