// Integers and floats. Integers are exact up to ±(2^53 − 1), and every result is checked. Floats are 64-bit, and
// a result may not go beyond ±1e308 or, where a product or quotient is not zero, below 1e-307. These limits lie
// just inside those of a float, so that PostgreSQL can look before it calculates; both sides look alike, to the
// last bit.

import {
  compareDecimals,
  type Decimal,
  decimalOfInteger,
  decimalText,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
} from "./decimal.js";
import { floatOutOfRange, integerOutOfRange } from "./problem.js";

/** A checked integer; the addition makes a plain zero of -0. */
export function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw integerOutOfRange();
  return value + 0;
}

export function integerOfBigInt(value: bigint): number {
  return integer(Number(value));
}

const MOST = 1e308;
const MOST_EXACT: Decimal = { units: 10n ** 308n, scale: 0 };
const LEAST_EXACT: Decimal = { units: 1n, scale: 307 };

function float(value: number): number {
  if (!(Math.abs(value) <= MOST)) throw floatOutOfRange();
  return value;
}

export function addFloats(left: number, right: number): number {
  // With different signs nothing can overflow; with the same one the room that is left is looked at first.
  const isOpposed = left > 0 !== right > 0;
  if (!isOpposed && !(Math.abs(left) <= MOST - Math.abs(right))) throw floatOutOfRange();
  return isOpposed ? float(left + right) : left + right;
}

export function subtractFloats(left: number, right: number): number {
  return addFloats(left, -right);
}

export function multiplyFloats(left: number, right: number): number {
  if (left === 0 || right === 0) return 0;
  const product = left * right;
  if (isFarInside(product)) return product;
  const exact = multiplyDecimals(exactSize(left), exactSize(right));
  if (compareDecimals(exact, LEAST_EXACT) < 0 || compareDecimals(exact, MOST_EXACT) > 0) {
    throw floatOutOfRange();
  }
  return product;
}

/** The divisor is not zero. */
export function divideFloats(left: number, right: number): number {
  if (left === 0) return 0;
  const quotient = left / right;
  if (isFarInside(quotient)) return quotient;
  const [dividend, divisor] = [exactSize(left), exactSize(right)];
  const isSmall = compareDecimals(dividend, multiplyDecimals(divisor, LEAST_EXACT)) < 0;
  if (isSmall || compareDecimals(dividend, multiplyDecimals(divisor, MOST_EXACT)) > 0) {
    throw floatOutOfRange();
  }
  return quotient;
}

function isFarInside(value: number): boolean {
  return Math.abs(value) > 1e-306 && Math.abs(value) < 1e307;
}

/** By its shortest digits, as PostgreSQL's `float::text::numeric`. */
function exactSize(value: number): Decimal {
  const size = parseDecimal(numberText(Math.abs(value)));
  if (size === undefined) throw floatOutOfRange();
  return size;
}

/** Below this no number of addends goes out of range, in whatever order they come. */
const MOST_ADDEND = 1e290;
const LEAST_DIVIDEND = 1e-290;

export function sumFloats(values: readonly number[]): number {
  if (values.some((value) => Math.abs(value) > MOST_ADDEND)) throw floatOutOfRange();
  return values.reduce((sum, value) => sum + value, 0);
}

export function averageFloats(values: readonly number[]): number {
  const sum = sumFloats(values);
  if (sum !== 0 && Math.abs(sum) < LEAST_DIVIDEND) throw floatOutOfRange();
  return sum / values.length;
}

/** PostgreSQL rounds double precision half to even; `digits` goes by the decimal text, half away from zero. */
export function roundFloat(value: number, digits: number | undefined): number {
  if (digits === undefined) return roundHalfToEven(value);
  const decimal = roundDecimal(exactSize(value), digits);
  return float(Number(decimalText(decimal)) * Math.sign(value));
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
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return withoutExponent(largeText(value));
  return withoutExponent(String(value));
}

/**
 * The shortest digits may lie halfway between two floats, from 2^53 on: JavaScript takes them, since they are read as
 * the even one of the two; PostgreSQL leaves that to nobody and takes more digits.
 */
function largeText(value: number): string {
  const exact = BigInt(Math.abs(value));
  const gap = 1n << BigInt(exact.toString(2).length - 53);
  const isBetween = (text: string): boolean => {
    const distance = BigInt(withoutExponent(text).replace("-", "")) - exact;
    // Below a power of two the floats lie closer together.
    const isCloser = distance < 0n && (exact & (exact - 1n)) === 0n;
    const size = distance < 0n ? -distance : distance;
    return size * (isCloser ? 4n : 2n) >= gap;
  };
  const shortest = String(value);
  if (!isBetween(shortest)) return shortest;
  const longer = [15, 16, 17].map((digits) => value.toExponential(digits - 1));
  return longer.find((text) => !isBetween(text)) ?? shortest;
}

function withoutExponent(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits.padEnd(point, "0");
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
