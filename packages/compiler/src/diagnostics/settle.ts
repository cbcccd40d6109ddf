// The last word on what is shown: places of the same cause become one diagnostic, comments silence warnings,
// and everything stands in the order of the sources.

import { type Code, codes, isCode } from "./codes.js";
import type { Diagnostic, Span } from "./diagnostic.js";
import type { LineIndex } from "./lines.js";
import { badIgnore, unusedIgnore } from "./messages/syntax.js";

export interface SourceComments {
  readonly file: string;
  readonly lines: LineIndex;
  readonly comments: readonly {
    readonly text: string;
    readonly start: number;
    readonly firstOnLine: boolean;
  }[];
}

/** Where a name is declared; undefined when it is not, or in several places. */
export type Declared = ReadonlyMap<string, Span | undefined>;

export function settle(
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceComments[],
  declared: Declared = new Map(),
): Diagnostic[] {
  const merged = mergeCauses(sort(dropRepeated(diagnostics)), declared);
  return sort(applyIgnores(merged, sources));
}

function sort(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compare(a.span.file, b.span.file) ||
      a.span.start - b.span.start ||
      a.span.end - b.span.end ||
      compare(a.code, b.code),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The same words at the same place, from an expression that was looked at twice. */
function dropRepeated(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, span, message }) => {
    const key = `${code} ${span.file} ${span.start} ${span.end} ${message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const MAX_RELATED = 5;

/** One mistake, one error: further places of the same cause are listed with the first. */
function mergeCauses(diagnostics: readonly Diagnostic[], declared: Declared): Diagnostic[] {
  const first = new Map<string, Diagnostic>();
  const others = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.cause === undefined) continue;
    const found = others.get(diagnostic.cause);
    if (found) {
      const shown = first.get(diagnostic.cause)?.span;
      const isSamePlace = shown?.file === diagnostic.span.file && shown.start === diagnostic.span.start;
      if (!isSamePlace) found.push(diagnostic);
    } else {
      first.set(diagnostic.cause, diagnostic);
      others.set(diagnostic.cause, []);
    }
  }
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.cause === undefined) return [diagnostic];
    if (first.get(diagnostic.cause) !== diagnostic) return [];
    return [withPlaces(diagnostic, others.get(diagnostic.cause) ?? [], declared)];
  });
}

function withPlaces(diagnostic: Diagnostic, others: readonly Diagnostic[], declared: Declared): Diagnostic {
  if (others.length === 0) return diagnostic;
  // A name that is missed in several places and nearly exists was most likely misspelt where it is declared.
  const meant = diagnostic.fix?.text ?? "";
  const span = diagnostic.cause?.endsWith(` for ${meant}`) ? declared.get(meant) : undefined;
  const declaration = span ? [{ message: `\`${meant}\` is declared here`, span }] : [];
  const rest = others.length - MAX_RELATED;
  const shown = others.slice(0, MAX_RELATED).map(({ span }, index) => {
    const isLast = index === MAX_RELATED - 1 && rest > 0;
    return { message: isLast ? `and here, and in ${rest} more places` : "and here", span };
  });
  const otherFixes = diagnostic.fix ? others.flatMap(({ fix }) => fix ?? []) : [];
  return {
    ...diagnostic,
    related: [...(diagnostic.related ?? []), ...declaration, ...shown],
    ...(otherFixes.length > 0 ? { otherFixes } : {}),
  };
}

interface Ignore {
  readonly code: Code;
  readonly span: Span;
  /** The lines whose warnings it silences: its own and, when it stands alone, those up to the next code. */
  readonly from: number;
  readonly to: number;
}

function applyIgnores(diagnostics: readonly Diagnostic[], sources: readonly SourceComments[]): Diagnostic[] {
  let result = [...diagnostics];
  for (const source of sources) {
    for (const comment of source.comments) {
      const ignore = readIgnore(source, comment);
      if (!ignore) continue;
      if ("message" in ignore) result.push(ignore);
      else result = silence(result, ignore, source);
    }
  }
  return result;
}

function silence(
  diagnostics: readonly Diagnostic[],
  ignore: Ignore,
  { file, lines }: SourceComments,
): Diagnostic[] {
  const isSilenced = ({ code, span }: Diagnostic): boolean => {
    if (code !== ignore.code || span.file !== file) return false;
    const { line } = lines.position(span.start);
    // A file that is empty but for comments has no line of its own to speak of.
    return code === "empty-file" || (line >= ignore.from && line <= ignore.to);
  };
  const rest = diagnostics.filter((diagnostic) => !isSilenced(diagnostic));
  return rest.length < diagnostics.length ? rest : [...rest, unusedIgnore(ignore.span, ignore.code)];
}

function readIgnore(
  source: SourceComments,
  comment: SourceComments["comments"][number],
): Ignore | Diagnostic | undefined {
  const match = /^\/\/\s*stoa-ignore\b\s*([\w-]*)\s*(:?)\s*(.*)$/.exec(comment.text);
  if (!match) return undefined;
  const [, code = "", colon, reason] = match;
  const span = { file: source.file, start: comment.start, end: comment.start + comment.text.length };
  const form = "the form is `// stoa-ignore <code>: <reason>`";
  if (code === "") return badIgnore(span, "The code of the warning is missing.", form);
  if (!isCode(code)) return badIgnore(span, `\`${code}\` is not the code of a warning.`, form);
  if (codes[code] === "error")
    return badIgnore(span, `\`${code}\` is an error, and errors cannot be ignored.`, form);
  if (colon === "" || reason?.trim() === "") return badIgnore(span, "The reason is missing.", form);
  const own = source.lines.position(comment.start).line;
  return { code, span, from: own, to: comment.firstOnLine ? nextCodeLine(source, own) : own };
}

/** Comments may follow each other; the next line that is not one counts. */
function nextCodeLine({ lines, comments }: SourceComments, line: number): number {
  const own = new Set(
    comments.filter((comment) => comment.firstOnLine).map((comment) => lines.position(comment.start).line),
  );
  let next = line + 1;
  while (own.has(next)) next++;
  return next;
}
