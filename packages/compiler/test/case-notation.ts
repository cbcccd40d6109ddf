// The notation of the case files: sources with the expected diagnostics under their lines.
//
//   === a default must have the type of its field
//   model A { field n { type integer, default "x" } }
//                                             ^^^ type-mismatch: part of the message
//
// Carets stand under the whole span: one for an empty span, up to the end of the line for a span that goes on.
// `--- name.stoa` begins another file of the case. What stands before the first case is an introduction,
// and after a `--- name.stoa` there, a file that all cases of the file share.

import { type Diagnostic, LineIndex } from "../src/index.js";

export interface CaseFile {
  readonly introduction: readonly string[];
  readonly shared: readonly SourceFile[];
  readonly cases: readonly Case[];
}

export interface Case {
  readonly title: string;
  readonly files: readonly SourceFile[];
}

export interface SourceFile {
  readonly name: string;
  readonly lines: readonly string[];
  readonly marks: readonly Mark[];
}

/** A diagnostic as it is written: carets under a line (counted from 0), a code, perhaps part of its message. */
export interface Mark {
  readonly line: number;
  readonly carets: string;
  readonly code: string;
  readonly message: string;
}

const FIRST_FILE = "main.stoa";

export function readCases(text: string): CaseFile {
  const [head = "", ...bodies] = text.split(/^=== /m);
  const [introduction = [], ...shared] = splitFiles(head.split("\n"));
  const cases = bodies.map((body) => {
    const [title = "", ...lines] = body.split("\n");
    return { title, files: readFiles(lines) };
  });
  return { introduction: withoutEndBlanks(introduction), shared: shared.map(readFile), cases };
}

/** The lines before the first `---`, and then those of each file, with its `---`. */
function splitFiles(lines: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith("--- ")) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts;
}

function readFiles(lines: readonly string[]): SourceFile[] {
  const [first = [], ...others] = splitFiles(lines);
  const hasFirst = withoutEndBlanks(first).length > 0 || others.length === 0;
  return [...(hasFirst ? [[`--- ${FIRST_FILE}`, ...first]] : []), ...others].map(readFile);
}

function readFile([heading = "", ...lines]: readonly string[]): SourceFile {
  const source: string[] = [];
  const marks: Mark[] = [];
  for (const line of withoutEndBlanks(lines)) {
    const [, carets, code = "", message = ""] = /^( *\^+) ([a-z][a-z0-9-]*)(?:: (.*))?$/.exec(line) ?? [];
    if (carets === undefined) source.push(line);
    else marks.push({ line: Math.max(0, source.length - 1), carets, code, message });
  }
  return { name: heading.slice("--- ".length), lines: source, marks };
}

function withoutEndBlanks(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}

export function textOf({ lines }: SourceFile): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** The file with what was found instead of what was expected; where they agree, in the words of the case. */
export function withFound(file: SourceFile, diagnostics: readonly Diagnostic[]): SourceFile {
  const marks = diagnostics
    .filter(({ span }) => span.file === file.name)
    .map((diagnostic) => markOf(diagnostic, textOf(file)))
    .map((found) => file.marks.find((expected) => agrees(expected, found)) ?? found);
  return { ...file, marks };
}

function markOf({ code, message, span }: Diagnostic, text: string): Mark {
  const index = new LineIndex(text);
  const start = index.position(span.start);
  const end = index.position(span.end);
  const endColumn = end.line === start.line ? end.column : index.line(start.line).length + 1;
  const carets = "^".repeat(Math.max(1, endColumn - start.column));
  return { line: start.line - 1, carets: " ".repeat(start.column - 1) + carets, code, message };
}

function agrees(expected: Mark, found: Mark): boolean {
  const isPlace = expected.line === found.line && expected.carets === found.carets;
  return isPlace && expected.code === found.code && found.message.includes(expected.message);
}

export function writeCases({ introduction, shared, cases }: CaseFile): string {
  const head = [...introduction, ...shared.flatMap((file) => ["", ...writeFile(file)])];
  return `${[head.join("\n").trim(), ...cases.map(writeCase)].filter((part) => part !== "").join("\n\n")}\n`;
}

export function writeCase({ title, files }: Case): string {
  const parts = files.map((file, index) => {
    const lines = writeFile(file);
    return index === 0 && file.name === FIRST_FILE ? lines.slice(1) : lines;
  });
  return [`=== ${title}`, ...parts.flat()].join("\n");
}

function writeFile({ name, lines, marks }: SourceFile): string[] {
  const marked = (lines.length === 0 ? [[]] : lines.map((line) => [line])).flatMap((line, index) => [
    ...line,
    ...marks.filter((mark) => mark.line === index).map(writeMark),
  ]);
  return [`--- ${name}`, ...marked];
}

function writeMark({ carets, code, message }: Mark): string {
  return `${carets} ${code}${message === "" ? "" : `: ${message}`}`;
}
