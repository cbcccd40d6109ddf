// Types of values as TypeScript: as code gets them, which is the JSON that clients get as well, and as code may
// give them back.

import type { Definition, Model, Select, SelectItem, Type, ValueType } from "@stoa/definition";

/** The type of a value in JSON. Records are what is stored of them, under a name of their own. */
export function jsonType(definition: Definition, type: Type): string {
  const text = plainType(definition, type);
  return type.nullable && type.kind !== "null" && type.kind !== "any" ? `${text} | null` : text;
}

function plainType(definition: Definition, type: Type): string {
  switch (type.kind) {
    case "string":
    case "decimal":
    case "date":
    case "datetime":
    case "uuid":
      return "string";
    case "integer":
    case "float":
      return "number";
    case "boolean":
      return "boolean";
    case "json":
      return "Json";
    case "enum":
      return enumType(definition, type.enum);
    case "record":
      return recordName(type.model);
    case "struct":
      return objectType(type.fields.map(({ name, type: of }) => [name, jsonType(definition, of)]));
    case "array":
    case "collection":
      return arrayType(jsonType(definition, type.of));
    case "null":
      return "null";
    case "any":
      return "unknown";
  }
}

/** What code may give for a member; JSON or what is read as such. */
export function resultType(definition: Definition, type: ValueType): string {
  const text = givenType(definition, type);
  return type.nullable ? `${text} | null | undefined` : text;
}

function givenType(definition: Definition, type: ValueType): string {
  switch (type.kind) {
    case "decimal":
      return "string | number";
    case "datetime":
      return "string | Date";
    case "json":
      return "unknown";
    default:
      return plainType(definition, type);
  }
}

function enumType({ enums }: Definition, name: string): string {
  const values = enums.find((each) => each.name === name)?.values ?? [];
  return values.map((value) => JSON.stringify(value.name)).join(" | ") || "never";
}

export function recordName(model: string): string {
  return `${model}Record`;
}

/** What is stored of a record, without its secrets. */
export function recordProperties(definition: Definition, { members }: Model): Property[] {
  return members.flatMap((member): Property[] => {
    if (member.kind !== "id" && member.kind !== "field" && member.kind !== "key") return [];
    if (member.kind === "field" && member.secret) return [];
    return [[member.name, jsonType(definition, member.type)]];
  });
}

/** The object that a select makes of a record. */
export function selectType(definition: Definition, { items }: Select): string {
  return objectType(items.map((item) => [item.name, itemType(definition, item)]));
}

function itemType(definition: Definition, item: SelectItem): string {
  switch (item.kind) {
    case "value":
      return jsonType(definition, item.value.type);
    case "nested": {
      const object = selectType(definition, item.select);
      const text = item.many ? arrayType(object) : object;
      return item.nullable ? `${text} | null` : text;
    }
    case "hook":
      return "unknown";
  }
}

export function arrayType(element: string): string {
  return `readonly ${/\||^readonly /.test(element) ? `(${element})` : element}[]`;
}

export type Property = readonly [name: string, type: string];

const PLAIN_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

export function propertyName(name: string): string {
  return PLAIN_NAME.test(name) ? name : JSON.stringify(name);
}

function writeProperty([name, type]: Property): string {
  return `readonly ${propertyName(name)}: ${type}`;
}

function objectType(properties: readonly Property[]): string {
  return properties.length === 0 ? "{}" : `{ ${properties.map(writeProperty).join("; ")} }`;
}

export function writeInterface(name: string, properties: readonly Property[]): string {
  if (properties.length === 0) return `export interface ${name} {}`;
  return `export interface ${name} {\n${properties.map((each) => `  ${writeProperty(each)};\n`).join("")}}`;
}
