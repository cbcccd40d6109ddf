// Values and JSON: how a value looks outside, and how one from outside is read.

import type { Type, ValueType } from "../types.js";
import { decimalOfInteger, decimalText, parseDecimal } from "./decimal.js";
import { datetimeJson, datetimeOfMilliseconds, isDate, parseDatetime } from "./moment.js";
import { numberText } from "./number.js";
import { compareTexts } from "./text.js";
import { isDecimal, isObject, propertyOf, type Value, type ValueObject } from "./value.js";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Decimals become texts, datetimes lose their microseconds; structs and lists go part by part. */
export function jsonOf(value: Value, type: Type): Json {
  if (value === null) return null;
  switch (type.kind) {
    case "datetime":
      return datetimeJson(value as string);
    case "struct": {
      const object = value as ValueObject;
      return Object.fromEntries(
        type.fields.map((field) => [field.name, jsonOf(propertyOf(object, field.name), field.type)]),
      );
    }
    case "array":
    case "collection":
      return (value as readonly Value[]).map((item) => jsonOf(item, type.of));
    case "decimal":
    case "record":
    case "any":
      return jsonOfUntyped(value);
    case "string":
    case "integer":
    case "float":
    case "boolean":
    case "date":
    case "uuid":
    case "json":
    case "enum":
    case "null":
      return value as Json;
  }
}

/** Records and results of hooks: what is at hand, as it is. */
function jsonOfUntyped(value: Value): Json {
  if (isDecimal(value)) return decimalText(value);
  if (Array.isArray(value)) return value.map(jsonOfUntyped);
  if (!isObject(value)) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, jsonOfUntyped(part)]));
}

/**
 * The JSON text of a value, as PostgreSQL's jsonb prints it: a space after `:` and `,`, shorter keys first, then
 * by bytes, numbers without exponent. It is the one form that both engines can write.
 */
export function jsonText(json: Json): string {
  if (typeof json === "number") return numberText(json);
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(jsonText).join(", ")}]`;
  const entries = Object.entries(json).sort(([a], [b]) => compareKeys(a, b));
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}: ${jsonText(value)}`).join(", ")}}`;
}

function compareKeys(left: string, right: string): number {
  return byteLength(left) - byteLength(right) || compareTexts(left, right);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** By content: the order of keys does not count. */
export function equalJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => equalJson(item, right[index]));
  }
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  const [a, b] = [left as ValueObject, right as ValueObject];
  return names.every((name) => Object.hasOwn(b, name) && equalJson(a[name] as Json, b[name] as Json));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A value that came as JSON (or from a hook) in a type; undefined when it does not fit. Enums are not looked up. */
export function valueFromJson(type: ValueType, json: unknown): Value | undefined {
  if (json === null) return null;
  switch (type.kind) {
    case "string":
    case "enum":
      return typeof json === "string" && isStorable(json) ? json : undefined;
    case "integer":
      return Number.isSafeInteger(json) ? (json as number) : undefined;
    case "float":
      return Number.isFinite(json) ? (json as number) : undefined;
    case "boolean":
      return typeof json === "boolean" ? json : undefined;
    case "decimal":
      return decimalFromJson(json);
    case "date":
      return typeof json === "string" && isDate(json) ? json : undefined;
    case "datetime":
      return datetimeFromJson(json);
    case "uuid":
      return typeof json === "string" && UUID.test(json) ? json.toLowerCase() : undefined;
    case "json":
      return plainJson(json);
  }
}

/**
 * PostgreSQL's decimals end at 131072 digits before the point and 16383 after it, and fail beyond: with inputs far
 * below, no product that a program can write gets there.
 */
const MOST_DECIMAL_LENGTH = 1000;

function decimalFromJson(json: unknown): Value | undefined {
  if (isDecimal(json as Value)) return json as Value;
  if (typeof json === "string") return json.length > MOST_DECIMAL_LENGTH ? undefined : parseDecimal(json);
  return Number.isSafeInteger(json) ? parseDecimal(String(json)) : undefined;
}

/** Code may hand over a Date as well. */
function datetimeFromJson(json: unknown): string | undefined {
  if (typeof json === "string") return parseDatetime(json);
  const isMoment = json instanceof Date && !Number.isNaN(json.getTime());
  return isMoment ? datetimeOfMilliseconds(json.getTime()) : undefined;
}

const UNSTORABLE = /\0|\p{Surrogate}/u;

/** PostgreSQL stores neither U+0000 nor halves of surrogate pairs. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** What JSON.stringify would keep of it; undefined when it cannot be JSON. */
function plainJson(value: unknown): Value | undefined {
  if (typeof value === "string") return isStorable(value) ? value : undefined;
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (Array.isArray(value)) {
    const items = value.map(plainJson);
    return items.includes(undefined) ? undefined : (items as Value[]);
  }
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  const parts = entries.map(
    ([name, part]) => [name, isStorable(name) ? plainJson(part) : undefined] as const,
  );
  return parts.some(([, part]) => part === undefined)
    ? undefined
    : (Object.fromEntries(parts) as ValueObject);
}

/** How a value of one type becomes one of a wider type; undefined when it is one already. */
export function conversionOf(from: Type, to: Type): ((value: Value) => Value) | undefined {
  if (from.kind === to.kind) return undefined;
  if (to.kind === "json") return (value) => jsonOf(value, from);
  if (to.kind !== "decimal") return undefined;
  return (value) => (Number.isSafeInteger(value) ? decimalOfInteger(value as number) : value);
}
