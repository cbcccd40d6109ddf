// The compiler: sources in, diagnostics and (when there are no errors) the application definition out.
// Four phases, each with its own types; none throws on bad input, none changes what an earlier one made:
//   1 parse    text → syntax tree, file by file
//   2 resolve  syntax trees → declarations and members by name
//   3 check    expressions, types and all static rules
//   4 lower    → definition: tables, constraint names, stable order

import type { Definition, Place } from "@stoa/definition";
import { type CheckedProgram, check } from "./check/check.js";
import { outsideDamage } from "./diagnostics/damage.js";
import type { Diagnostic, Span } from "./diagnostics/diagnostic.js";
import { LineIndex } from "./diagnostics/lines.js";
import { settle } from "./diagnostics/settle.js";
import { lower } from "./lower/lower.js";
import { resolve } from "./resolve/resolve.js";
import { findDeclared } from "./syntax/declared.js";
import { type Parsed, parse, type Source } from "./syntax/parse.js";

export interface CheckedSources {
  readonly diagnostics: readonly Diagnostic[];
  readonly hasErrors: boolean;
}

export interface Compilation extends CheckedSources {
  /** Undefined when there are errors. */
  readonly definition: Definition | undefined;
}

export function compile(sources: readonly Source[]): Compilation {
  const placeOf = placesIn(sources);
  const { checked, diagnostics, hasErrors } = analyse(sources, placeOf);
  const definition = hasErrors ? undefined : lower({ checked, sources: sortedNames(sources), placeOf });
  return { diagnostics, hasErrors, definition };
}

/** The first three phases: all that there is to say about a program, without making its definition. */
export function checkSources(sources: readonly Source[]): CheckedSources {
  const { diagnostics, hasErrors } = analyse(sources, undefined);
  return { diagnostics, hasErrors };
}

interface Analysis extends CheckedSources {
  readonly checked: CheckedProgram;
}

/** Places are for the definition alone. */
function analyse(sources: readonly Source[], placeOf: ((span: Span) => Place) | undefined): Analysis {
  const parsed = sources.map(parse);
  const resolved = resolve(parsed.map((result) => result.file));
  const lines = linesOf(sources);
  const texts = new Map(sources.map((source) => [source.name, source.text]));
  const { checked, diagnostics } = check({
    program: resolved.program,
    placeOf,
    textOf: ({ file, start, end }) => texts.get(file)?.slice(start, end) ?? "",
  });
  const all = [
    ...parsed.flatMap((result) => result.diagnostics),
    ...outsideDamage(
      [...resolved.diagnostics, ...diagnostics],
      parsed.map((result) => result.damage),
    ),
  ];
  const declared = all.length === 0 ? new Map() : findDeclared(parsed.map((result) => result.file));
  const settled = settle(all, commentsOf(parsed, lines), declared);
  return {
    checked,
    diagnostics: settled,
    hasErrors: settled.some(({ severity }) => severity === "error"),
  };
}

function sortedNames(sources: readonly Source[]): string[] {
  return sources.map((source) => source.name).sort();
}

function linesOf(sources: readonly Source[]): ReadonlyMap<string, LineIndex> {
  return new Map(sources.map((source) => [source.name, new LineIndex(source.text)]));
}

function placesIn(sources: readonly Source[]): (span: Span) => Place {
  const lines = linesOf(sources);
  const indexes = new Map(sortedNames(sources).map((name, index) => [name, index]));
  return ({ file, start, end }) => {
    const index = lines.get(file);
    const from = index?.position(start) ?? { line: 1, column: 1 };
    const to = index?.position(end) ?? from;
    return [indexes.get(file) ?? 0, from.line, from.column, to.line, to.column];
  };
}

function commentsOf(parsed: readonly Parsed[], lines: ReadonlyMap<string, LineIndex>) {
  return parsed.flatMap(({ file, comments }) => {
    const index = lines.get(file.file);
    return index ? [{ file: file.file, lines: index, comments }] : [];
  });
}
