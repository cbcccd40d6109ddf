// Laws of the evaluator, over random values: the logic of null, exact decimals against fractions, texts by code
// points, and moments.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDecimals,
  compareDecimals,
  compareTexts,
  type Decimal,
  dateText,
  datetimeOfMilliseconds,
  daysOfDate,
  decimalText,
  divideDecimals,
  type Expression,
  equalJson,
  isDate,
  type Json,
  jsonText,
  millisecondsOfDatetime,
  multiplyDecimals,
  numberText,
  parseDatetime,
  parseDecimal,
  roundDecimal,
  subtractDecimals,
  textLength,
} from "../src/index.js";
import { bool, evaluate, fn, int, not, op, text } from "./evaluate-notation.js";

const condition = fc.constantFrom(true, false, null).map(bool);
const decimal: fc.Arbitrary<Decimal> = fc.record({
  units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  scale: fc.integer({ min: 0, max: 20 }),
});

const same = (left: Expression, right: Expression): void => expect(evaluate(left)).toBe(evaluate(right));

describe("and, or, not", () => {
  test("De Morgan", () => {
    fc.assert(
      fc.property(condition, condition, (a, b) => {
        same(not(op(a, "and", b)), op(not(a), "or", not(b)));
        same(not(op(a, "or", b)), op(not(a), "and", not(b)));
      }),
    );
  });

  test("commute, associate, absorb, and undo", () => {
    fc.assert(
      fc.property(condition, condition, condition, (a, b, c) => {
        same(op(a, "and", b), op(b, "and", a));
        same(op(a, "or", b), op(b, "or", a));
        same(op(op(a, "and", b), "and", c), op(a, "and", op(b, "and", c)));
        same(op(a, "or", op(a, "and", b)), a);
        same(op(a, "and", op(b, "or", c)), op(op(a, "and", b), "or", op(a, "and", c)));
        same(not(not(a)), a);
      }),
    );
  });

  test("`is not` and `not in` are the opposite", () => {
    const value = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }).map(int);
    fc.assert(
      fc.property(value, value, (a, b) => {
        same(not(op(a, "is", b)), op(a, "is not", b));
        expect(evaluate(op(a, "is", b))).not.toBeNull();
      }),
    );
  });
});

/** a/b compared with c/d, for positive divisors. */
function compareFractions(a: bigint, b: bigint, c: bigint, d: bigint): number {
  const [left, right] = [a * d, c * b];
  return left < right ? -1 : left > right ? 1 : 0;
}

const power = (scale: number): bigint => 10n ** BigInt(scale);

describe("decimals are exact", () => {
  test("print and read", () => {
    fc.assert(
      fc.property(decimal, (a) => {
        expect(parseDecimal(decimalText(a))).toEqual(a);
      }),
    );
  });

  test("sum, difference, product and order agree with fractions", () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [da, db] = [power(a.scale), power(b.scale)];
        const equals = (value: Decimal, numerator: bigint, divisor: bigint): void =>
          expect(compareFractions(value.units, power(value.scale), numerator, divisor)).toBe(0);
        equals(addDecimals(a, b), a.units * db + b.units * da, da * db);
        equals(subtractDecimals(a, b), a.units * db - b.units * da, da * db);
        equals(multiplyDecimals(a, b), a.units * b.units, da * db);
        expect(compareDecimals(a, b)).toBe(compareFractions(a.units, da, b.units, db));
      }),
    );
  });

  test("a quotient is off by at most half of its last digit", () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        fc.pre(b.units !== 0n);
        const quotient = divideDecimals(a, b);
        const back = subtractDecimals(multiplyDecimals(quotient, b), a);
        const half = multiplyDecimals({ units: 5n, scale: quotient.scale + 1 }, b);
        const size = (value: Decimal): Decimal => ({
          ...value,
          units: value.units < 0n ? -value.units : value.units,
        });
        expect(compareDecimals(size(back), size(half))).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("rounding goes to the nearest, a half away from zero", () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: -5, max: 22 }), (a, digits) => {
        const rounded = roundDecimal(a, digits);
        const doubled = subtractDecimals(addDecimals(a, a), addDecimals(rounded, rounded));
        const unit = digits >= 0 ? { units: 1n, scale: digits } : { units: power(-digits), scale: 0 };
        const size = { ...doubled, units: doubled.units < 0n ? -doubled.units : doubled.units };
        const order = compareDecimals(size, unit);
        expect(order).toBeLessThanOrEqual(0);
        if (order === 0) expect(a.units < 0n === doubled.units < 0n).toBe(false);
      }),
    );
  });
});

