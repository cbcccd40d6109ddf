// Holds a value against a shape and tells every place where it differs, up to a limit. Works through a list of
// what is still to be looked at, not by recursion: a file may be nested deeper than the stack reaches.

import { isObject, type JsonObject } from "./parts.js";
import { type Position, ROOT, step } from "./position.js";
import {
  missingKey,
  missingKind,
  type ReadProblem,
  tooDeep,
  unexpectedValue,
  unknownKey,
  unknownKind,
  wrongLength,
} from "./problems.js";
import {
  casesOf,
  isScalar,
  type ListShape,
  type ObjectShape,
  type ScalarShape,
  type ShapeNode,
  shapeFor,
  type TupleShape,
  type UnionShape,
} from "./shape.js";

export const MAX_PROBLEMS = 20;

/** Far more than a program needs, and few enough that everyone may walk over a definition by recursion. */
export const MAX_DEPTH = 500;

/** Empty when the value fits. What is wrong with an object as a whole comes before what is wrong inside it. */
export function checkShape(value: unknown, shape: ShapeNode): readonly ReadProblem[] {
  const problems: ReadProblem[] = [];
  const pending: Suspect[] = [{ value, shape, at: ROOT }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const findings = checkValue(next);
    problems.push(...findings.problems.slice(0, MAX_PROBLEMS - problems.length));
    if (problems.length === MAX_PROBLEMS) break;
    // The last one in is the first one out.
    for (const suspect of findings.suspects.reverse()) pending.push(suspect);
  }
  return problems;
}

/** A value that is still to be looked at. */
interface Suspect {
  readonly value: unknown;
  readonly shape: ShapeNode;
  readonly at: Position;
}

interface Findings {
  readonly problems: ReadProblem[];
  readonly suspects: Suspect[];
}

function checkValue({ value, shape, at }: Suspect): Findings {
  const body = shapeFor(value, shape);
  const isCompound = typeof value === "object" && value !== null;
  if (isCompound && at.depth >= MAX_DEPTH) return refuse(tooDeep(at, MAX_DEPTH));
  if (body.kind === "list" && Array.isArray(value)) return checkList(value, body, at);
  if (body.kind === "tuple" && Array.isArray(value)) return checkTuple(value, body, at);
  if (body.kind === "object" && isObject(value)) return checkObject(value, body, at);
  if (body.kind === "union" && isObject(value)) return checkUnion(value, body, at);
  if (isScalar(body) && fitsScalar(value, body)) return { problems: [], suspects: [] };
  return refuse(unexpectedValue(at, shape, value));
}

function refuse(problem: ReadProblem): Findings {
  return { problems: [problem], suspects: [] };
}

function checkList(value: readonly unknown[], { of }: ListShape, at: Position): Findings {
  const suspects: Suspect[] = [];
  for (const [index, item] of value.entries()) {
    if (!isGoodScalar(item, of)) suspects.push({ value: item, shape: of, at: step(at, index) });
  }
  return { problems: [], suspects };
}

function checkTuple(value: readonly unknown[], { items }: TupleShape, at: Position): Findings {
  if (value.length !== items.length) return refuse(wrongLength(at, items.length, value.length));
  const suspects = items.map(({ shape }, index) => ({ value: value[index], shape, at: step(at, index) }));
  return { problems: [], suspects };
}

function checkUnion(value: JsonObject, shape: UnionShape, at: Position): Findings {
  const cases = casesOf(shape);
  if (!Object.hasOwn(value, "kind")) return refuse(missingKind(at, [...cases.keys()]));
  const variant = typeof value.kind === "string" ? cases.get(value.kind) : undefined;
  if (variant !== undefined) return checkObject(value, variant, at);
  return refuse(unknownKind(step(at, "kind"), value.kind, [...cases.keys()]));
}

function checkObject(value: JsonObject, { fields }: ObjectShape, at: Position): Findings {
  const findings: Findings = { problems: [], suspects: [] };
  for (const [key, { shape, optional }] of fields) {
    if (!Object.hasOwn(value, key)) {
      if (!optional) findings.problems.push(missingKey(at, key));
    } else if (!isGoodScalar(value[key], shape)) {
      findings.suspects.push({ value: value[key], shape, at: step(at, key) });
    }
  }
  const unknown = Object.keys(value).filter((key) => !fields.has(key));
  for (const key of unknown.slice(0, MAX_PROBLEMS)) {
    const free = [...fields.keys()].filter((name) => !Object.hasOwn(value, name));
    findings.problems.push(unknownKey(step(at, key), key, free));
  }
  return findings;
}

/** Most values are such; to be done with them at once saves noting where they stand. */
function isGoodScalar(value: unknown, shape: ShapeNode): boolean {
  const body = shapeFor(value, shape);
  return isScalar(body) && fitsScalar(value, body);
}

function fitsScalar(value: unknown, shape: ScalarShape): boolean {
  switch (shape.kind) {
    case "text":
      return typeof value === "string";
    case "integer":
      return Number.isInteger(value) && Number(value) >= (shape.minimum ?? Number.NEGATIVE_INFINITY);
    case "number":
      return Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "null":
      return value === null;
    case "literal":
      return value === shape.value;
    case "choice":
      return typeof value === "string" && shape.values.includes(value);
    case "either":
      return shape.alternatives.some((alternative) => fitsScalar(value, alternative));
  }
}
