// Integers and floats. Integers are exact up to ±(2^53 − 1), and every result is checked; floats are 64-bit
// and finite, with PostgreSQL's limits: what would become infinite, or zero by underflow, is a problem.

import { decimalOfInteger, decimalText, parseDecimal, roundDecimal } from "./decimal.js";
import { floatOutOfRange, integerOutOfRange } from "./problem.js";

/** A checked integer; the addition makes a plain zero of -0. */
export function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw integerOutOfRange();
  return value + 0;
}

export function integerOfBigInt(value: bigint): number {
  return integer(Number(value));
}

export function float(value: number): number {
  if (!Number.isFinite(value)) throw floatOutOfRange();
  return value;
}

export function multiplyFloats(left: number, right: number): number {
  const product = float(left * right);
  if (product === 0 && left !== 0 && right !== 0) throw floatOutOfRange();
  return product;
}

/** The divisor is not zero. */
export function divideFloats(left: number, right: number): number {
  const quotient = float(left / right);
  if (quotient === 0 && left !== 0) throw floatOutOfRange();
  return quotient;
}

/** PostgreSQL rounds double precision half to even; `digits` goes by the decimal text, half away from zero. */
export function roundFloat(value: number, digits: number | undefined): number {
  if (digits === undefined) return roundHalfToEven(value);
  const decimal = parseDecimal(numberText(value));
  return decimal ? float(Number(decimalText(roundDecimal(decimal, digits)))) : value;
}

function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  const isUp = rest > 0.5 || (rest === 0.5 && below % 2 !== 0);
  return isUp ? below + 1 : below;
}

/** Half away from zero, like decimals; digits after the point change nothing. */
export function roundInteger(value: number, digits: number | undefined): number {
  if (digits === undefined || digits >= 0) return value;
  return integerOfBigInt(roundDecimal(decimalOfInteger(value), digits).units);
}

/** The shortest digits that give the same number back, never with an exponent: as PostgreSQL's jsonb prints it. */
export function numberText(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, "0");
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
