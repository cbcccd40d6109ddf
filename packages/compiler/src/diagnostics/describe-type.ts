// Types in the user's vocabulary.

import type { Type } from "@stoa/definition";

/** "string", "integer or null", "record of Author", "collection of Book records". */
export function describeType(type: Type): string {
  return type.nullable && type.kind !== "null" ? `${describeBase(type)} or null` : describeBase(type);
}

/** With its article, for sentences: "a string", "an integer". */
export function aType(type: Type): string {
  if (type.kind === "null") return "null";
  const text = describeBase(type);
  return `${/^[aeiou]/i.test(text) && !text.startsWith("uuid") ? "an" : "a"} ${text}`;
}

function describeBase(type: Type): string {
  switch (type.kind) {
    case "decimal":
      return type.precision === undefined ? "decimal" : `decimal(${type.precision}, ${type.scale})`;
    case "enum":
      return `value of ${type.enum}`;
    case "record":
      return `record of ${type.model}`;
    case "collection":
      return `collection of ${pluralBase(type.of)}`;
    case "array":
      return type.of.kind === "null" ? "empty list" : `list of ${pluralBase(type.of)}`;
    case "struct":
      return "object";
    case "any":
      return "value of any type";
    case "json":
      return "json value";
    case "null":
    case "string":
    case "integer":
    case "float":
    case "boolean":
    case "date":
    case "datetime":
    case "uuid":
      return type.kind;
  }
}

function pluralBase(type: Type): string {
  if (type.kind === "record") return `${type.model} records`;
  if (type.kind === "enum") return `${type.enum} values`;
  return type.kind === "json" || type.kind === "any" ? "values" : `${describeBase(type)}s`;
}
