// Arithmetic that never fails: what is out of range is null, as is a division by zero. A statement that failed
// instead would let one odd row close an endpoint for everybody. Only what is written, or answered by an action, is
// strict: there it is the request that fails.
//
// Integers go up to ±(2^53 − 1), and every result is checked. Floats are refused beyond ±1e308 and, where they
// come from a product or quotient that is not zero, below 1e-307. The evaluator has the same limits, to the last
// bit: whoever changes one side changes both.

import { quoteLiteral } from "@stoa/database";
import type { BinaryExpression, Expression, Type } from "@stoa/definition";
import type { Scope } from "./scope.js";

const BEYOND = "9007199254740992";

/** Null where an integer is out of range. In one expression, so that the operand is evaluated once. */
export function inIntegerRange(sql: string, strict: string | null): string {
  if (strict !== null) {
    const inRange = `a is null or a between 1 - ${BEYOND} and ${BEYOND} - 1`;
    const result = `case when ${inRange} then a::bigint else ${raise("integer-out-of-range", strict)}::bigint end`;
    return `(select ${result} from (select ${sql} as a offset 0) v)`;
  }
  // `greatest` and `least` skip nulls: null becomes the lower bound, and null again.
  const clamped = `least(greatest(${sql}, -${BEYOND}), ${BEYOND})`;
  return `nullif(nullif(${clamped}, -${BEYOND}), ${BEYOND})::bigint`;
}

/** A text that is no number, for a cast that fails with it. It depends on the row, or it would fail beforehand. */
function raise(code: string, strict: string): string {
  return `(${quoteLiteral(`stoa:${code}:${strict}:`)} || left(a::text, 0))`;
}

export function emitArithmetic(expression: BinaryExpression, scope: Scope): string {
  const left = scope.emitter.value(expression.left, scope);
  const right = scope.emitter.value(expression.right, scope);
  switch (expression.type.kind) {
    case "integer":
      return integerArithmetic(expression, left, right, scope.strict);
    case "float":
      return floatArithmetic(
        expression,
        asFloat(left, expression.left),
        asFloat(right, expression.right),
        scope.strict,
      );
    case "decimal":
      return decimalArithmetic(expression, left, right);
    default:
      return `(${left} || ${right})`;
  }
}

/** Sums and differences of two integers in range fit a bigint; products may not. */
function integerArithmetic(
  { operator, onZero }: BinaryExpression,
  left: string,
  right: string,
  strict: string | null,
): string {
  if (operator === "%") return `(${left} % ${divisor(right, onZero)})`;
  const result = operator === "*" ? `${left}::numeric * ${right}` : `${left} ${operator} ${right}`;
  return inIntegerRange(result, strict);
}

/** PostgreSQL fails by itself where a division by zero must. */
function divisor(sql: string, onZero: BinaryExpression["onZero"]): string {
  return onZero === "error" ? sql : `nullif(${sql}, 0)`;
}

function decimalArithmetic({ operator, onZero }: BinaryExpression, left: string, right: string): string {
  if (operator === "/") return `(${left}::numeric / ${divisor(right, onZero)})`;
  return `(${left}::numeric ${operator} ${right})`;
}

function asFloat(sql: string, { type }: Expression): string {
  return type.kind === "float" ? sql : `${sql}::double precision`;
}

/** The operands have names, so that each is evaluated once; `offset 0` keeps PostgreSQL from undoing that. */
function withOperands(left: string, right: string, result: string): string {
  return `(select ${result} from (select ${left} as a, ${right} as b offset 0) v)`;
}

function floatArithmetic(
  { operator, onZero }: BinaryExpression,
  left: string,
  right: string,
  strict: string | null,
): string {
  const cases = operator === "*" ? PRODUCT : operator === "/" ? QUOTIENT : sumOfOperands(operator);
  if (strict === null) return withOperands(left, right, `case ${cases} end`);
  const zero = operator === "/" && onZero === "error" ? "when b = 0 then a / b " : "";
  const otherwise = `else ${raise("float-out-of-range", strict)}::double precision`;
  return withOperands(
    left,
    right,
    `case when a is null or b is null then null ${zero}${cases} ${otherwise} end`,
  );
}

/** With different signs nothing can overflow; with the same one the room that is left is looked at first. */
function sumOfOperands(operator: string): string {
  const isOpposed = `(a > 0) ${operator === "+" ? "<>" : "="} (b > 0)`;
  const fits = `case when ${isOpposed} then abs(a ${operator} b) <= 1e308 else abs(a) <= 1e308 - abs(b) end`;
  return `when (abs(a) <= 1e307 and abs(b) <= 1e307) or ${fits} then a ${operator} b`;
}

/** Far from the limits nothing else needs to be looked at. `abs(a * b)` of zero is a plain zero, or null. */
const IS_TAME = "(a = 0 or abs(a) between 1e-150 and 1e150) and abs(b) between 1e-150 and 1e150";
const [EXACT_A, EXACT_B] = ["abs(a)::text::numeric", "abs(b)::text::numeric"];
const PRODUCT = `when a = 0 or b = 0 then abs(a * b) when ${IS_TAME} then a * b when ${EXACT_A} * ${EXACT_B} between 1e-307 and 1e308 then a * b`;
const QUOTIENT = `when b = 0 then null when a = 0 then abs(a * b) when ${IS_TAME} then a / b when ${EXACT_A} between ${EXACT_B} * 1e-307 and ${EXACT_B} * 1e308 then a / b`;

/** The sum of floats; null where one of them could carry it out of range. */
export function floatSum(sql: string): string {
  return `case when ${isSummable(sql)} then coalesce(${tameSum(sql)}, 0) end`;
}

export function floatAverage(sql: string): string {
  const sum = tameSum(sql);
  const isDivisible = `(${sum} = 0 or abs(${sum}) >= 1e-290)`;
  return `case when ${isSummable(sql)} and ${isDivisible} then ${sum} / count(${sql}) end`;
}

function isSummable(sql: string): string {
  return `coalesce(max(abs(${sql})), 0) <= 1e290`;
}

/** Aggregates are calculated before any `case` can look: the filter keeps the sum itself from failing. */
function tameSum(sql: string): string {
  return `sum(${sql}) filter (where abs(${sql}) <= 1e290)`;
}

/** Half to even without digits; with digits by the decimal text, half away from zero. */
export function roundedValue(
  value: string,
  places: string | undefined,
  type: Type,
  strict: string | null,
): string {
  if (places === undefined) return type.kind === "integer" ? value : `round(${value})`;
  switch (type.kind) {
    case "integer":
      return inIntegerRange(`round(${value}::numeric, ${places})`, strict);
    case "float":
      return `(select case when abs(a) <= 1e308 then a::double precision end from (select round((${value})::text::numeric, ${places}) as a offset 0) v)`;
    default:
      return `round(${value}, ${places})`;
  }
}

/** An integer as `int`, moved into its bounds. Null stays null, which `greatest` alone would skip. */
export function clampedInt(value: Expression, sql: string, [least, most]: readonly [number, number]): string {
  if (value.kind === "literal" && typeof value.value === "number") {
    return String(Math.min(Math.max(value.value, least), most));
  }
  const clamped = `least(greatest(a, ${least}), ${most})::int`;
  return `(select case when a is not null then ${clamped} end from (select ${sql} as a offset 0) v)`;
}
