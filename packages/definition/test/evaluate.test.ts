// What expressions mean, as tables: an expression and its value.

import { describe, expect, test } from "vitest";
import { compileExpression, type Expression, parseDecimal, type Value, WHITE_SPACE } from "../src/index.js";
import {
  agg,
  bool,
  type Case,
  date,
  datetime,
  dec,
  fn,
  given,
  int,
  list,
  member,
  minus,
  no,
  none,
  not,
  num,
  op,
  result,
  struct,
  text,
  type,
  unknown,
  yes,
} from "./evaluate-notation.js";

const MAX = Number.MAX_SAFE_INTEGER;
const decimal = (digits: string): Value => parseDecimal(digits) ?? null;
const anyInput = given("any", null).expression;
const bookInput = given({ kind: "record", model: "Book", nullable: true }, null).expression;
const integers = list(type("integer"), int(1), int(2));

const CASES: Readonly<Record<string, readonly (readonly [Case, unknown])[]>> = {
  "and, or, not with three values": [
    [op(yes, "and", yes), true],
    [op(yes, "and", no), false],
    [op(yes, "and", unknown), null],
    [op(no, "and", unknown), false],
    [op(unknown, "and", no), false],
    [op(unknown, "and", unknown), null],
    [op(no, "or", no), false],
    [op(unknown, "or", yes), true],
    [op(yes, "or", unknown), true],
    [op(no, "or", unknown), null],
    [not(yes), false],
    [not(unknown), null],
    // The right side is not looked at when the left one decides.
    [op(no, "and", op(op(int(1), "/", int(0)), ">", int(1))), false],
    [op(yes, "or", op(op(int(1), "/", int(0)), ">", int(1))), true],
  ],
  "is looks at null": [
    [op(none, "is", none), true],
    [op(int(1), "is", none), false],
    [op(int(1), "is not", none), true],
    [op(text(null), "is not", text("a")), true],
    [op(int(1), "is", num(1)), true],
    [op(dec("1.50"), "is", dec("1.5")), true],
    [op(int(2), "is", dec("2.00")), true],
    [op(datetime("2026-01-01T02:00:00+02:00"), "is", datetime("2026-01-01T00:00:00Z")), true],
  ],
  "json is compared by content": [
    [given("json", { a: 1, b: [1, null] }), { a: 1, b: [1, null] }],
    [op(struct({ a: int(1), b: text("x") }), "is", struct({ a: int(1) })), false],
    [jsonIs({ a: 1, b: 2 }, struct({ b: int(2), a: int(1) })), true],
    [jsonIs({ a: 1 }, struct({ a: int(1), b: int(2) })), false],
    [jsonIs("1.50", dec("1.50")), true],
    [jsonIs("2026-01-01T00:00:00.000Z", datetime("2026-01-01T00:00:00Z")), true],
    [jsonIs(5, int(5)), true],
  ],
  order: [
    [op(int(1), "<", int(2)), true],
    [op(int(2), "<=", int(2)), true],
    [op(int(1), ">", num(0.5)), true],
    [op(int(1), ">=", int(2)), false],
    [op(int(null), "<", int(2)), null],
    [op(dec("10.0"), ">", dec("9.99")), true],
    [op(int(10), ">", dec("9.99")), true],
    [op(dec("-0.5"), "<", dec("0.4")), true],
    [op(text("Z"), "<", text("a")), true],
    [op(text("a"), "<", text("aa")), true],
    // U+FF5E lies below U+1F600, whose first half is U+D83D.
    [op(text("\uff5e"), "<", text("\u{1f600}")), true],
    [op(date("2026-01-31"), "<", date("2026-02-01")), true],
    [op(datetime("2026-01-01T00:00:00.0000001Z"), "is", datetime("2026-01-01T00:00:00Z")), true],
    [op(datetime("2026-01-01T00:00:00.000001Z"), ">", datetime("2026-01-01T00:00:00Z")), true],
  ],
  in: [
    [op(int(1), "in", integers), true],
    [op(int(3), "in", integers), false],
    [op(int(3), "not in", integers), true],
    [op(int(null), "in", integers), null],
    [op(int(null), "not in", integers), null],
    [op(int(null), "in", list(type("integer"))), null],
    [op(int(3), "in", list(type("integer"), int(1), int(null))), false],
    [op(int(2), "in", list(type("decimal"), dec("1.5"), int(2))), true],
    [inCollection(text("a"), ["a", null]), true],
    [inCollection(text("b"), ["a", null]), false],
    [inCollection(text("b"), null), null],
  ],
  "records are the same by id": [
    [sameRecord({ id: 1, name: "a" }, { id: 1, name: "b" }), true],
    [sameRecord({ id: 1 }, { id: 2 }), false],
    [sameRecord({ id: 1 }, null), false],
  ],
  integers: [
    [op(int(2), "+", int(3)), 5],
    [op(int(2), "-", int(3)), -1],
    [op(int(2), "*", int(-3)), -6],
    [op(int(0), "*", int(-3)), 0],
    [op(int(7), "/", int(2)), 3.5],
    [op(int(7), "%", int(3)), 1],
    [op(int(-7), "%", int(3)), -1],
    [op(int(7), "%", int(-3)), 1],
    [op(int(-6), "%", int(3)), 0],
    [minus(int(0)), 0],
    [op(int(MAX), "+", int(0)), MAX],
    [op(int(MAX), "+", int(1)), "problem integer-out-of-range"],
    [op(int(-MAX), "-", int(1)), "problem integer-out-of-range"],
    [op(int(MAX), "*", int(MAX)), "problem integer-out-of-range"],
    [op(int(2 ** 27), "*", int(2 ** 26)), "problem integer-out-of-range"],
    [op(int(null), "+", int(1)), null],
  ],
  "division by zero": [
    [op(int(1), "/", int(0)), "problem division-by-zero"],
    [op(int(1), "/", int(0), "null"), null],
    [op(int(1), "%", int(0), "null"), null],
    [op(int(1), "%", int(0)), "problem division-by-zero"],
    [op(num(1), "/", num(-0), "null"), null],
    [op(dec("1"), "/", dec("0.00")), "problem division-by-zero"],
    [op(int(null), "/", int(0)), null],
  ],
  floats: [
    [op(num(0.1), "+", num(0.2)), 0.1 + 0.2],
    [op(int(1), "+", num(0.5)), 1.5],
    [op(num(1e308), "*", num(10)), "problem float-out-of-range"],
    [op(num(1e308), "+", num(1e308)), "problem float-out-of-range"],
    [op(num(1e-200), "*", num(1e-200)), "problem float-out-of-range"],
    [op(num(1e-300), "/", num(1e300)), "problem float-out-of-range"],
    [op(num(0), "/", num(5)), 0],
  ],
  "decimals have the digits of PostgreSQL's numeric": [
    [op(dec("1.10"), "+", dec("2.345")), "3.445d"],
    [op(dec("1.10"), "-", dec("1.1")), "0.00d"],
    [op(dec("1.10"), "*", dec("-2.5")), "-2.750d"],
    [op(int(2), "*", dec("2.50")), "5.00d"],
    [op(dec("1"), "/", dec("3")), "0.33333333333333333333d"],
    [op(dec("10"), "/", dec("3")), "3.3333333333333333d"],
    [op(dec("2"), "/", dec("3")), "0.66666666666666666667d"],
    [op(dec("-2"), "/", dec("3")), "-0.66666666666666666667d"],
    [op(dec("1000000"), "/", dec("3")), "333333.333333333333d"],
    [op(dec("0"), "/", dec("3")), "0.00000000000000000000d"],
    [op(dec("1"), "/", dec("30000")), "0.000033333333333333333333d"],
    [minus(dec("1.50")), "-1.50d"],
  ],
  "functions of texts": [
    [fn("length", text("häß\u{1f600}")), 4],
    [fn("lower", text("ÄÖÜ ΣΑΣ İ")), "äöü σασ i"],
    [fn("upper", text("straße ᾳ ŉ ǆ")), "STRAßE ᾼ ŉ Ǆ"],
    [fn("trim", text(`${WHITE_SPACE}a b${WHITE_SPACE}`)), "a b"],
    [fn("trim", text("\u0085a\u200b")), "\u0085a\u200b"],
    [fn("concat", text("a"), text("b"), text("c")), "abc"],
    [fn("concat", text("a"), text(null)), null],
    [fn("substring", text("a\u{1f600}bc"), int(1)), "\u{1f600}bc"],
    [fn("substring", text("a\u{1f600}bc"), int(1), int(2)), "\u{1f600}b"],
    [fn("substring", text("abc"), int(-2), int(2)), "ab"],
    [fn("substring", text("abc"), int(1), int(-1)), ""],
    [fn("substring", text("abc"), int(9)), ""],
    [fn("substring", text("abc"), int(0), int(9)), "abc"],
    [fn("substring", text("\u{1f600}\u{1f600}\u{1f600}"), int(2)), "\u{1f600}"],
    [fn("replace", text("a.a.a"), text("a"), text("$&")), "$&.$&.$&"],
    [fn("replace", text("abc"), text(""), text("x")), "abc"],
    [fn("contains", text("abc"), text("bc")), true],
    [fn("contains", text("abc"), text("")), true],
    [fn("startsWith", text("abc"), text("ab")), true],
    [fn("endsWith", text("abc"), text("ab")), false],
    [op(text("a"), "+", text("b")), "ab"],
    [op(text("a"), "+", text(null)), null],
  ],
  stringify: [
    [fn("stringify", text('a"b')), 'a"b'],
    [fn("stringify", int(42)), "42"],
    [fn("stringify", num(1.5)), "1.5"],
    [fn("stringify", num(1e21)), "1000000000000000000000"],
    [fn("stringify", num(1.25e-7)), "0.000000125"],
    [fn("stringify", bool(true)), "true"],
    [fn("stringify", dec("9.90")), "9.90"],
    [fn("stringify", date("2026-11-14")), "2026-11-14"],
    [fn("stringify", datetime("2026-11-14T10:20:30.123456+00:00")), "2026-11-14T10:20:30.123Z"],
    [fn("stringify", struct({ bb: int(1), a: dec("1.0"), c: text("x") })), '{"a": "1.0", "c": "x", "bb": 1}'],
    [fn("stringify", none), null],
    [stringifyJson([1, "a", null, { y: [] }]), '[1, "a", null, {"y": []}]'],
    [stringifyJson("text"), '"text"'],
  ],
  "functions of numbers": [
    [fn("abs", int(-3)), 3],
    [fn("abs", dec("-1.50")), "1.50d"],
    // Floats round half to even, decimals half away from zero.
    [fn("round", num(2.5)), 2],
    [fn("round", num(3.5)), 4],
    [fn("round", num(-2.5)), -2],
    [fn("round", num(-0.4)), 0],
    [fn("round", num(0.49999999999999994)), 0],
    [fn("round", num(1.005), int(2)), 1.01],
    [fn("round", num(1234.5), int(-2)), 1200],
    [fn("round", dec("2.5")), "3d"],
    [fn("round", dec("-2.5")), "-3d"],
    [fn("round", dec("1.2345"), int(2)), "1.23d"],
    [fn("round", dec("1.5"), int(3)), "1.500d"],
    [fn("round", dec("1250"), int(-2)), "1300d"],
    [fn("round", dec("4"), int(-1)), "0d"],
    [fn("round", dec("5"), int(-1)), "10d"],
    [fn("round", dec("5"), int(-2)), "0d"],
    [fn("round", dec("99"), int(-200000)), "0d"],
    [fn("round", int(15), int(-1)), 20],
    [fn("round", int(-15), int(-1)), -20],
    [fn("round", int(15), int(1)), 15],
    [fn("floor", num(-1.5)), -2],
    [fn("ceil", num(-0.5)), 0],
    [fn("floor", dec("-1.5")), "-2d"],
    [fn("ceil", dec("-1.5")), "-1d"],
    [fn("ceil", dec("1.01")), "2d"],
    [fn("floor", int(3)), 3],
    [fn("round", int(null)), null],
  ],
  coalesce: [
    [fn("coalesce", int(null), int(2), op(int(1), "/", int(0))), 2],
    [fn("coalesce", dec(null), int(2)), "2d"],
    [fn("coalesce", text(null), text(null)), null],
  ],
  aggregates: [
    [agg("count", type("integer"), [1, null, 3]), 2],
    [agg("count", type("integer"), null), null],
    [agg("exists", type("integer"), []), false],
    [agg("exists", type("integer"), [0]), true],
    [agg("sum", type("integer"), [1, null, 3]), 4],
    [agg("sum", type("integer"), []), 0],
    [agg("sum", type("integer"), [MAX, MAX, -MAX]), MAX],
    [agg("sum", type("integer"), [MAX, 1]), "problem integer-out-of-range"],
    [agg("sum", type("decimal"), [decimal("1.50"), decimal("2.5")]), "4.00d"],
    [agg("sum", type("decimal"), []), "0d"],
    [agg("sum", type("float"), [0.5, 0.25]), 0.75],
    [agg("avg", type("integer"), [1, 2]), 1.5],
    [agg("avg", type("integer"), [null]), null],
    [agg("avg", type("decimal"), [decimal("1"), decimal("2")]), "1.5000000000000000d"],
    [agg("min", type("string"), ["b", "a", null, "c"]), "a"],
    [agg("max", type("decimal"), [decimal("9.9"), decimal("10")]), "10d"],
    [agg("max", type("date"), []), null],
  ],
  paths: [
    [member(struct({ a: int(1) }), "a", type("integer"), "part"), 1],
    [jsonPath({ a: { b: 5 } }, "a", "b"), 5],
    [jsonPath({ a: null }, "a", "b"), null],
    [jsonPath([1, 2], "length"), null],
    [jsonPath({}, "constructor"), null],
    [jsonPath({}, "__proto__"), null],
    [overBooks("title"), ["A", "B"]],
    [overBooks("tags"), ["x", "y", "z"]],
  ],
  "results of hooks are what they are": [
    [any(op, 1, "+", int(2)), 3],
    [any(op, 1.5, "+", int(2)), 3.5],
    [any(op, "a", "+", text("b")), "ab"],
    [any(op, "a", "+", int(2)), "problem type-mismatch"],
    [any(op, true, "<", int(2)), "problem type-mismatch"],
    [any(op, "1.50", "is", dec("1.5")), true],
    [any(op, "2026-01-01T00:00:00Z", "is", datetime("2026-01-01T01:00:00+01:00")), true],
    [any(op, [1], "is", int(1)), false],
    [any(op, 5, "in", integers), false],
    [{ expression: fn("length", anyInput), value: 5 }, "problem type-mismatch"],
    [{ expression: fn("stringify", anyInput), value: "a" }, "a"],
    [{ expression: fn("stringify", anyInput), value: { a: [1] } }, '{"a": [1]}'],
    [{ expression: fn("round", anyInput), value: 2.4 }, 2],
  ],
};

