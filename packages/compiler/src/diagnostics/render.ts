// Diagnostics for people: the place, the line of source, carets under the mistake, what to do.

import type { Finding, Span } from "./diagnostic.js";
import { LineIndex } from "./lines.js";

/** How parts of the text are coloured; `plain` leaves them as they are. */
export interface Palette {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly note: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly strong: (text: string) => string;
}

const same = (text: string): string => text;
export const plain: Palette = { error: same, warning: same, note: same, faint: same, strong: same };

export interface RenderOptions {
  readonly sources: ReadonlyMap<string, string>;
  readonly palette?: Palette;
}

/** All diagnostics, with a blank line after each. */
export function renderDiagnostics(diagnostics: readonly Finding[], options: RenderOptions): string {
  const lines = new Map<string, LineIndex>();
  const indexOf = (file: string): LineIndex => {
    const known = lines.get(file) ?? new LineIndex(options.sources.get(file) ?? "");
    lines.set(file, known);
    return known;
  };
  const palette = options.palette ?? plain;
  return diagnostics.map((diagnostic) => `${renderOne(diagnostic, indexOf, palette)}\n`).join("\n");
}

type IndexOf = (file: string) => LineIndex;

function renderOne(diagnostic: Finding, indexOf: IndexOf, palette: Palette): string {
  const colour = palette[diagnostic.severity];
  const heading = `${colour(`${diagnostic.severity}[${diagnostic.code}]`)}${palette.strong(`: ${diagnostic.message}`)}`;
  const related = diagnostic.related ?? [];
  const spans = [diagnostic.span, ...related.map((place) => place.span)];
  const width = Math.max(...spans.map((span) => String(indexOf(span.file).position(span.start).line).length));
  const snippet = { indexOf, palette, width };
  return [
    heading,
    ...renderSnippet(diagnostic.span, { ...snippet, colour, mark: "^", label: "" }),
    ...related.flatMap(({ span, message }) =>
      renderSnippet(span, { ...snippet, colour: palette.note, mark: "-", label: message }),
    ),
    ...(diagnostic.hint ? [`${" ".repeat(width + 1)}${palette.note("= hint:")} ${diagnostic.hint}`] : []),
  ].join("\n");
}

interface SnippetOptions {
  readonly indexOf: IndexOf;
  readonly palette: Palette;
  /** Of the line numbers. */
  readonly width: number;
  readonly colour: (text: string) => string;
  readonly mark: string;
  readonly label: string;
}

function renderSnippet(
  span: Span,
  { indexOf, palette, width, colour, mark, label }: SnippetOptions,
): string[] {
  const index = indexOf(span.file);
  const start = index.position(span.start);
  const end = index.position(span.end);
  const text = index.line(start.line);
  const endColumn = end.line === start.line ? end.column : text.length + 1;
  const window = cutLine(text, start.column - 1, endColumn - 1);
  const margin = " ".repeat(width);
  const bar = palette.faint("│");
  const carets = mark.repeat(Math.max(1, displayWidth(window.marked)));
  const note = label === "" ? "" : ` ${label}`;
  return [
    `${margin} ${palette.faint(`╭─ ${span.file}:${start.line}:${start.column}`)}`,
    `${palette.faint(String(start.line).padStart(width))} ${bar} ${window.before}${window.marked}${window.after}`,
    `${margin} ${bar} ${" ".repeat(displayWidth(window.before))}${colour(`${carets}${note}`)}`,
  ];
}

const MAX_BEFORE = 80;
const MAX_MARKED = 100;
const MAX_AFTER = 40;

/** The part of a long line around the mistake; tabs become blanks, so that carets stand where they should. */
function cutLine(text: string, start: number, end: number) {
  const before = text.slice(0, start);
  const marked = text.slice(start, end);
  const after = text.slice(end);
  return {
    before: printable(before.length > MAX_BEFORE ? `…${before.slice(-MAX_BEFORE)}` : before),
    marked: printable(marked.length > MAX_MARKED ? `${marked.slice(0, MAX_MARKED)}…` : marked),
    after: printable(after.length > MAX_AFTER ? `${after.slice(0, MAX_AFTER)}…` : after),
  };
}

/** Control characters would upset a terminal. */
function printable(text: string): string {
  return text.replace(/\t/g, "  ").replace(/\p{Cc}/gu, "\u{FFFD}");
}

/** Columns a text takes on a terminal: east Asian characters and emoji take two, combining marks none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(char)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        char,
      )
        ? 2
        : 1;
  }
  return width;
}
