// Values that stand in a path or query string, read by their type. What cannot be of the type identifies
// nothing, and never reaches the database.

import {
  type Definition,
  enumValuesOf,
  isDate,
  isStorable,
  type Parameter,
  parseDatetime,
  parseDecimal,
  type ValueType,
} from "@stoa/definition";

/** The value as a parameter of a statement; undefined when it is none of the type. */
export type ReadText = (text: string) => string | undefined;

const INTEGER = /^(?:0|-?[1-9]\d{0,15})$/;
const FLOAT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** PostgreSQL takes more digits; nobody writes them into a path. */
const LONGEST_DECIMAL = 1000;

export function textReader(type: ValueType, enumValues: (name: string) => readonly string[]): ReadText {
  switch (type.kind) {
    case "string":
      return (text) => (isStorable(text) ? text : undefined);
    case "integer":
      return (text) => (INTEGER.test(text) && Number.isSafeInteger(Number(text)) ? text : undefined);
    case "float":
      return (text) => (FLOAT.test(text) && isFloat(Number(text), text) ? text : undefined);
    case "decimal":
      return (text) => (text.length <= LONGEST_DECIMAL && parseDecimal(text) ? text : undefined);
    case "boolean":
      return (text) => (text === "true" || text === "false" ? text : undefined);
    case "date":
      return (text) => (isDate(text) ? text : undefined);
    case "datetime":
      return readDatetime;
    case "uuid":
      return (text) => (UUID.test(text) ? text : undefined);
    case "enum": {
      const values = new Set(enumValues(type.enum));
      return (text) => (values.has(text) ? text : undefined);
    }
    case "json":
      return () => undefined;
  }
}

/** Finite, and not a number so small that it would count as zero: PostgreSQL refuses those. */
function isFloat(value: number, text: string): boolean {
  if (!Number.isFinite(value)) return false;
  return value !== 0 || !/[1-9]/.test(text.split(/e/i)[0] ?? "");
}

function readDatetime(text: string): string | undefined {
  try {
    return parseDatetime(text);
  } catch {
    // A moment outside the years that datetimes have.
    return undefined;
  }
}

/** The values of a path, in the order of its parameters; undefined when one of them cannot be. */
export type ReadIdentifiers = (texts: readonly string[]) => string[] | undefined;

export function identifierReader(definition: Definition, parameters: readonly Parameter[]): ReadIdentifiers {
  const enumValues = enumValuesOf(definition);
  const readers = parameters.map(({ type }) => textReader(type, enumValues));
  return (texts) => {
    const values: string[] = [];
    for (let index = 0; index < readers.length; index++) {
      const value = readers[index]?.(texts[index] ?? "");
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  };
}
