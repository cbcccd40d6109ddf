// Expressions in a few letters, for tables of cases.

import {
  type AggregateName,
  type BinaryOperator,
  compileExpression,
  decimalText,
  EvaluationProblem,
  type EvaluationScope,
  type Expression,
  type FunctionName,
  isDecimal,
  type Type,
  type Value,
  type ValueObject,
} from "../src/index.js";

type PlainKind =
  | "string"
  | "integer"
  | "float"
  | "boolean"
  | "date"
  | "datetime"
  | "uuid"
  | "json"
  | "decimal";

export function type(kind: PlainKind | "any" | "null"): Type {
  return kind === "null" ? { kind, nullable: true } : { kind, nullable: true };
}

const literal =
  (kind: PlainKind | "null") =>
  (value: string | number | boolean | null): Expression => ({
    kind: "literal",
    type: type(kind),
    value,
  });

export const text = literal("string");
export const int = literal("integer");
export const num = literal("float");
export const dec = literal("decimal");
export const bool = literal("boolean");
export const date = literal("date");
export const datetime = literal("datetime");
export const none = literal("null")(null);
export const yes = bool(true);
export const no = bool(false);
export const unknown = bool(null);

/** A value of the scope, by its type: the way to any type that has no literal. */
export function given(
  kind: Type | PlainKind | "any",
  value: Value,
): { expression: Expression; value: Value } {
  const of = typeof kind === "string" ? type(kind) : kind;
  return { expression: { kind: "variable", type: of, variable: "input", name: "given" }, value };
}

export function list(of: Type, ...items: Expression[]): Expression {
  return { kind: "array", type: { kind: "array", of, nullable: false }, items };
}

export function struct(entries: Readonly<Record<string, Expression>>): Expression {
  const parts = Object.entries(entries).map(([name, value]) => ({ name, value }));
  const fields = parts.map(({ name, value }) => ({ name, type: value.type }));
  return { kind: "struct", type: { kind: "struct", fields, nullable: false }, entries: parts };
}

export function member(
  on: Expression,
  name: string,
  of: Type,
  kind: "json" | "part" | "field" = "field",
): Expression {
  return { kind: "member", type: of, on, name, member: kind };
}

/** The wider of two numbers; otherwise the left one's type. */
function resultType(operator: BinaryOperator, left: Type, right: Type): Type {
  if (left.kind === "any" || right.kind === "any") return type("any");
  const kinds = [left.kind, right.kind];
  if (kinds.includes("decimal")) return type("decimal");
  if (kinds.includes("float")) return type("float");
  return operator === "/" && left.kind === "integer" ? type("float") : left;
}

export function op(
  left: Expression,
  operator: BinaryOperator,
  right: Expression,
  onZero: "null" | "error" = "error",
): Expression {
  const isNumber = ["+", "-", "*", "/", "%"].includes(operator);
  const result = isNumber ? resultType(operator, left.type, right.type) : type("boolean");
  return { kind: "binary", type: result, operator, left, right, onZero };
}

export function not(operand: Expression): Expression {
  return { kind: "unary", type: type("boolean"), operator: "not", operand };
}

export function minus(operand: Expression): Expression {
  return { kind: "unary", type: operand.type, operator: "-", operand };
}

export function fn(name: FunctionName, ...args: Expression[]): Expression {
  const first = args.find((arg) => arg.type.kind !== "null")?.type ?? type("null");
  const widest = args.find((arg) => arg.type.kind === "decimal" || arg.type.kind === "json")?.type ?? first;
  return { kind: "call", type: widest, function: name, arguments: args };
}

export function agg(name: AggregateName, of: Type, values: Value): { expression: Expression; value: Value } {
  const over = given({ kind: "collection", of, nullable: true }, values);
  return {
    expression: { kind: "aggregate", type: type("any"), function: name, over: over.expression },
    value: values,
  };
}

export type Case = Expression | { readonly expression: Expression; readonly value: Value };

export function evaluate(item: Case, scope: EvaluationScope = {}): Value {
  if ("expression" in item) {
    const inputs = new Map<string, Value>([["given", item.value]]);
    return compileExpression(item.expression)({ ...scope, inputs });
  }
  return compileExpression(item)(scope);
}

/** A value as tables show it: decimals by their digits, problems by their codes. */
export function result(item: Case, scope: EvaluationScope = {}): unknown {
  try {
    return show(evaluate(item, scope));
  } catch (error) {
    if (error instanceof EvaluationProblem) return `problem ${error.code}`;
    throw error;
  }
}

function show(value: Value): unknown {
  if (isDecimal(value)) return `${decimalText(value)}d`;
  if (Array.isArray(value)) return value.map(show);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value as ValueObject).map(([name, part]) => [name, show(part)]));
}