describe("texts go by code points", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 12 });

  test("order and length", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const [left, right] = [[...a], [...b]].map((points) =>
          points.map((point) => point.codePointAt(0) ?? 0),
        ) as [number[], number[]];
        const at = left.findIndex((point, index) => point !== right[index]);
        const wanted = at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
        expect(Math.sign(compareTexts(a, b))).toBe(Math.sign(wanted));
        expect(textLength(a)).toBe(left.length);
      }),
    );
  });

  test("parts put together give the whole", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 14 }), (whole, at) => {
        const head = fn("substring", text(whole), int(0), int(at));
        const tail = fn("substring", text(whole), int(at));
        expect(evaluate(op(head, "+", tail))).toBe(whole);
      }),
    );
  });

  test("case keeps the number of characters", () => {
    fc.assert(
      fc.property(anyText, (value) => {
        expect(evaluate(fn("length", fn("upper", text(value))))).toBe(textLength(value));
        expect(evaluate(fn("length", fn("lower", text(value))))).toBe(textLength(value));
      }),
    );
  });
});

describe("numbers and JSON as text", () => {
  test("a number's text has no exponent and gives the number back", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(numberText(value)).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(numberText(value))).toBe(value + 0);
      }),
    );
  });

  test("JSON text can be read back, and does not depend on the order of keys", () => {
    const json = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(json, (value) => {
        expect(equalJson(JSON.parse(jsonText(value)), JSON.parse(JSON.stringify(value)))).toBe(true);
        expect(jsonText(reversed(value))).toBe(jsonText(value));
      }),
    );
  });
});

function reversed(json: Json): Json {
  if (Array.isArray(json)) return json.map(reversed);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .reverse()
      .map(([name, value]) => [name, reversed(value)]),
  );
}

describe("moments", () => {
  const moment = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });

  test("agree with JavaScript's calendar", () => {
    fc.assert(
      fc.property(moment, (value) => {
        const wanted = value.toISOString().replace("Z", "000Z");
        expect(datetimeOfMilliseconds(value.getTime())).toBe(wanted);
        expect(parseDatetime(value.toISOString())).toBe(wanted);
        expect(millisecondsOfDatetime(wanted)).toBe(value.getTime());
        const day = value.toISOString().slice(0, 10);
        expect(isDate(day)).toBe(true);
        expect(dateText(daysOfDate(day))).toBe(day);
      }),
    );
  });

  test.each([
    ["2026-11-14T10:20:30Z", "2026-11-14T10:20:30.000000Z"],
    ["2026-11-14T10:20:30.1234567+02:30", "2026-11-14T07:50:30.123457Z"],
    ["2026-12-31T23:59:59.9999999Z", "2027-01-01T00:00:00.000000Z"],
    ["2024-02-29T00:00:00-00:01", "2024-02-29T00:01:00.000000Z"],
    ["2026-11-14T10:20:30", undefined],
    ["2026-02-29T00:00:00Z", undefined],
    ["2026-11-14T24:00:00Z", undefined],
    ["2026-11-14T10:60:00Z", undefined],
  ])("%s", (source, wanted) => {
    expect(parseDatetime(source)).toBe(wanted);
  });

  test("outside of the years 1 to 9999 of UTC is a problem", () => {
    expect(() => parseDatetime("0001-01-01T00:00:00+01:00")).toThrow("years 1 to 9999");
    expect(() => parseDatetime("9999-12-31T23:59:59-01:00")).toThrow("years 1 to 9999");
  });
});
