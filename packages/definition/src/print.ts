// Expressions and types as they are written in a source. The text of the source is not in the definition; this
// is the same meaning in one style, with no more parentheses than it needs.

import type { OrderTerm } from "./definition.js";
import type {
  BinaryExpression,
  BinaryOperator,
  Expression,
  LiteralExpression,
  MemberExpression,
  VariableExpression,
} from "./expression.js";
import type { Type } from "./types.js";

/** How tightly each operator binds; comparisons cannot be chained. */
const STRENGTHS: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  is: 4,
  "is not": 4,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  in: 4,
  "not in": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};
const NOT = 3;
const COMPARISON = 4;
const MINUS = 7;
const ATOM = 8;

export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return printLiteral(expression);
    case "array":
      return `[${expression.items.map(printExpression).join(", ")}]`;
    case "struct":
      return printStruct(expression);
    case "variable":
      return printVariable(expression);
    case "member":
      return printMember(expression);
    case "unary":
      return expression.operator === "not"
        ? `not ${enclose(expression.operand, NOT)}`
        : `-${enclose(expression.operand, ATOM)}`;
    case "binary":
      return printBinary(expression);
    case "call":
      return `${expression.function}(${expression.arguments.map(printExpression).join(", ")})`;
    case "aggregate":
      return `${expression.function}(${printExpression(expression.over)})`;
  }
}

export function printOrder(terms: readonly OrderTerm[]): string {
  return terms
    .map(({ value, descending }) => `${printExpression(value)}${descending ? " desc" : ""}`)
    .join(", ");
}

function strengthOf(expression: Expression): number {
  if (expression.kind === "binary") return STRENGTHS[expression.operator];
  if (expression.kind === "unary") return expression.operator === "not" ? NOT : MINUS;
  // `-3` as a literal reads like the operator.
  return expression.kind === "literal" && String(expression.value).startsWith("-") ? MINUS : ATOM;
}

/** In parentheses where it binds less tightly than its place asks for. */
function enclose(expression: Expression, strength: number): string {
  const text = printExpression(expression);
  return strengthOf(expression) < strength ? `(${text})` : text;
}

function printBinary({ operator, left, right }: BinaryExpression): string {
  const strength = STRENGTHS[operator];
  const isAssociative = operator === "and" || operator === "or";
  const leftStrength = strength === COMPARISON ? strength + 1 : strength;
  const rightStrength = isAssociative ? strength : strength + 1;
  return `${enclose(left, leftStrength)} ${operator} ${enclose(right, rightStrength)}`;
}

function printLiteral({ value, type }: LiteralExpression): string {
  // Decimals are texts in the definition and numbers in the source.
  return typeof value === "string" && type.kind !== "decimal" ? JSON.stringify(value) : String(value);
}

function printStruct({ entries }: Extract<Expression, { kind: "struct" }>): string {
  const parts = entries.map(({ name, value }) => `${name}: ${printExpression(value)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function printVariable({ variable, name }: VariableExpression): string {
  switch (variable) {
    case "this":
    case "owner":
      return variable;
    case "auth":
      return "@auth";
    case "alias":
    case "input":
    case "argument":
    case "iterator":
      return name.replace(/^\$/, "");
  }
}

/** Members of the record at hand are written without it. */
function printMember({ on, name }: MemberExpression): string {
  const isAtHand = on.kind === "variable" && (on.variable === "this" || on.variable === "owner");
  return isAtHand ? name : `${enclose(on, ATOM)}.${name}`;
}

export function printType(type: Type): string {
  const name = nameOfType(type);
  return type.nullable && type.kind !== "null" ? `${name} or null` : name;
}

function nameOfType(type: Type): string {
  switch (type.kind) {
    case "decimal":
      return type.precision === undefined ? "decimal" : `decimal(${type.precision}, ${type.scale ?? 0})`;
    case "enum":
      return type.enum;
    case "record":
      return type.model;
    case "collection":
    case "array":
      return `list of ${nameOfType(type.of)}`;
    case "struct":
      return "object";
    default:
      return type.kind;
  }
}
