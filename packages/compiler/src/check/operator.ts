// Operators: which types they join, and what comes out.

import type { BinaryOperator, Expression, Type } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/expressions.js";
import type { Check } from "./context.js";
import { adaptLiteral, type Typed } from "./literal.js";
import {
  ANY,
  BOOLEAN,
  commonType,
  FLOAT,
  isNumeric,
  isOrdered,
  isText,
  orNull,
  STRING,
  withoutDigits,
} from "./types.js";

export interface Operands {
  readonly operator: BinaryOperator;
  readonly span: Span;
  readonly left: Typed;
  readonly right: Typed;
}

const BROKEN: Expression = { kind: "literal", type: ANY, value: null };

export function inferNegative(check: Check, operand: Typed): Expression {
  const { type } = operand.value;
  if (isNumeric(type) || type.kind === "any") {
    return { kind: "unary", type, operator: "-", operand: operand.value };
  }
  check.report(say.operandType(operand.syntax.span, "-", type, "a number"));
  return BROKEN;
}

/** Each side in the type of the other, where it is a literal that can be. */
function adapt(check: Check, { left, right }: Operands): { left: Expression; right: Expression } {
  return {
    left: adaptLiteral(check, left, withoutDigits(right.value.type)),
    right: adaptLiteral(check, right, withoutDigits(left.value.type)),
  };
}

function valuesOf({ left, right }: Operands): { left: Expression; right: Expression } {
  return { left: left.value, right: right.value };
}

function hasKind({ left, right }: Operands, kind: Type["kind"]): boolean {
  return left.value.type.kind === kind || right.value.type.kind === kind;
}

/** Arithmetic knows no texts but texts: only numbers take the type of the other side. */
function adaptNumbers(check: Check, operands: Operands): { left: Expression; right: Expression } {
  const hasText = operands.left.syntax.kind === "string" || operands.right.syntax.kind === "string";
  return hasText ? valuesOf(operands) : adapt(check, operands);
}

export function inferComparison(check: Check, operands: Operands): Expression {
  const { operator, span } = operands;
  const isEquality = operator === "is" || operator === "is not";
  if (!reportCollection(check, operands)) return BROKEN;
  const { left, right } =
    isEquality || !hasKind(operands, "enum") ? adapt(check, operands) : valuesOf(operands);
  const common = commonType(left.type, right.type);
  const isOrderable = common && isOrdered(common) && !hasKind(operands, "null") && !hasKind(operands, "enum");
  const fits = common && (isEquality || isOrderable || common.kind === "any");
  if (!fits) {
    const hint = comparisonHint(operator, left.type, right.type);
    const details = { operator, left: left.type, right: right.type, ...(hint ? { hint } : {}) };
    check.report(say.notComparable(span, details));
    return BROKEN;
  }
  const nullable = !isEquality && (left.type.nullable || right.type.nullable);
  return { kind: "binary", type: orNull(BOOLEAN, nullable), operator, left, right };
}

/** A collection has no single value to compare; false after a report. */
function reportCollection(check: Check, { operator, left, right }: Operands): boolean {
  const many = [left, right].find((side) => side.value.type.kind === "collection");
  if (!many) return true;
  check.report(say.collectionValue(many.syntax.span, `\`${operator}\``, many.value.type));
  return false;
}

function comparisonHint(operator: string, left: Type, right: Type): string | undefined {
  const kinds = [left.kind, right.kind];
  if (kinds.includes("record") && !kinds.every((kind) => kind === "record")) {
    return "a record compares with records; to compare its id, write `….id`";
  }
  if (kinds.includes("decimal") && kinds.includes("float"))
    return "a float is not exact: compare it with floats";
  if (left.kind === "null" || right.kind === "null")
    return "to ask whether a value is there, write `is null` or `is not null`";
  if (
    operator !== "is" &&
    operator !== "is not" &&
    [left.kind, right.kind].some((kind) => ["enum", "boolean", "uuid", "json"].includes(kind))
  ) {
    return "only numbers, strings, dates and datetimes have an order";
  }
  return undefined;
}

