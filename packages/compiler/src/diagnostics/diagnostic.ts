// What the compiler says about a program: plain data, made by the functions in messages/, shown by
// render.ts, and applied to sources by fix.ts.

import type { Code, Severity } from "./codes.js";

/** A stretch of a source file, in UTF-16 offsets; `end` is exclusive. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

export interface Related {
  readonly message: string;
  readonly span: Span;
}

/** An edit that repairs the mistake; safe to apply without asking. */
export interface Fix {
  readonly title: string;
  readonly span: Span;
  readonly text: string;
}

export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  readonly hint?: string;
  readonly related?: readonly Related[];
  readonly fix?: Fix;
  /** The same repair in the other places of the cause, to be applied together with it. */
  readonly otherFixes?: readonly Fix[];
  /** Diagnostics with the same cause are one mistake: the first is shown, the others become related places. */
  readonly cause?: string;
}

/** What can be shown: a diagnostic, or what another tool finds, with a code of its own. */
export type Finding = Omit<Diagnostic, "code"> & { readonly code: string };

export type DiagnosticDetails = Partial<Pick<Diagnostic, "hint" | "related" | "fix" | "cause">>;

export function spanOver(first: Span, last: Span): Span {
  return { file: first.file, start: first.start, end: Math.max(first.end, last.end) };
}

/** The empty place just after a span: where something is missing. */
export function spanAfter(span: Span): Span {
  return { file: span.file, start: span.end, end: span.end };
}
