// Functions and aggregates: one table of signatures drives checking, suggestions and documentation.

import {
  type AggregateName,
  type Expression,
  type FunctionName,
  isValueType,
  type Type,
} from "@stoa/definition";
import * as say from "../diagnostics/messages/expressions.js";
import { unknownFunction } from "../diagnostics/messages/names.js";
import type { CallExpr } from "../syntax/tree.js";
import type { Check } from "./context.js";
import { inferFake } from "./fake.js";
import { adaptToNeighbours, type Typed } from "./literal.js";
import type { Scope } from "./scope.js";
import {
  ANY,
  BOOLEAN,
  commonType,
  FLOAT,
  INTEGER,
  isNumeric,
  isOrdered,
  isText,
  orNull,
  STRING,
  withNull,
  withoutDigits,
} from "./types.js";

interface Parameter {
  readonly what: string;
  readonly accepts: (type: Type) => boolean;
}

interface Signature {
  readonly parameters: readonly Parameter[];
  /** How many of them may be left out at the end. */
  readonly optional?: number;
  /** The last one may be repeated. */
  readonly variadic?: boolean;
  readonly result: (first: Type) => Type;
}

const text: Parameter = { what: "a string", accepts: isText };
const integer: Parameter = { what: "an integer", accepts: (type) => type.kind === "integer" };
const number: Parameter = { what: "a number", accepts: isNumeric };
const value: Parameter = {
  what: "a value",
  accepts: (type) => isValueType(type) || type.kind === "struct",
};

const toText = (): Type => STRING;
const toInteger = (): Type => INTEGER;
const toBoolean = (): Type => BOOLEAN;
const same = (first: Type): Type => first;

const SIGNATURES: Readonly<Record<Exclude<FunctionName, "coalesce" | "fake">, Signature>> = {
  length: { parameters: [text], result: toInteger },
  lower: { parameters: [text], result: toText },
  upper: { parameters: [text], result: toText },
  trim: { parameters: [text], result: toText },
  concat: { parameters: [text, text], variadic: true, result: toText },
  substring: { parameters: [text, integer, integer], optional: 1, result: toText },
  replace: { parameters: [text, text, text], result: toText },
  contains: { parameters: [text, text], result: toBoolean },
  startsWith: { parameters: [text, text], result: toBoolean },
  endsWith: { parameters: [text, text], result: toBoolean },
  stringify: { parameters: [value], result: toText },
  now: { parameters: [], result: () => ({ kind: "datetime", nullable: false }) },
  today: { parameters: [], result: () => ({ kind: "date", nullable: false }) },
  uuid: { parameters: [], result: () => ({ kind: "uuid", nullable: false }) },
  abs: { parameters: [number], result: same },
  round: { parameters: [number, integer], optional: 1, result: same },
  floor: { parameters: [number], result: same },
  ceil: { parameters: [number], result: same },
};

const AGGREGATES: ReadonlySet<string> = new Set<AggregateName>([
  "count",
  "sum",
  "avg",
  "min",
  "max",
  "exists",
]);

export const FUNCTION_NAMES: readonly string[] = [
  ...Object.keys(SIGNATURES),
  "coalesce",
  ...AGGREGATES,
  "fake",
];

/** How a function is called: `now()`, `lower(…)`. */
export function callOf(name: string): string {
  const isPlain = Object.hasOwn(SIGNATURES, name);
  const hasNone = isPlain && SIGNATURES[name as keyof typeof SIGNATURES].parameters.length === 0;
  return hasNone ? `${name}()` : `${name}(…)`;
}

const BROKEN: Expression = { kind: "literal", type: ANY, value: null };

export function inferCall(check: Check, syntax: CallExpr, args: readonly Typed[], scope: Scope): Expression {
  const name = syntax.callee.text;
  if (AGGREGATES.has(name)) return inferAggregateCall(check, syntax, args);
  if (name === "coalesce") return inferCoalesce(check, syntax, args);
  if (name === "fake") return inferFake(check, syntax, args, scope);
  if (Object.hasOwn(SIGNATURES, name)) return inferFunction(check, syntax, args);
  check.report(unknownFunction(syntax.callee.span, name, FUNCTION_NAMES));
  return BROKEN;
}

