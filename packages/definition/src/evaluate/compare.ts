// Equality and order of two values that are not null, by their types.

import { isValueType, type Type } from "../types.js";
import { compareDecimals, type Decimal, decimalOfInteger } from "./decimal.js";
import { equalJson, jsonOf, valueFromJson } from "./json.js";
import { typeMismatch } from "./problem.js";
import { compareTexts } from "./text.js";
import { isDecimal, isObject, propertyOf, type Value, type ValueObject } from "./value.js";

export type Equality = (left: Value, right: Value) => boolean;
export type Ordering = (left: Value, right: Value) => number;

export function equalityOf(left: Type, right: Type): Equality {
  const kinds = [left.kind, right.kind];
  if (kinds.includes("any")) return anyEquality(left, right);
  if (kinds.includes("json")) return (a, b) => equalJson(jsonOf(a, left), jsonOf(b, right));
  if (kinds.includes("decimal")) return (a, b) => compareDecimals(asDecimal(a), asDecimal(b)) === 0;
  if (kinds.includes("record")) return sameRecord;
  return (a, b) => a === b;
}

/** Records are the same if they have the same id; the checker sees to it that they are of one model. */
function sameRecord(left: Value, right: Value): boolean {
  return propertyOf(left as ValueObject, "id") === propertyOf(right as ValueObject, "id");
}

/** The result of a hook is read in the type of what it is compared with. */
function anyEquality(left: Type, right: Type): Equality {
  return (a, b) => {
    if (isValueType(right)) return equalsRead(right, b, a);
    if (isValueType(left)) return equalsRead(left, a, b);
    if (left.kind === "record" && right.kind === "record") return sameRecord(a, b);
    return equalJson(jsonOf(a, left), jsonOf(b, right));
  };
}

function equalsRead(type: Parameters<typeof valueFromJson>[0], typed: Value, raw: Value): boolean {
  const value = valueFromJson(type, raw);
  return value !== undefined && value !== null && equalityOf(type, type)(typed, value);
}

export function orderingOf(left: Type, right: Type): Ordering {
  const kinds = [left.kind, right.kind];
  if (kinds.includes("any")) return compareAny;
  if (kinds.includes("decimal")) return (a, b) => compareDecimals(asDecimal(a), asDecimal(b));
  if (kinds.includes("string") || kinds.includes("enum")) {
    return (a, b) => compareTexts(a as string, b as string);
  }
  return comparePlain;
}

/** Numbers; dates and datetimes, whose texts are plain letters. */
function comparePlain(left: Value, right: Value): number {
  const [a, b] = [left as number, right as number];
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareAny(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") return compareTexts(left, right);
  if (typeof left === "number" && typeof right === "number") return comparePlain(left, right);
  if (isDecimal(left) || isDecimal(right)) return compareDecimals(asDecimal(left), asDecimal(right));
  throw typeMismatch("<", `${nameOf(left)} and ${nameOf(right)}`);
}

/** A decimal, of an integer where one stands in its place. */
export function asDecimal(value: Value): Decimal {
  if (isDecimal(value)) return value;
  if (Number.isSafeInteger(value)) return decimalOfInteger(value as number);
  throw typeMismatch("decimal", nameOf(value));
}

/** What a value is, for messages. */
export function nameOf(value: Value): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (isDecimal(value)) return "a decimal";
  if (isObject(value)) return "an object";
  return `a ${typeof value}`;
}
