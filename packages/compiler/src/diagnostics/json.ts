// Diagnostics for programs: the object that `--json` prints.

import type { Finding, Span } from "./diagnostic.js";
import { LineIndex, type Position } from "./lines.js";

export interface JsonRange {
  readonly file: string;
  readonly start: Position;
  readonly end: Position;
}

export interface JsonDiagnostic extends JsonRange {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint?: string;
  readonly related?: readonly (JsonRange & { readonly message: string })[];
  readonly fix?: JsonRange & { readonly title: string; readonly text: string };
}

export function toJson(
  diagnostics: readonly Finding[],
  sources: ReadonlyMap<string, string>,
): readonly JsonDiagnostic[] {
  const indexes = new Map([...sources].map(([file, text]) => [file, new LineIndex(text)]));
  const range = ({ file, start, end }: Span): JsonRange => {
    const index = indexes.get(file) ?? new LineIndex("");
    return { file, start: index.position(start), end: index.position(end) };
  };
  return diagnostics.map(({ code, severity, message, hint, span, related, fix }) => ({
    code,
    severity,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...range(span),
    ...(related
      ? { related: related.map((place) => ({ message: place.message, ...range(place.span) })) }
      : {}),
    ...(fix ? { fix: { title: fix.title, ...range(fix.span), text: fix.text } } : {}),
  }));
}