function inferFunction(check: Check, syntax: CallExpr, args: readonly Typed[]): Expression {
  const name = syntax.callee.text as keyof typeof SIGNATURES;
  const signature = SIGNATURES[name];
  const most = signature.variadic ? Number.POSITIVE_INFINITY : signature.parameters.length;
  const least = signature.parameters.length - (signature.optional ?? 0);
  if (args.length < least || args.length > most) {
    check.report(say.argumentCount(syntax.span, name, say.countRange(least, most), args.length));
    return BROKEN;
  }
  const isRight = args.map((arg, index) => checkArgument(check, name, arg, parameterAt(signature, index)));
  if (isRight.includes(false)) return BROKEN;
  const first = args[0]?.value.type ?? ANY;
  const nullable = args.some((arg) => arg.value.type.nullable);
  const type = orNull(signature.result(first), nullable);
  return { kind: "call", type, function: name, arguments: args.map((arg) => arg.value) };
}

function parameterAt({ parameters }: Signature, index: number): Parameter {
  return parameters[Math.min(index, parameters.length - 1)] ?? value;
}

function checkArgument(check: Check, name: string, arg: Typed, parameter: Parameter): boolean {
  const { type } = arg.value;
  if (type.kind === "any" || parameter.accepts(type)) return true;
  check.report(say.argumentType(arg.syntax.span, name, parameter.what, type));
  return false;
}

/** The first value that is not null. */
function inferCoalesce(check: Check, syntax: CallExpr, args: readonly Typed[]): Expression {
  if (args.length < 2) {
    const wanted = say.countRange(2, Number.POSITIVE_INFINITY);
    check.report(say.argumentCount(syntax.span, "coalesce", wanted, args.length));
    return BROKEN;
  }
  const values = adaptToNeighbours(check, args);
  let type = values[0]?.type ?? ANY;
  for (const [index, next] of values.entries()) {
    const common = commonType(type, next.type);
    if (!common) {
      const span = args[index]?.syntax.span ?? syntax.span;
      check.report(say.argumentType(span, "coalesce", "values of one type", next.type));
      return BROKEN;
    }
    type = common;
  }
  type = withNull(
    type,
    values.every((next) => next.type.nullable),
  );
  return { kind: "call", type, function: "coalesce", arguments: values };
}

function inferAggregateCall(check: Check, syntax: CallExpr, args: readonly Typed[]): Expression {
  const name = syntax.callee.text as AggregateName;
  const [arg] = args;
  if (!arg || args.length !== 1) {
    check.report(say.argumentCount(syntax.span, name, say.countRange(1, 1), args.length));
    return BROKEN;
  }
  const { type } = arg.value;
  if (type.kind === "any") return BROKEN;
  if (type.kind !== "collection") {
    check.report(say.aggregateType(arg.syntax.span, name, "a collection", type));
    return BROKEN;
  }
  const result = aggregateType(name, type.of);
  if (!result) {
    check.report(say.aggregateType(arg.syntax.span, name, `a collection of ${aggregateNeeds(name)}`, type));
    return BROKEN;
  }
  return { kind: "aggregate", type: orNull(result, type.nullable), function: name, over: arg.value };
}

/** What an aggregate over values of a type gives; undefined when it cannot be. */
export function aggregateType(name: AggregateName, of: Type): Type | undefined {
  switch (name) {
    case "count":
      return INTEGER;
    case "exists":
      return BOOLEAN;
    case "sum":
      return isNumeric(of) ? withNull(withoutDigits(of), false) : undefined;
    case "avg":
      return isNumeric(of) ? withNull(of.kind === "integer" ? FLOAT : withoutDigits(of), true) : undefined;
    case "min":
    case "max":
      return isOrdered(of) ? withNull(of, true) : undefined;
  }
}

export function aggregateNeeds(name: AggregateName): string {
  return name === "min" || name === "max" ? "values that have an order" : "numbers";
}
