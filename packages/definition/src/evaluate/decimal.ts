// Exact decimals, with the rules of PostgreSQL's numeric, also for how many digits a result has:
//   + -      as many digits after the point as the longer operand
//   *        the digits of both together
//   /        at least 16 significant digits, and no fewer after the point than the operands have
//   round    half away from zero
// `1.50` and `1.5` are equal, yet print as they are.

/** The number `units` / 10^`scale`. */
export interface Decimal {
  readonly units: bigint;
  /** Digits after the point. */
  readonly scale: number;
}

/** PostgreSQL counts in groups of four digits, which shows in the number of digits of a quotient. */
const GROUP_DIGITS = 4;
const QUOTIENT_DIGITS = 16;
const MAX_QUOTIENT_SCALE = 1000;
const MAX_SCALE = 16383;

const powers: bigint[] = [];

function powerOfTen(exponent: number): bigint {
  const known = powers[exponent];
  if (known !== undefined) return known;
  const power = 10n ** BigInt(exponent);
  powers[exponent] = power;
  return power;
}

/** Reads `-12.30`; undefined for any other notation. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign = "", whole = "", fraction = ""] = match;
  const units = BigInt(whole + fraction);
  return { units: sign === "-" ? -units : units, scale: fraction.length };
}

export function decimalOfInteger(value: number): Decimal {
  return { units: BigInt(value), scale: 0 };
}

export function decimalText({ units, scale }: Decimal): string {
  const sign = units < 0n ? "-" : "";
  const digits = magnitude(units)
    .toString()
    .padStart(scale + 1, "0");
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}

function unitsAt({ units, scale }: Decimal, wanted: number): bigint {
  return units * powerOfTen(wanted - scale);
}

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return { units: unitsAt(left, scale) + unitsAt(right, scale), scale };
}

export function negateDecimal({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

export function subtractDecimals(left: Decimal, right: Decimal): Decimal {
  return addDecimals(left, negateDecimal(right));
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  const product = { units: left.units * right.units, scale: left.scale + right.scale };
  return product.scale > MAX_SCALE ? roundDecimal(product, MAX_SCALE) : product;
}

/** The divisor is not zero. */
export function divideDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = quotientScale(left, right);
  // left/right = (units of left · 10^(scale of right)) / (units of right · 10^(scale of left))
  const dividend = left.units * powerOfTen(right.scale + scale);
  const divisor = right.units * powerOfTen(left.scale);
  return { units: divideHalfAway(dividend, divisor), scale };
}

/** PostgreSQL's estimate: it looks at the first group of digits of both operands. */
function quotientScale(left: Decimal, right: Decimal): number {
  const first = leadingGroup(left);
  const second = leadingGroup(right);
  const weight = first.weight - second.weight - (first.digits <= second.digits ? 1 : 0);
  const wanted = Math.max(QUOTIENT_DIGITS - weight * GROUP_DIGITS, left.scale, right.scale, 0);
  return Math.min(wanted, MAX_QUOTIENT_SCALE);
}

/** The first four-digit group that is not zero, and the power of 10000 it stands for. */
function leadingGroup({ units, scale }: Decimal): { readonly weight: number; readonly digits: bigint } {
  if (units === 0n) return { weight: 0, digits: 0n };
  const absolute = magnitude(units);
  const exponent = absolute.toString().length - 1 - scale;
  const weight = Math.floor(exponent / GROUP_DIGITS);
  const shift = weight * GROUP_DIGITS + scale;
  return { weight, digits: shift >= 0 ? absolute / powerOfTen(shift) : absolute * powerOfTen(-shift) };
}

function divideHalfAway(dividend: bigint, divisor: bigint): bigint {
  const quotient = (magnitude(dividend) * 2n + magnitude(divisor)) / (magnitude(divisor) * 2n);
  return dividend < 0n === divisor < 0n ? quotient : -quotient;
}

export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale);
  const [a, b] = [unitsAt(left, scale), unitsAt(right, scale)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Half away from zero; `digits` after the point, or before it where negative. */
export function roundDecimal(value: Decimal, digits: number): Decimal {
  const wanted = Math.min(digits, MAX_SCALE);
  if (wanted >= value.scale) return { units: unitsAt(value, wanted), scale: wanted };
  const drop = value.scale - wanted;
  // Everything is dropped, and a power of ten of that size would only cost time.
  if (drop > magnitude(value.units).toString().length) return { units: 0n, scale: Math.max(wanted, 0) };
  const kept = divideHalfAway(value.units, powerOfTen(drop));
  return wanted >= 0 ? { units: kept, scale: wanted } : { units: kept * powerOfTen(-wanted), scale: 0 };
}

export function absoluteDecimal({ units, scale }: Decimal): Decimal {
  return { units: magnitude(units), scale };
}

export function floorDecimal({ units, scale }: Decimal): Decimal {
  const unit = powerOfTen(scale);
  const whole = units / unit;
  return { units: units < 0n && units % unit !== 0n ? whole - 1n : whole, scale: 0 };
}

export function ceilDecimal(value: Decimal): Decimal {
  return negateDecimal(floorDecimal(negateDecimal(value)));
}

export function isZeroDecimal({ units }: Decimal): boolean {
  return units === 0n;
}
