// Results of code are JSON of any type. Where one meets something that has a type, it is read as that: the parts of
// an expression are given the types in which they are to be emitted.

import type {
  BinaryExpression,
  CallExpression,
  Expression,
  MemberExpression,
  Type,
  ValueType,
  VariableExpression,
} from "@stoa/definition";
import { isValueType } from "@stoa/definition";
import { columnType } from "./types.js";

const BOOLEAN: ValueType = { kind: "boolean", nullable: true };
const STRING: ValueType = { kind: "string", nullable: true };
const DECIMAL: ValueType = { kind: "decimal", nullable: true };

/** The same expression, if it can be of any type, in a type. */
export function readAs(expression: Expression, type: ValueType): Expression {
  if (expression.type.kind !== "any") return expression;
  const part = (each: Expression) => readAs(each, type);
  switch (expression.kind) {
    case "binary":
      return { ...expression, type, left: part(expression.left), right: part(expression.right) };
    case "call":
      return expression.function === "coalesce"
        ? { ...expression, type, arguments: expression.arguments.map(part) }
        : { ...expression, type };
    default:
      return { ...expression, type };
  }
}

/** JSON as a value of a type that an expression was given, or as it is. */
export function fromJson(sql: string, { type }: VariableExpression | MemberExpression): string {
  return !isValueType(type) || type.kind === "json" ? sql : `(${sql} #>> '{}')::${columnType(type)}`;
}

/** Operands in types that go together. */
export function settleBinary(expression: BinaryExpression): BinaryExpression {
  const { operator, left, right } = expression;
  if (left.type.kind !== "any" && right.type.kind !== "any") return expression;
  const type = operator === "and" || operator === "or" ? BOOLEAN : typeBeside(left.type, right.type);
  return type === null ? expression : { ...expression, left: readAs(left, type), right: readAs(right, type) };
}

/** What a side of any type is read as; null where neither side says. */
function typeBeside(left: Type, right: Type): ValueType | null {
  const known = [left, right].map(elementOf).find(isValueType);
  return known === undefined ? null : { ...withoutDigits(known), nullable: true };
}

function elementOf(type: Type): Type {
  return type.kind === "array" || type.kind === "collection" ? type.of : type;
}

/** Code may give 1.5 where an integer stands beside; decimals hold them both. */
function withoutDigits(type: ValueType): ValueType {
  return type.kind === "integer" || type.kind === "decimal" ? DECIMAL : type;
}

type Composite = BinaryExpression | CallExpression;

function typesOf(expression: Composite): readonly Type[] {
  const parts = expression.kind === "call" ? expression.arguments : [expression.left, expression.right];
  return parts.map(({ type }) => type);
}

/** The type in which arithmetic or `coalesce` of any type is worked out. */
export function innerType(expression: Composite): ValueType | null {
  const known = typesOf(expression).find(isValueType);
  if (known !== undefined) return { ...withoutDigits(known), nullable: true };
  return expression.kind === "binary" ? DECIMAL : null;
}

/** Decimals are texts in JSON; but numbers of code, beside integers, stay what they are. */
export function givesNumber(expression: Composite, inner: ValueType): boolean {
  return inner.kind === "decimal" && !typesOf(expression).some(({ kind }) => kind === "decimal");
}

const OF_TEXTS = new Set([
  "length",
  "lower",
  "upper",
  "trim",
  "concat",
  "contains",
  "startsWith",
  "endsWith",
]);

/** Arguments in the types that the function takes. */
export function settleCall(expression: CallExpression): CallExpression {
  const type = argumentType(expression);
  return type === null
    ? expression
    : { ...expression, arguments: expression.arguments.map((arg) => readAs(arg, type)) };
}

function argumentType({ function: name, type }: CallExpression): ValueType | null {
  if (OF_TEXTS.has(name) || name === "stringify") return STRING;
  return name === "coalesce" && isValueType(type) ? type : null;
}

/** As a condition. */
export function asCondition(expression: Expression): Expression {
  return readAs(expression, BOOLEAN);
}
