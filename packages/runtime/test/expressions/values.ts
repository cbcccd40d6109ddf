// Random values of every type, with a liking for what lies at the limits and for what is easily confused.

import {
  type Decimal,
  dateText,
  type Json,
  parseDecimal,
  type Value,
  type ValueType,
} from "@stoa/definition";
import type { Random } from "./random.js";

const ENUMS: Readonly<Record<string, readonly string[]>> = {
  Grade: ["low", "Middle", "high", "_x"],
  Mood: ["low", "calm", "angry"],
};

const LETTERS = [
  ..."aAbzZ0 9_%\\'\"/{}[],:-.",
  ..."ßẞİıǅŉΣσςéÉıſKÅﬀᾳᾼ𐐀𐐨😀👩‍👩‍👧",
  "e\u0301",
  "\u0301",
  ..."\t\n\v\f\r\u0085\u00a0\u1680\u180e\u2003\u200b\u2028\u2029\u202f\u205f\u3000\ufeff",
  ..."\u0001\u001f\u007f\ud7ff\ue000\uffff\u{10000}\u{10ffff}",
];
export const WORDS = [
  ..."|a|A|Z|b|ab|aB|abab| a |\u00a0x\u3000|low|calm|high|Straße|STRASSE|İstanbul|ŉǅ|ΣΑΣ|σας|😀a😀|1|true|null|\\|'".split(
    "|",
  ),
  "\t\n x \r",
];

export function randomText(random: Random): string {
  if (random.chance(0.5)) return random.pick(WORDS);
  return random.many(random.integer(0, 6), () => random.pick(LETTERS)).join("");
}

const MOST = Number.MAX_SAFE_INTEGER;
export const INTEGERS = [
  0,
  1,
  -1,
  2,
  3,
  -7,
  10,
  15,
  -15,
  25,
  100,
  1000,
  94906267,
  -94906267,
  2 ** 31,
  MOST,
  -MOST,
];

export function randomInteger(random: Random): number {
  if (random.chance(0.6)) return random.pick(INTEGERS);
  return random.chance(0.7) ? random.integer(-20, 20) : random.integer(-MOST, MOST);
}

export const FLOATS = [
  ...[0, -0, 0.1, 0.2, 0.5, 1, -1, 1.5, 2.5, -2.5, 3.5, 0.49999999999999994, 1.005, 1234.5678, 2 ** 53, 1e15],
  ...[1e16, 1e21, 123456789012345680000, 1e-7, 1.5e-10, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-307],
  ...[
    1e-160, 1e150, 1e160, -1e200, 1e290, 1.1e290, 1e307, 5e307, -9e307, 1e308, -1e308, 1.7976931348623157e308,
  ],
];

export function randomFloat(random: Random): number {
  if (random.chance(0.6)) return random.pick(FLOATS);
  if (random.chance(0.5)) return random.integer(-4000, 4000) / random.pick([1, 2, 8, 10, 1000]);
  return (random.next() - 0.5) * 10 ** random.integer(-30, 30);
}

/** Their sums are exact, in whatever order they are added. */
export function randomExactFloat(random: Random): number {
  return random.integer(-4096, 4096) / 4;
}

export const DECIMALS = [
  ...[
    "0",
    "0.0",
    "0.000",
    "1",
    "1.0",
    "1.50",
    "1.5",
    "-1.5",
    "-2.5",
    "2.5",
    "0.5",
    "-0.5",
    "10",
    "100",
    "0.01",
  ],
  ...["9999", "10000", "10000.0001", "99999999", "0.00010000", "0.0001", "-0.00000001", "3", "7", "-7.000"],
  ...[
    "123456789012345678901234567890.123456789",
    "-99999999999999999999",
    "0.00000000000000000000000000012345",
  ],
  ...["1000000000000000000000000000000000000000000", "9007199254740993", "-9007199254740991", "4.99", "5.01"],
];

export function randomDecimalText(random: Random): string {
  if (random.chance(0.6)) return random.pick(DECIMALS);
  const digits = (count: number): string => random.many(count, () => String(random.integer(0, 9))).join("");
  const fraction = random.chance(0.6) ? `.${digits(random.integer(1, 12))}` : "";
  const whole = digits(random.integer(1, 14)).replace(/^0+(?=\d)/, "");
  const isNegative = random.chance(0.4) && /[1-9]/.test(whole + fraction);
  return `${isNegative ? "-" : ""}${whole}${fraction}`;
}

export function decimalOf(text: string): Decimal {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new Error(`${text} is no decimal.`);
  return decimal;
}

function randomMoney(random: Random): Decimal {
  const most = random.pick([5, 5000, 999_999_999]);
  return { units: BigInt(random.integer(-most, most)), scale: 3 };
}

const DATES = [
  "0001-01-01",
  "9999-12-31",
  "1969-12-31",
  "1970-01-01",
  "2000-02-29",
  "2026-11-14",
  "1582-10-10",
];

export function randomDate(random: Random): string {
  return random.chance(0.6) ? random.pick(DATES) : dateText(random.integer(-719_162, 2_932_896));
}

export function randomDatetime(random: Random): string {
  const time = random.pick(["00:00:00", "23:59:59", "10:20:30", "12:00:00"]);
  const micros = random.pick(["000000", "999999", "123456", "123999", "000001", "500000"]);
  return `${randomDate(random)}T${time}.${micros}Z`;
}

const UUIDS = [
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "0189d2c8-7b3a-7c00-8f00-00000000000a",
  "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
];

export function randomUuid(random: Random): string {
  return random.pick(UUIDS);
}

const JSON_KEYS = ["a", "a", "b", "b", "key", "0", "length", "__proto__", "é"];

function randomScalar(random: Random): Json {
  switch (random.integer(0, 5)) {
    case 0:
      return randomText(random);
    case 1:
      return random.chance(0.5) ? randomInteger(random) : randomFloat(random) + 0;
    case 2:
      return random.chance(0.5);
    case 3:
      return random.pick(DECIMALS);
    case 4:
      return random.pick([0, 1, 1.5, 1e21, 1e300, 5e-324, "", "a", "low", "2026-11-14"]);
    default:
      return random.chance(0.5) ? randomDate(random) : random.pick(UUIDS);
  }
}

/** Never null itself: a member that holds JSON null holds null. */
export function randomJson(random: Random, depth = 3): Json {
  if (depth === 0 || random.chance(0.25)) return randomScalar(random);
  const part = (): Json => (random.chance(0.2) ? null : randomJson(random, depth - 1));
  if (random.chance(0.2)) return random.many(random.integer(0, 3), part);
  const names = random.many(random.integer(0, 4), () => random.pick(JSON_KEYS));
  return Object.fromEntries(names.map((name) => [name, part()]));
}

export function randomValue(random: Random, type: ValueType, name: string): Value {
  switch (type.kind) {
    case "string":
      return randomText(random);
    case "enum":
      return random.pick(ENUMS[type.enum] ?? []);
    case "integer":
      return randomInteger(random);
    case "float":
      return name === "weight" ? randomExactFloat(random) : randomFloat(random);
    case "decimal":
      return type.scale === undefined ? decimalOf(randomDecimalText(random)) : randomMoney(random);
    case "boolean":
      return random.chance(0.5);
    case "date":
      return randomDate(random);
    case "datetime":
      return randomDatetime(random);
    case "uuid":
      return randomUuid(random);
    case "json":
      return randomJson(random) as Value;
  }
}
