// Literals take the type of where they stand: "draft" is an enum value next to an enum, "2026-11-14" a date.

import type { Expression, LiteralExpression, Type } from "@stoa/definition";
import * as say from "../diagnostics/messages/expressions.js";
import { unknownEnumValue } from "../diagnostics/messages/names.js";
import { integerTooLarge } from "../diagnostics/messages/syntax.js";
import type { Expr } from "../syntax/tree.js";
import type { Check } from "./context.js";
import { commonType, withNull, withoutDigits } from "./types.js";

/** An expression with the syntax it came from. */
export interface Typed {
  readonly syntax: Expr;
  readonly value: Expression;
}

/** The literal in the wanted type where it can be one (reported if it is malformed); otherwise as it was. */
export function adaptLiteral(check: Check, { syntax, value }: Typed, wanted: Type): Expression {
  if (value.kind !== "literal") return adaptNegative(check, { syntax, value }, wanted);
  if (syntax.kind === "string") return adaptText(check, syntax, wanted) ?? value;
  if (syntax.kind === "integer" || syntax.kind === "float")
    return adaptNumber(check, syntax, wanted) ?? value;
  return value;
}

export function isLiteral(value: Expression): boolean {
  if (value.kind === "unary" && value.operator === "-") return isLiteral(value.operand);
  return value.kind === "literal";
}

/** Values that stand in a row: the literals in the type of the others, and of what the row stands beside. */
export function adaptToNeighbours(check: Check, row: readonly Typed[], beside?: Type): readonly Expression[] {
  const others = row.filter(({ value }) => !isLiteral(value)).map(({ value }) => value.type);
  const own = others.reduce<Type | undefined>((type, next) => type && commonType(type, next), others[0]);
  const wanted = (own && beside && commonType(own, beside)) ?? own ?? beside;
  if (!wanted) return row.map(({ value }) => value);
  return row.map((typed) => adaptLiteral(check, typed, withoutDigits(wanted)));
}

/** `-1.5` where a decimal is wanted. */
function adaptNegative(check: Check, { syntax, value }: Typed, wanted: Type): Expression {
  if (value.kind !== "unary" || value.operator !== "-" || syntax.kind !== "unary") return value;
  const operand = adaptLiteral(check, { syntax: syntax.operand, value: value.operand }, wanted);
  return operand === value.operand ? value : { ...value, type: operand.type, operand };
}

function literal(type: Type, value: string | number): LiteralExpression {
  return { kind: "literal", type: withNull(type, false), value };
}

function adaptNumber(
  check: Check,
  syntax: Extract<Expr, { kind: "integer" | "float" }>,
  wanted: Type,
): Expression | undefined {
  if (wanted.kind === "decimal") {
    if (!fitsDecimal(syntax.text, wanted)) check.report(say.invalidLiteral(syntax.span, syntax.text, wanted));
    return literal(wanted, syntax.text);
  }
  if (syntax.kind === "float") return undefined;
  const isInRange = wanted.kind === "float" ? Number.isFinite : Number.isSafeInteger;
  if (wanted.kind !== "float" && (wanted.kind !== "integer" || isInRange(syntax.value))) return undefined;
  return literal(wanted, isInRange(syntax.value) ? syntax.value : (wholeNumber(check, syntax) ?? 0));
}

/** A number that is written out; undefined after a report when it is too large. */
export function wholeNumber(check: Check, syntax: Extract<Expr, { kind: "integer" }>): number | undefined {
  if (Number.isSafeInteger(syntax.value)) return syntax.value;
  check.report(integerTooLarge(syntax.span, check.textOf(syntax.span)));
  return undefined;
}

function adaptText(
  check: Check,
  { value, span }: Extract<Expr, { kind: "string" }>,
  wanted: Type,
): Expression | undefined {
  switch (wanted.kind) {
    case "enum": {
      const declared = check.program.enums.get(wanted.enum);
      if (declared && !declared.values.has(value) && !declared.node.damaged) {
        check.report(unknownEnumValue(span, value, wanted.enum, [...declared.values]));
      }
      return literal(wanted, value);
    }
    case "date":
    case "datetime":
    case "uuid":
    case "decimal":
      if (!isWellFormed(value, wanted)) check.report(say.invalidLiteral(span, `"${value}"`, wanted));
      return literal(wanted, wanted.kind === "uuid" ? value.toLowerCase() : value);
    default:
      return undefined;
  }
}

function isWellFormed(text: string, type: Type): boolean {
  switch (type.kind) {
    case "date":
      return isDate(text);
    case "datetime":
      return isDateTime(text);
    case "uuid":
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
    case "decimal":
      return /^-?\d+(\.\d+)?$/.test(text) && fitsDecimal(text, type);
    default:
      return true;
  }
}

function fitsDecimal(text: string, type: Extract<Type, { kind: "decimal" }>): boolean {
  if (type.precision === undefined || type.scale === undefined) return true;
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const digits = whole.replace(/^0+/, "").length;
  return digits <= type.precision - type.scale && fraction.replace(/0+$/, "").length <= type.scale;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return year >= 1 && day >= 1 && day <= days;
}

export function isDateTime(text: string): boolean {
  const match = /^(.{10})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-](\d{2}):(\d{2}))$/.exec(text);
  if (!match) return false;
  const [hour, minute, second] = [match[2], match[3], match[4]].map(Number) as [number, number, number];
  const [offsetHour, offsetMinute] = [match[7] ?? "0", match[8] ?? "0"].map(Number) as [number, number];
  const isTime = hour <= 23 && minute <= 59 && second <= 59;
  return isDate(match[1] ?? "") && isTime && offsetHour <= 23 && offsetMinute <= 59;
}