export function inferMembership(check: Check, operands: Operands): Expression {
  const { operator, span, left, right } = operands;
  const many = right.value.type;
  if (many.kind === "any" || left.value.type.kind === "any") {
    return { kind: "binary", type: BOOLEAN, operator, left: left.value, right: right.value };
  }
  if (many.kind !== "array" && many.kind !== "collection") {
    check.report(say.inNeedsMany(right.syntax.span, many));
    return BROKEN;
  }
  if (left.value.type.kind === "collection") {
    check.report(say.collectionValue(left.syntax.span, `\`${operator}\``, left.value.type));
    return BROKEN;
  }
  const needle = adaptLiteral(check, left, withoutDigits(many.of));
  const list = adaptItems(check, right, withoutDigits(left.value.type));
  const of = list.type.kind === "array" || list.type.kind === "collection" ? list.type.of : many.of;
  if (!commonType(needle.type, of)) {
    check.report(say.notComparable(span, { operator, left: needle.type, right: of }));
    return BROKEN;
  }
  const nullable = needle.type.nullable || list.type.nullable;
  return { kind: "binary", type: orNull(BOOLEAN, nullable), operator, left: needle, right: list };
}

/** Literals of a list in the type of what is looked for. */
function adaptItems(check: Check, { syntax, value }: Typed, wanted: Type): Expression {
  if (value.kind !== "array" || syntax.kind !== "array") return value;
  const items = value.items.map((item, index) => {
    const itemSyntax = syntax.items[index];
    return itemSyntax ? adaptLiteral(check, { syntax: itemSyntax, value: item }, wanted) : item;
  });
  const of = items.map((item) => item.type).reduce((a, b) => commonType(a, b) ?? a, items[0]?.type ?? ANY);
  return { ...value, type: { kind: "array", of, nullable: false }, items };
}

export function inferArithmetic(check: Check, operands: Operands, onZero: "null" | "error"): Expression {
  const { operator } = operands;
  if (!reportCollection(check, operands)) return BROKEN;
  const { left, right } = adaptNumbers(check, operands);
  const result = arithmeticType(operator, left.type, right.type);
  if (!result) {
    check.report(say.operandTypes(operands.span, { operator, ...mixDetails(check, operands) }));
    return BROKEN;
  }
  const nullable = left.type.nullable || right.type.nullable;
  if (operator !== "/" && operator !== "%") {
    return { kind: "binary", type: orNull(result, nullable), operator, left, right };
  }
  const mayBeNull = nullable || (onZero === "null" && !isNonZeroLiteral(right));
  return { kind: "binary", type: orNull(result, mayBeNull), operator, left, right, onZero };
}

function isNonZeroLiteral(expression: Expression): boolean {
  if (expression.kind === "unary" && expression.operator === "-") return isNonZeroLiteral(expression.operand);
  return expression.kind === "literal" && Number(expression.value) !== 0;
}

function arithmeticType(operator: BinaryOperator, left: Type, right: Type): Type | undefined {
  if (left.kind === "any" || right.kind === "any") return ANY;
  if (operator === "+" && isText(left) && isText(right)) return STRING;
  if (operator === "%") return left.kind === "integer" && right.kind === "integer" ? left : undefined;
  if (!isNumeric(left) || !isNumeric(right)) return undefined;
  const common = commonType(left, right);
  return operator === "/" && common?.kind === "integer" ? FLOAT : common;
}

/** For a text joined with something else, the fix that makes a text of it. */
function mixDetails(check: Check, { operator, left, right }: Operands) {
  const types = { left: left.value.type, right: right.value.type };
  const other = isText(types.left) ? right : isText(types.right) ? left : undefined;
  if (operator === "+" && other && (isNumeric(other.value.type) || other.value.type.kind === "boolean")) {
    const { span } = other.syntax;
    const text = `stringify(${check.textOf(span)})`;
    return {
      ...types,
      hint: `to make a text of it, write \`${text}\``,
      fix: { title: `Replace by \`${text}\``, span, text },
    };
  }
  if (operator === "%") return { ...types, hint: "`%` is for integers" };
  const kinds = [types.left.kind, types.right.kind];
  if (kinds.includes("decimal") && kinds.includes("float")) {
    return { ...types, hint: "a decimal is exact and a float is not: use one of them" };
  }
  return types;
}
