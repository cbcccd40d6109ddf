// Operators over compiled operands. Both operands are evaluated before null is looked at, as PostgreSQL does;
// only `and` and `or` stop early.

import type { BinaryExpression, Expression } from "../expression.js";
import type { Type } from "../types.js";
import { asDecimal, equalityOf, nameOf, orderingOf } from "./compare.js";
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  isZeroDecimal,
  multiplyDecimals,
  negateDecimal,
  subtractDecimals,
} from "./decimal.js";
import { addFloats, divideFloats, integer, multiplyFloats, subtractFloats } from "./number.js";
import { divisionByZero, inRange, typeMismatch } from "./problem.js";
import { type CompileOptions, type Evaluate, isDecimal, type Value } from "./value.js";

export interface Operands {
  readonly left: Evaluate;
  readonly right: Evaluate;
}

export function compileBinary(
  expression: BinaryExpression,
  { left, right }: Operands,
  options: CompileOptions,
): Evaluate {
  const { operator } = expression;
  switch (operator) {
    case "and":
      return compileAnd(left, right);
    case "or":
      return compileOr(left, right);
    case "is":
      return compileIs(expression, left, right);
    case "is not":
      return negated(compileIs(expression, left, right));
    case "in":
      return compileIn(expression, left, right);
    case "not in":
      return negated(compileIn(expression, left, right));
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compileOrder(expression, left, right);
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
      return both(left, right, inRange(arithmeticOf(expression), options));
  }
}

type Join = (left: Value, right: Value) => Value;

/** Null where one of them is. */
function both(left: Evaluate, right: Evaluate, join: Join): Evaluate {
  return (scope) => {
    const a = left(scope);
    const b = right(scope);
    return a === null || b === null ? null : join(a, b);
  };
}

function negated(condition: Evaluate): Evaluate {
  return (scope) => {
    const value = condition(scope);
    return value === null ? null : !value;
  };
}

function compileAnd(left: Evaluate, right: Evaluate): Evaluate {
  return (scope) => {
    const a = left(scope);
    if (a === false) return false;
    const b = right(scope);
    return b === false ? false : a === null || b === null ? null : a && b;
  };
}

function compileOr(left: Evaluate, right: Evaluate): Evaluate {
  return (scope) => {
    const a = left(scope);
    if (a === true) return true;
    const b = right(scope);
    return b === true ? true : a === null || b === null ? null : a || b;
  };
}

function compileIs(expression: BinaryExpression, left: Evaluate, right: Evaluate): Evaluate {
  const equal = equalityOf(expression.left.type, expression.right.type);
  return (scope) => {
    const a = left(scope);
    const b = right(scope);
    return a === null || b === null ? a === b : equal(a, b);
  };
}

/** Nulls in the list are no values, so nothing is equal to them and nothing is unknown because of them. */
function compileIn(expression: BinaryExpression, left: Evaluate, right: Evaluate): Evaluate {
  const equal = equalityOf(expression.left.type, itemType(expression.right.type));
  return both(left, right, (needle, list) => {
    if (!Array.isArray(list)) throw typeMismatch(expression.operator, nameOf(list));
    return list.some((item) => item !== null && equal(needle, item));
  });
}

function itemType(type: Type): Type {
  return type.kind === "array" || type.kind === "collection" ? type.of : { kind: "any", nullable: false };
}

function compileOrder(expression: BinaryExpression, left: Evaluate, right: Evaluate): Evaluate {
  const order = orderingOf(expression.left.type, expression.right.type);
  switch (expression.operator) {
    case "<":
      return both(left, right, (a, b) => order(a, b) < 0);
    case "<=":
      return both(left, right, (a, b) => order(a, b) <= 0);
    case ">":
      return both(left, right, (a, b) => order(a, b) > 0);
    default:
      return both(left, right, (a, b) => order(a, b) >= 0);
  }
}

type Operator = "+" | "-" | "*" | "/" | "%";
type Arithmetic = Readonly<Record<Operator, Join>>;

/** Types the values of an operation, as the checker has found them to be. */
function typed<Operand extends Value>(join: (left: Operand, right: Operand) => Value): Join {
  return join as Join;
}

const wrong =
  (operator: string): Join =>
  (left, right) => {
    throw typeMismatch(operator, `${nameOf(left)} and ${nameOf(right)}`);
  };

const TEXTS: Arithmetic = {
  "+": typed<string>((a, b) => a + b),
  "-": wrong("-"),
  "*": wrong("*"),
  "/": wrong("/"),
  "%": wrong("%"),
};

const INTEGERS: Arithmetic = {
  "+": typed<number>((a, b) => integer(a + b)),
  "-": typed<number>((a, b) => integer(a - b)),
  "*": typed<number>((a, b) => integer(a * b)),
  "/": typed<number>(divideFloats),
  // The sign is that of the dividend.
  "%": typed<number>((a, b) => integer(a % b)),
};

const FLOATS: Arithmetic = {
  "+": typed<number>(addFloats),
  "-": typed<number>(subtractFloats),
  "*": typed<number>(multiplyFloats),
  "/": typed<number>(divideFloats),
  "%": wrong("%"),
};

function decimals(operate: (left: Decimal, right: Decimal) => Decimal): Join {
  return (left, right) => operate(asDecimal(left), asDecimal(right));
}

const DECIMALS: Arithmetic = {
  "+": decimals(addDecimals),
  "-": decimals(subtractDecimals),
  "*": decimals(multiplyDecimals),
  "/": decimals(divideDecimals),
  "%": wrong("%"),
};

function arithmeticOf({ operator, type, onZero }: BinaryExpression): Join {
  const symbol = operator as Operator;
  const join: Join =
    type.kind === "any"
      ? (a, b) => arithmeticOfValues(symbol, a, b)[symbol](a, b)
      : arithmeticOfType(type)[symbol];
  return symbol === "/" || symbol === "%" ? guardZero(join, onZero) : join;
}

function arithmeticOfType(type: Type): Arithmetic {
  switch (type.kind) {
    case "integer":
      return INTEGERS;
    case "float":
      return FLOATS;
    case "decimal":
      return DECIMALS;
    default:
      return TEXTS;
  }
}

/** Results of hooks: numbers are integers where both are. */
function arithmeticOfValues(operator: Operator, left: Value, right: Value): Arithmetic {
  if (isDecimal(left) || isDecimal(right)) return DECIMALS;
  if (typeof left === "string" && typeof right === "string") return TEXTS;
  if (typeof left !== "number" || typeof right !== "number") {
    throw typeMismatch(operator, `${nameOf(left)} and ${nameOf(right)}`);
  }
  return Number.isSafeInteger(left) && Number.isSafeInteger(right) ? INTEGERS : FLOATS;
}

function guardZero(divide: Join, onZero: BinaryExpression["onZero"]): Join {
  return (left, right) => {
    const isZeroDivisor = isDecimal(right) ? isZeroDecimal(right) : right === 0;
    if (!isZeroDivisor) return divide(left, right);
    if (onZero === "null") return null;
    throw divisionByZero();
  };
}

export function compileUnary(
  { operator }: Extract<Expression, { kind: "unary" }>,
  operand: Evaluate,
): Evaluate {
  if (operator === "not") return negated(operand);
  return (scope) => {
    const value = operand(scope);
    if (value === null) return null;
    if (isDecimal(value)) return negateDecimal(value);
    if (typeof value !== "number") throw typeMismatch("-", nameOf(value));
    // From zero, so that there is no -0.
    return 0 - value;
  };
}
