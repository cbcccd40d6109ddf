// Out of range: a problem where values are written, null where the database would say so. Only the operation at
// hand becomes null; what is around it goes on with that null.

import { describe, expect, test } from "vitest";
import { compileExpression, type Expression, numberText } from "../src/index.js";
import { dec, fn, int, num, op } from "./evaluate-notation.js";

const MAX = Number.MAX_SAFE_INTEGER;

const cases: readonly [Expression, string][] = [
  [op(int(MAX), "+", int(1)), "integer-out-of-range"],
  [op(int(MAX), "*", int(-2)), "integer-out-of-range"],
  [fn("round", int(MAX), int(-16)), "integer-out-of-range"],
  [op(num(1e308), "+", num(1e292)), "float-out-of-range"],
  [op(num(-1e308), "-", num(9e307)), "float-out-of-range"],
  [op(num(1e200), "*", num(1.1e108)), "float-out-of-range"],
  [op(num(1e-200), "*", num(9e-108)), "float-out-of-range"],
  [op(num(5e-324), "/", num(2)), "float-out-of-range"],
  [fn("round", num(1.7e308), int(-308)), "float-out-of-range"],
  [op(int(1), "/", int(0)), "division-by-zero"],
  [op(int(1), "%", int(0)), "division-by-zero"],
  [op(dec("1"), "/", dec("0.00")), "division-by-zero"],
];

describe.each(cases)("%#", (expression, code) => {
  test("is a problem", () => {
    expect(() => compileExpression(expression)({})).toThrow(expect.objectContaining({ code }));
  });

  test("or null, of which more can be made", () => {
    const isNothing = op(fn("coalesce", expression, int(7)), "is", int(7));
    expect(compileExpression(expression, { outOfRange: "null" })({})).toBeNull();
    expect(compileExpression(isNothing, { outOfRange: "null" })({})).toBe(true);
  });
});

test.each<[Expression, number]>([
  [op(num(1e308), "+", num(-1e308)), 0],
  [op(num(5e307), "+", num(5e307)), 1e308],
  [op(num(1e200), "*", num(1e108)), 1e308],
  [op(num(1e-200), "*", num(1e-107)), 1e-307],
  [op(num(5e-324), "-", num(1e-323)), -5e-324],
])("%# lies just within", (expression, wanted) => {
  expect(compileExpression(expression)({})).toBe(wanted);
});

test.each([
  [1e23, "99999999999999990000000"],
  [-39718262245878576, "-39718262245878576"],
  [562454082537442430, "562454082537442430"],
  [2 ** 53, "9007199254740992"],
  [1e21, "1000000000000000000000"],
])("the text of %d is no tie between two floats", (value, wanted) => {
  expect(numberText(value)).toBe(wanted);
});
