// Expressions as texts, and back again by eye: what is expected is what one would write.

import { describe, expect, it } from "vitest";
import {
  type BinaryOperator,
  type Expression,
  printExpression,
  printOrder,
  printType,
} from "../src/index.js";
import { bool, date, dec, int, list, member, none, struct, text, type } from "./evaluate-notation.js";

const self: Expression = { kind: "variable", type: type("any"), variable: "this", name: "" };
const auth: Expression = { kind: "variable", type: type("any"), variable: "auth", name: "" };
const field = (name: string, on: Expression = self) => member(on, name, type("any"));
const not = (operand: Expression): Expression => ({
  kind: "unary",
  type: type("boolean"),
  operator: "not",
  operand,
});
const minus = (operand: Expression): Expression => ({
  kind: "unary",
  type: type("integer"),
  operator: "-",
  operand,
});
const op = (left: Expression, operator: BinaryOperator, right: Expression): Expression => ({
  kind: "binary",
  type: type("boolean"),
  operator,
  left,
  right,
});
const [a, b, c] = [field("a"), field("b"), field("c")];

const CASES: readonly [Expression, string][] = [
  [op(op(a, "or", b), "and", c), "(a or b) and c"],
  [op(a, "or", op(b, "and", c)), "a or b and c"],
  [op(a, "and", op(b, "and", c)), "a and b and c"],
  [op(a, "-", op(b, "-", c)), "a - (b - c)"],
  [op(op(a, "-", b), "-", c), "a - b - c"],
  [op(op(a, "+", b), "*", c), "(a + b) * c"],
  [not(op(a, "is", b)), "not a is b"],
  [not(op(a, "and", b)), "not (a and b)"],
  [op(not(a), "is", bool(true)), "(not a) is true"],
  [op(op(a, "<", b), "is", bool(false)), "(a < b) is false"],
  [minus(op(a, "+", b)), "-(a + b)"],
  [minus(int(-3)), "-(-3)"],
  [op(a, "-", int(-3)), "a - -3"],
  [op(a, "in", list(type("string"), text("x"), text('say "y"'))), 'a in ["x", "say \\"y\\""]'],
  [op(field("price"), ">", dec("20.50")), "price > 20.50"],
  [op(field("on"), "<=", date("2026-01-31")), 'on <= "2026-01-31"'],
  [op(field("author"), "is", auth), "author is @auth"],
  [op(auth, "is not", none), "@auth is not null"],
  [field("name", field("author")), "author.name"],
  [{ kind: "aggregate", type: type("integer"), function: "count", over: field("books") }, "count(books)"],
  [{ kind: "call", type: type("string"), function: "lower", arguments: [a] }, "lower(a)"],
  [struct({ id: a, n: int(1) }), "{ id: a, n: 1 }"],
];

describe("expressions", () => {
  it.each(CASES)("%#", (expression, expected) => {
    expect(printExpression(expression)).toBe(expected);
  });
});

it("orders", () => {
  expect(
    printOrder([
      { value: a, descending: true },
      { value: b, descending: false },
    ]),
  ).toBe("a desc, b");
});

it("types", () => {
  expect(printType({ kind: "decimal", precision: 10, scale: 2, nullable: false })).toBe("decimal(10, 2)");
  expect(printType({ kind: "enum", enum: "Genre", nullable: true })).toBe("Genre or null");
  expect(printType({ kind: "integer", nullable: false })).toBe("integer");
});
