// A value of a body or of a query string, read in the type of its field. Nothing is converted: the text "5" is not
// the number 5. What comes out fits the column, so that the database has nothing to refuse.

import {
  compareDecimals,
  type Decimal,
  type DecimalType,
  EvaluationProblem,
  isDate,
  isStorable,
  parseDatetime,
  parseDecimal,
  roundDecimal,
  type Value,
  type ValueObject,
  type ValueType,
} from "@stoa/definition";
import { hasDigits, integerDigits, MAX_DIGITS } from "./exact-number.js";
import * as say from "./fault.js";
import { Fault } from "./fault.js";
import { textReader } from "./identifier.js";
import { JsonNumber, type JsonObject, type JsonTree, readJson } from "./json-text.js";

/** `isOdd` as in `JsonDocument`: where it is false, texts and numbers need no second look. Null is not asked. */
export type ReadTree = (tree: JsonTree, isOdd: boolean) => Value | Fault;
export type ReadInputText = (text: string) => Value | Fault;
export type EnumValues = (name: string) => readonly string[];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function treeReader(type: ValueType, enumValues: EnumValues): ReadTree {
  switch (type.kind) {
    case "string":
      return readString;
    case "integer":
      return readInteger;
    case "float":
      return readFloat;
    case "decimal":
      return (tree) => readDecimal(tree, type);
    case "boolean":
      return (tree) => (typeof tree === "boolean" ? tree : say.wrongType("boolean"));
    case "date":
      return (tree) => (typeof tree === "string" && isDate(tree) ? tree : say.wrongType("date"));
    case "datetime":
      return readDatetime;
    case "uuid":
      return (tree) =>
        typeof tree === "string" && UUID.test(tree) ? tree.toLowerCase() : say.wrongType("uuid");
    case "enum":
      return enumReader(enumValues(type.enum));
    case "json":
      return (tree, isOdd) => (isOdd ? plainJson(tree) : (tree as Value));
  }
}

function readString(tree: JsonTree, isOdd: boolean): Value | Fault {
  if (typeof tree !== "string") return say.wrongType("string");
  return isOdd && !isStorable(tree) ? say.invalidText() : tree;
}

/** The addition makes a plain zero of -0. */
function readInteger(tree: JsonTree): Value | Fault {
  if (typeof tree === "number") return Number.isInteger(tree) ? tree + 0 : say.wrongType("integer");
  if (!(tree instanceof JsonNumber)) return say.wrongType("integer");
  const digits = integerDigits(tree.text);
  if (digits === "fraction") return say.wrongType("integer");
  const value = Number(digits === "huge" ? Number.NaN : digits);
  return Number.isSafeInteger(value) ? value : say.integerRange();
}

function readFloat(tree: JsonTree): Value | Fault {
  if (typeof tree === "number") return tree + 0;
  if (!(tree instanceof JsonNumber)) return say.wrongType("float");
  const value = Number(tree.text);
  // A number so small that it would count as zero is as far out of range as one that is too large.
  const isLost = !Number.isFinite(value) || (value === 0 && hasDigits(tree.text));
  return isLost ? say.floatRange() : value + 0;
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

function readDecimal(tree: JsonTree, type: DecimalType): Value | Fault {
  const text = decimalDigits(tree);
  if (text === undefined) return say.wrongType("decimal");
  if (text === "huge" || text.replace(/[-.]/g, "").length > MAX_DIGITS) {
    return say.tooManyDigits(
      type.precision ?? MAX_DIGITS,
      type.precision === undefined ? undefined : type.scale,
    );
  }
  const value = parseDecimal(text);
  return value === undefined ? say.wrongType("decimal") : fitted(value, type);
}

/** A fraction that came as a number was a double on its way, and perhaps another one before. */
function decimalDigits(tree: JsonTree): string | "huge" | undefined {
  if (typeof tree === "string") return DECIMAL.test(tree) ? tree : undefined;
  if (typeof tree === "number") return Number.isInteger(tree) ? String(tree + 0) : undefined;
  if (!(tree instanceof JsonNumber)) return undefined;
  const digits = integerDigits(tree.text);
  return digits === "fraction" ? undefined : digits;
}

/** As the column will hold it: with all its digits after the point, as long as only zeros have to be added or cut. */
function fitted(value: Decimal, { precision, scale = 0 }: DecimalType): Value | Fault {
  if (precision === undefined) return value;
  const stored = roundDecimal(value, scale);
  const digits = String(stored.units).replace("-", "").length;
  const isKept = digits <= precision && compareDecimals(stored, value) === 0;
  return isKept ? stored : say.tooManyDigits(precision, scale);
}

function readDatetime(tree: JsonTree): Value | Fault {
  if (typeof tree !== "string") return say.wrongType("datetime");
  try {
    return parseDatetime(tree) ?? say.wrongType("datetime");
  } catch (error) {
    if (error instanceof EvaluationProblem) return say.datetimeRange();
    throw error;
  }
}

function enumReader(values: readonly string[]): ReadTree {
  const known = new Set(values);
  return (tree) => (typeof tree === "string" && known.has(tree) ? tree : say.notOfEnum(values));
}

/** JSON as the evaluator and the database can hold it. Fractions may be rounded, as everywhere; integers not. */
function plainJson(tree: JsonTree): Value | Fault {
  if (typeof tree === "string") return isStorable(tree) ? tree : say.invalidText();
  if (tree instanceof JsonNumber) return plainNumber(tree.text);
  if (typeof tree !== "object" || tree === null) return tree;
  return Array.isArray(tree) ? plainList(tree) : plainObject(tree as JsonObject);
}

function plainList(list: readonly JsonTree[]): Value | Fault {
  const items: Value[] = [];
  for (const item of list) {
    const value = plainJson(item);
    if (value instanceof Fault) return value;
    items.push(value);
  }
  return items;
}

function plainObject(object: JsonObject): Value | Fault {
  const entries: [string, Value][] = [];
  for (const [name, part] of Object.entries(object)) {
    const value = isStorable(name) ? plainJson(part) : say.invalidText();
    if (value instanceof Fault) return value;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries) as ValueObject;
}

function plainNumber(text: string): Value | Fault {
  const value = readFloat(new JsonNumber(text));
  if (value instanceof Fault || !/^-?\d+$/.test(text)) return value;
  const isExact = text.length <= 400 && BigInt(value as number) === BigInt(text);
  return isExact ? value : say.inexactNumber(text);
}

/** The same for a query string, where all is text. */
export function inputTextReader(type: ValueType, enumValues: EnumValues): ReadInputText {
  const read = treeReader(type, enumValues);
  if (type.kind === "json") return (text) => readJsonText(text, read);
  const accept = textReader(type, enumValues);
  return (text) => {
    const value = read(treeOfText(text, type), true);
    return value instanceof Fault || accept(text) !== undefined ? value : say.wrongType(type.kind);
  };
}

function readJsonText(text: string, read: ReadTree): Value | Fault {
  const document = readJson(text, "value");
  if (document.kind === "refusal") return say.wrongType("json");
  return document.duplicates.length > 0 ? say.duplicate() : read(document.value, document.isOdd);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function treeOfText(text: string, { kind }: ValueType): JsonTree {
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  if ((kind === "integer" || kind === "float") && NUMBER.test(text)) return new JsonNumber(text);
  return text;
}
