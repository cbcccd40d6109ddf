// All that the reader can say, one function per problem.

import { findNearest } from "./nearest.js";
import { type Position, ROOT, toPointer } from "./position.js";
import { type ShapeNode, shapeFor, type Target } from "./shape.js";

/** Why a text is not a definition. */
export interface ReadProblem {
  /** A JSON pointer: `/models/0/name`; empty for the whole. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

// ---------------------------------------------------------------- the file as a whole

export function notJson(fault: string, line: number, column: number): ReadProblem {
  return problem(ROOT, `not JSON: ${fault} (line ${line}, column ${column})`);
}

export function emptyFile(): ReadProblem {
  return problem(ROOT, "the file is empty", "run `stoa build` to write it again");
}

export function notAnObject(found: unknown): ReadProblem {
  return problem(ROOT, `${NO_DEFINITION}: expected an object, found ${describeValue(found)}`);
}

export function noVersion(known: number): ReadProblem {
  return problem(ROOT, NO_DEFINITION, `a definition begins with "version": ${known}`);
}

export function wrongVersion(at: Position, found: unknown): ReadProblem {
  return problem(at, `the version of a definition is a whole number, found ${describeValue(found)}`);
}

export function newerVersion(at: Position, found: number, known: number): ReadProblem {
  return problem(at, `made by a newer Stoa (version ${found}); this one reads version ${known}: update stoa`);
}

export function olderVersion(at: Position, found: number, known: number): ReadProblem {
  return problem(
    at,
    `made by an older Stoa (version ${found}); this one reads version ${known}: run \`stoa build\` again`,
  );
}

const NO_DEFINITION = "this file is not a Stoa application definition";

// ---------------------------------------------------------------- its parts

export function tooDeep(at: Position, limit: number): ReadProblem {
  return problem(at, `nested deeper than ${limit} levels`);
}

export function missingKey(at: Position, key: string): ReadProblem {
  return problem(at, `${quote(key)} is missing`);
}

export function unknownKey(at: Position, key: string, free: Iterable<string>): ReadProblem {
  return problem(at, `unknown key ${quote(key)}`, didYouMean(key, free));
}

/** The value does not have the type of the shape, or is none of its texts or numbers. */
export function unexpectedValue(at: Position, shape: ShapeNode, found: unknown): ReadProblem {
  return problem(
    at,
    `expected ${describeShape(shape)}, found ${describeValue(found)}`,
    typeof found === "string" ? didYouMean(found, choicesOf(shape)) : undefined,
  );
}

export function wrongLength(at: Position, length: number, found: number): ReadProblem {
  return problem(at, `expected a list of ${length} items, found ${found} items`);
}

export function missingKind(at: Position, known: readonly string[]): ReadProblem {
  return problem(at, `"kind" is missing; known kinds: ${known.map(quote).join(", ")}`);
}

export function unknownKind(at: Position, found: unknown, known: readonly string[]): ReadProblem {
  const kinds = `known kinds: ${known.map(quote).join(", ")}`;
  return typeof found === "string"
    ? problem(at, `unknown kind ${quote(found)}; ${kinds}`, didYouMean(found, known))
    : problem(at, `expected a kind, found ${describeValue(found)}; ${kinds}`);
}

export interface StrayName {
  readonly at: Position;
  readonly target: Target;
  readonly name: string;
  readonly known: Iterable<string>;
}

export function unknownName({ at, target, name, known }: StrayName): ReadProblem {
  return problem(at, `there is no ${target} ${quote(name)}`, didYouMean(name, known));
}

// ---------------------------------------------------------------- words

function problem(at: Position, message: string, hint?: string): ReadProblem {
  return { path: toPointer(at), message, ...(hint === undefined ? {} : { hint }) };
}

function didYouMean(wrong: string, known: Iterable<string>): string | undefined {
  const nearest = findNearest(wrong, known);
  return nearest === null ? undefined : `did you mean ${quote(nearest)}?`;
}

function choicesOf(shape: ShapeNode): readonly string[] {
  const body = shapeFor("", shape);
  return body.kind === "choice" ? body.values : [];
}

function describeShape(shape: ShapeNode): string {
  switch (shape.kind) {
    case "text":
      return "a text";
    case "integer":
      return shape.minimum === null ? "a whole number" : `a whole number of at least ${shape.minimum}`;
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "literal":
      return JSON.stringify(shape.value);
    case "choice":
      return `one of ${shape.values.map(quote).join(", ")}`;
    case "nullable":
      return `${describeShape(shape.of)} or null`;
    case "list":
    case "tuple":
      return "a list";
    case "object":
    case "union":
      return "an object";
    case "either":
      return shape.alternatives.map(describeShape).join(" or ");
    case "named":
      return describeShape(shape.body());
  }
}

function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return `the text ${quote(value)}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  return `a value that JSON does not have (${typeof value})`;
}

const MAX_QUOTED = 60;

function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}