for (const [name, cases] of Object.entries(CASES)) {
  describe(name, () => {
    test.each(cases.map(([item, wanted], index) => ({ index, item, wanted })))(
      "$index: $wanted",
      ({ item, wanted }) => {
        expect(result(item)).toEqual(wanted);
      },
    );
  });
}

describe("what comes through the scope", () => {
  const now = () => "2026-11-14T23:59:59.999999Z";

  test("now, today and uuid", () => {
    expect(result(fn("now"), { now })).toBe("2026-11-14T23:59:59.999999Z");
    expect(result(fn("today"), { now })).toBe("2026-11-14");
    expect(result(fn("uuid"), { uuid: () => "u" })).toBe("u");
  });

  test("fake gets its kind and its arguments", () => {
    const fake = (kind: string, args: readonly Value[]): Value => [kind, ...args];
    expect(result(fn("fake", text("integer"), int(1), int(5)), { fake })).toEqual(["integer", 1, 5]);
  });

  test("variables of all kinds", () => {
    const variable = (
      kind: "this" | "owner" | "alias" | "argument" | "iterator" | "auth",
      name = "",
    ): Expression => ({
      kind: "variable",
      type: type("any"),
      variable: kind,
      name,
    });
    const scope = {
      this: 1,
      owner: 2,
      auth: null,
      aliases: new Map<string, Value>([["a", 3]]),
      arguments: new Map<string, Value>([["b", 4]]),
      iterators: new Map<string, Value>([["i", { current: 5, total: 6 }]]),
    };
    const values = [
      variable("this"),
      variable("owner"),
      variable("auth"),
      variable("alias", "a"),
      variable("argument", "b"),
      member(variable("iterator", "i"), "current", type("integer"), "part"),
    ].map((item) => result(item, scope));
    expect(values).toEqual([1, 2, null, 3, 4, 5]);
  });

  test("a missing variable is a bug of the caller, not a problem of the data", () => {
    const alias: Expression = { kind: "variable", type: type("any"), variable: "alias", name: "author" };
    expect(() => compileExpression(alias)({})).toThrow("no `author`");
  });

  test("members of records are read by the caller's reader, asked once", () => {
    const asked: string[] = [];
    const evaluate = compileExpression(member(bookInput, "title", type("string")), {
      readMember: ({ name }) => {
        asked.push(name);
        return (record) => `${record.id}:${name}`;
      },
    });
    const inputs = (id: number | null) => ({
      inputs: new Map<string, Value>([["given", id === null ? null : { id }]]),
    });
    expect([evaluate(inputs(1)), evaluate(inputs(2)), evaluate(inputs(null))]).toEqual([
      "1:title",
      "2:title",
      null,
    ]);
    expect(asked).toEqual(["title"]);
  });
});

