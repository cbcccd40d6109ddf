// Types as the values that JSON or a query string can have for them: which is wider.

import type { DecimalType, EnumType, ValueType } from "@stoa/definition";

/** Where values stand: in answers, in bodies, or in paths and query strings. */
export type Direction = "output" | "input" | "text";

/** What the new type is, seen from the old one. */
export type Relation = "same" | "wider" | "narrower" | "different";

export interface TypePair {
  readonly before: ValueType;
  readonly after: ValueType;
  /** The values of enums by name, in either definition. */
  readonly valuesBefore: (name: string) => readonly string[];
  readonly valuesAfter: (name: string) => readonly string[];
}

interface Side {
  readonly type: ValueType;
  readonly values: (name: string) => readonly string[];
}

/** Apart from null. */
export function relateTypes(pair: TypePair, direction: Direction): Relation {
  const before: Side = { type: pair.before, values: pair.valuesBefore };
  const after: Side = { type: pair.after, values: pair.valuesAfter };
  const [isWider, isNarrower] = [includes(after, before, direction), includes(before, after, direction)];
  if (isWider) return isNarrower ? "same" : "wider";
  return isNarrower ? "narrower" : "different";
}

/** Every value of the second is one of the first. */
function includes(wide: Side, narrow: Side, direction: Direction): boolean {
  const [to, from] = [wide.type, narrow.type];
  if (to.kind === "enum" && from.kind === "enum") {
    const known = wide.values(to.enum);
    return narrow.values(from.enum).every((value) => known.includes(value));
  }
  if (to.kind === "decimal" && from.kind === "decimal") return includesDecimal(to, from, direction);
  if (to.kind === from.kind) return true;
  switch (to.kind) {
    case "json":
      return direction !== "text";
    case "string":
      return direction === "text" || isText(from, direction);
    case "float":
      return from.kind === "integer";
    case "decimal":
      return direction !== "output" && from.kind === "integer" && wholeDigits(to) >= INTEGER_DIGITS;
    default:
      return false;
  }
}

const INTEGER_DIGITS = 16;

/** Decimals are texts in answers; requests may have whole numbers too. */
function isText({ kind }: ValueType, direction: Direction): boolean {
  if (kind === "decimal") return direction === "output";
  return kind === "date" || kind === "datetime" || kind === "uuid" || kind === "enum";
}

/** In answers all digits after the point are there, so their number is part of the type. */
function includesDecimal(wide: DecimalType, narrow: DecimalType, direction: Direction): boolean {
  if (wide.precision === undefined) return true;
  if (narrow.precision === undefined || wholeDigits(wide) < wholeDigits(narrow)) return false;
  const [most, few] = [wide.scale ?? 0, narrow.scale ?? 0];
  return direction === "output" ? most === few : most >= few;
}

function wholeDigits({ precision, scale = 0 }: DecimalType): number {
  return precision === undefined ? Number.POSITIVE_INFINITY : precision - scale;
}

export interface EnumChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Undefined unless both are enums. */
export function enumChange({ before, after, ...values }: TypePair): EnumChange | undefined {
  if (before.kind !== "enum" || after.kind !== "enum") return undefined;
  const [old, now] = [values.valuesBefore((before as EnumType).enum), values.valuesAfter(after.enum)];
  return {
    added: now.filter((value) => !old.includes(value)),
    removed: old.filter((value) => !now.includes(value)),
  };
}
