// Functions over compiled arguments. A function of null is null, but for `coalesce`.

import type { CallExpression, Expression, FunctionName } from "../expression.js";
import type { Type } from "../types.js";
import { nameOf } from "./compare.js";
import { absoluteDecimal, ceilDecimal, type Decimal, floorDecimal, roundDecimal } from "./decimal.js";
import { jsonOf, jsonText } from "./json.js";
import { dateOfDatetime } from "./moment.js";
import { roundFloat, roundInteger } from "./number.js";
import { inRange, typeMismatch } from "./problem.js";
import { lowerText, replaceText, substring, textLength, upperText } from "./text.js";
import { type CompileOptions, type Evaluate, type EvaluationScope, isDecimal, type Value } from "./value.js";

export function compileCall(
  expression: CallExpression,
  args: readonly Evaluate[],
  options: CompileOptions,
): Evaluate {
  const { function: name } = expression;
  switch (name) {
    case "coalesce":
      return compileCoalesce(args);
    case "stringify":
      return compileStringify(expression.arguments[0], args);
    case "now":
      return (scope) => provided(scope, "now")();
    case "today":
      return (scope) => dateOfDatetime(provided(scope, "now")());
    case "uuid":
      return (scope) => provided(scope, "uuid")();
    case "fake":
      return compileFake(expression, args);
    case "abs":
    case "round":
    case "floor":
    case "ceil":
      return compileNumeric(expression, args, options);
    default:
      return spread(args, TEXT_FUNCTIONS[name], guardTexts(expression));
  }
}

/** The scope says what the world is like; a missing part is the caller's mistake. */
function provided<Name extends "now" | "uuid" | "fake">(
  scope: EvaluationScope,
  name: Name,
): NonNullable<EvaluationScope[Name]> {
  const part = scope[name];
  if (part === undefined) throw new Error(`The scope of the expression has no \`${name}\`.`);
  return part;
}

type Apply = (values: readonly Value[]) => Value;

/** Null where one of the arguments is. */
function spread(
  args: readonly Evaluate[],
  apply: Apply,
  guard?: (values: readonly Value[]) => void,
): Evaluate {
  return (scope) => {
    const values = args.map((arg) => arg(scope));
    if (values.includes(null)) return null;
    guard?.(values);
    return apply(values);
  };
}

type TextFunction = Exclude<
  FunctionName,
  "coalesce" | "stringify" | "now" | "today" | "uuid" | "fake" | "abs" | "round" | "floor" | "ceil"
>;

/** Types the values of a function, as the checker has found them to be. */
function typed<Values extends readonly Value[]>(apply: (...values: Values) => Value): Apply {
  return (values) => apply(...(values as Values));
}

const TEXT_FUNCTIONS: Readonly<Record<TextFunction, Apply>> = {
  length: typed<[string]>(textLength),
  lower: typed<[string]>(lowerText),
  upper: typed<[string]>(upperText),
  trim: typed<[string]>((text) => text.trim()),
  concat: (values) => values.join(""),
  substring: typed<[string, number, number | undefined] & readonly Value[]>(substring),
  replace: typed<[string, string, string]>(replaceText),
  contains: typed<[string, string]>((text, part) => text.includes(part)),
  startsWith: typed<[string, string]>((text, part) => text.startsWith(part)),
  endsWith: typed<[string, string]>((text, part) => text.endsWith(part)),
};

/** Results of hooks may be anything; everything else the checker has seen to. */
function guardTexts({
  function: name,
  arguments: args,
}: CallExpression): ((values: readonly Value[]) => void) | undefined {
  if (args.every((arg) => arg.type.kind !== "any")) return undefined;
  return (values) => {
    for (const [index, value] of values.entries()) {
      const wanted = name === "substring" && index > 0 ? "number" : "string";
      if (typeof value !== wanted) throw typeMismatch(name, nameOf(value));
    }
  };
}

function compileCoalesce(args: readonly Evaluate[]): Evaluate {
  return (scope) => {
    for (const arg of args) {
      const value = arg(scope);
      if (value !== null) return value;
    }
    return null;
  };
}

/** What JSON writes in quotes stays without them: strings, and all types that JSON has no notation for. */
const TEXT_KINDS: ReadonlySet<Type["kind"]> = new Set([
  "string",
  "enum",
  "decimal",
  "date",
  "datetime",
  "uuid",
  "any",
]);

function compileStringify(argument: Expression | undefined, [arg]: readonly Evaluate[]): Evaluate {
  if (!argument || !arg) throw new Error("`stringify` has no argument.");
  const { type } = argument;
  const isText = TEXT_KINDS.has(type.kind);
  return (scope) => {
    const value = arg(scope);
    if (value === null) return null;
    const json = jsonOf(value, type);
    return isText && typeof json === "string" ? json : jsonText(json);
  };
}

function compileFake({ arguments: [kind] }: CallExpression, [, ...args]: readonly Evaluate[]): Evaluate {
  if (kind?.kind !== "literal" || typeof kind.value !== "string") throw new Error("`fake` has no kind.");
  const name = kind.value;
  return (scope) =>
    provided(scope, "fake")(
      name,
      args.map((arg) => arg(scope)),
    );
}

interface NumericFunction {
  readonly float: (value: number, digits: number | undefined) => number;
  readonly integer: (value: number, digits: number | undefined) => number;
  readonly decimal: (value: Decimal, digits: number | undefined) => Decimal;
}

const NUMERIC_FUNCTIONS: Readonly<Record<"abs" | "round" | "floor" | "ceil", NumericFunction>> = {
  abs: { float: Math.abs, integer: Math.abs, decimal: absoluteDecimal },
  round: {
    float: roundFloat,
    integer: roundInteger,
    decimal: (value, digits) => roundDecimal(value, digits ?? 0),
  },
  floor: { float: Math.floor, integer: (value) => value, decimal: floorDecimal },
  ceil: { float: Math.ceil, integer: (value) => value, decimal: ceilDecimal },
};

/** More digits than any number has, on either side of the point; PostgreSQL has a limit as well. */
const MOST_DIGITS = 2000;

function compileNumeric(
  expression: CallExpression,
  args: readonly Evaluate[],
  options: CompileOptions,
): Evaluate {
  const name = expression.function as keyof typeof NUMERIC_FUNCTIONS;
  const apply = NUMERIC_FUNCTIONS[name];
  const isFloat = expression.arguments[0]?.type.kind === "float";
  const operate: Apply = ([value, digits]) => {
    const places =
      digits === undefined ? undefined : Math.min(Math.max(digits as number, -MOST_DIGITS), MOST_DIGITS);
    if (value !== undefined && isDecimal(value)) return apply.decimal(value, places);
    if (typeof value !== "number") throw typeMismatch(name, nameOf(value ?? null));
    const isInteger = !isFloat && Number.isSafeInteger(value);
    return (isInteger ? apply.integer(value, places) : apply.float(value, places)) + 0;
  };
  return spread(args, inRange(operate, options));
}