function jsonIs(value: Value, right: Expression): Case {
  const left = given("json", value);
  return { expression: op(left.expression, "is", right), value };
}

function inCollection(needle: Expression, values: Value): Case {
  const many = given({ kind: "collection", of: type("string"), nullable: true }, values);
  return { expression: op(needle, "in", many.expression), value: values };
}

function sameRecord(left: Value, right: Value): Case {
  const record = { kind: "record", model: "A", nullable: true } as const;
  const pair = given(
    {
      kind: "struct",
      fields: [
        { name: "a", type: record },
        { name: "b", type: record },
      ],
      nullable: false,
    },
    { a: left, b: right },
  );
  const [a, b] = ["a", "b"].map((name) => member(pair.expression, name, record, "part")) as [
    Expression,
    Expression,
  ];
  return { expression: op(a, "is", b), value: pair.value };
}

function stringifyJson(value: Value): Case {
  return { expression: fn("stringify", given("json", value).expression), value };
}

function jsonPath(value: Value, ...names: string[]): Case {
  const root = given("json", value);
  const path = names.reduce((on, name) => member(on, name, type("json"), "json"), root.expression);
  return { expression: path, value };
}

function overBooks(name: string): Case {
  const books = [
    { id: 1, title: "A", tags: ["x", "y"] },
    { id: 2, title: "B", tags: ["z"] },
  ];
  const of = { kind: "record", model: "Book", nullable: false } as const;
  const many = given({ kind: "collection", of, nullable: false }, books);
  return {
    expression: member(many.expression, name, { kind: "collection", of: type("string"), nullable: false }),
    value: books,
  };
}

function any(join: typeof op, left: Value, operator: Parameters<typeof op>[1], right: Expression): Case {
  return { expression: join(given("any", left).expression, operator, right), value: left };
}
