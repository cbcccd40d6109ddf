// JSON Schema of values: what the server takes, and what it gives.

import type { DecimalType, Definition, ValueType } from "@stoa/definition";
import { enumNames } from "../outline/enum-names.js";

/** A part of the document. Keys that are undefined are left out. */
export interface Json {
  readonly [key: string]: JsonPart;
}
export type JsonPart = string | number | boolean | null | undefined | Json | readonly JsonPart[];

export const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

/** Where a value stands: texts of a path or query are read more strictly than JSON. */
export type Direction = "input" | "output" | "text";

export function valueSchema(definition: Definition, type: ValueType, direction: Direction): Json {
  const schema = plainSchema(definition, type, direction);
  return type.nullable ? orNull(schema) : schema;
}

export function orNull(schema: Json): Json {
  if (typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
  if (Array.isArray(schema.type)) return { ...schema, type: [...schema.type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

function plainSchema(definition: Definition, type: ValueType, direction: Direction): Json {
  switch (type.kind) {
    case "string":
      return { type: "string" };
    case "integer":
      return { type: "integer", format: "int64", minimum: -MAX_INTEGER, maximum: MAX_INTEGER };
    case "float":
      return { type: "number", format: "double" };
    case "decimal":
      return decimalSchema(type, direction);
    case "boolean":
      return { type: "boolean" };
    case "date":
      return { type: "string", format: "date" };
    case "datetime":
      return { type: "string", format: "date-time" };
    case "uuid":
      return { type: "string", format: "uuid" };
    case "enum":
      return { $ref: `#/components/schemas/${enumNames(definition).get(type.enum)}` };
    case "json":
      return direction === "text"
        ? { type: "string", contentMediaType: "application/json" }
        : { type: JSON_TYPES };
  }
}

/** All but null. */
const JSON_TYPES = ["string", "number", "boolean", "object", "array"];

/** Answers have texts. Requests may have integers as well; a fraction would have been rounded on its way. */
function decimalSchema({ precision, scale = 0 }: DecimalType, direction: Direction): Json {
  const pattern =
    precision === undefined ? "^-?\\d+(\\.\\d+)?$" : digitsPattern(precision - scale, scale, direction);
  if (direction !== "input") return { type: "string", format: "decimal", pattern };
  const digits = precision === undefined ? Number.POSITIVE_INFINITY : precision - scale;
  // More digits than a number of JSON can be sure to keep.
  if (digits > 15) return { type: ["string", "integer"], format: "decimal", pattern };
  const most = 10 ** digits - 1;
  return { type: ["string", "integer"], format: "decimal", pattern, minimum: -most, maximum: most };
}

/** Zeros that change nothing may be there in requests, and digits after the point are all there in answers. */
function digitsPattern(whole: number, fraction: number, direction: Direction): string {
  if (direction === "output") {
    const before = whole > 0 ? `\\d{1,${whole}}` : "0";
    return fraction === 0 ? `^-?${before}$` : `^-?${before}\\.\\d{${fraction}}$`;
  }
  const before = whole > 0 ? `0*\\d{1,${whole}}` : "0+";
  const after = fraction === 0 ? "(\\.0+)?" : `(\\.\\d{1,${fraction}}0*)?`;
  return `^-?${before}${after}$`;
}
