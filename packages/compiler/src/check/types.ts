// Small questions about types.

import { isValueType, type Type } from "@stoa/definition";

export const STRING: Type = { kind: "string", nullable: false };
export const INTEGER: Type = { kind: "integer", nullable: false };
export const FLOAT: Type = { kind: "float", nullable: false };
export const DECIMAL: Type = { kind: "decimal", nullable: false };
export const BOOLEAN: Type = { kind: "boolean", nullable: false };
export const NULL: Type = { kind: "null", nullable: true };
export const ANY: Type = { kind: "any", nullable: false };

/** The same type, nullable or not. */
export function withNull(type: Type, nullable: boolean): Type {
  if (type.kind === "null" || type.nullable === nullable) return type;
  return { ...type, nullable };
}

/** The same type, nullable if `nullable` says so as well. */
export function orNull(type: Type, nullable: boolean): Type {
  return nullable ? withNull(type, true) : type;
}

export function isNumeric(type: Type): boolean {
  return type.kind === "integer" || type.kind === "float" || type.kind === "decimal";
}

/** Enum values are texts wherever a text is wanted. */
export function isText(type: Type): boolean {
  return type.kind === "string" || type.kind === "enum";
}

export function isRecord(type: Type): type is Extract<Type, { kind: "record" }> {
  return type.kind === "record";
}

/** Types with an order that `<`, `order by`, `min` and `max` can use. */
export function isOrdered(type: Type): boolean {
  return isNumeric(type) || type.kind === "string" || type.kind === "date" || type.kind === "datetime";
}

/** The same type without a limit of digits: only a column has one, not what is calculated or compared. */
export function withoutDigits(type: Type): Type {
  return type.kind === "decimal" ? { kind: "decimal", nullable: type.nullable } : type;
}

/** The type that holds the values of both, or undefined when there is none. */
export function commonType(left: Type, right: Type): Type | undefined {
  const nullable = left.nullable || right.nullable;
  const base = commonBase(left, right);
  return base && orNull(base, nullable);
}

function commonBase(left: Type, right: Type): Type | undefined {
  if (left.kind === "any" || right.kind === "any") return ANY;
  if (left.kind === "null") return right;
  if (right.kind === "null") return left;
  if (isNumeric(left) && isNumeric(right)) return commonNumber(left, right);
  if (left.kind === "enum" && right.kind === "enum" && left.enum === right.enum) return left;
  if (isText(left) && isText(right)) return STRING;
  if (left.kind === "record" && right.kind === "record") return left.model === right.model ? left : undefined;
  if (left.kind === "json" || right.kind === "json") {
    const other = left.kind === "json" ? right : left;
    return isValueType(other) || other.kind === "struct" ? { kind: "json", nullable: false } : undefined;
  }
  return left.kind === right.kind && isValueType(left) ? left : undefined;
}

/** Exact and approximate numbers do not mix: undefined for decimal with float. */
function commonNumber(left: Type, right: Type): Type | undefined {
  const kinds = new Set([left.kind, right.kind]);
  if (kinds.has("float")) return kinds.has("decimal") ? undefined : FLOAT;
  return kinds.has("decimal") ? DECIMAL : INTEGER;
}
