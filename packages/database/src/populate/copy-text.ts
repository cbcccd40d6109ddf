// The text format of COPY: a line per row, tabs between values, `\N` for null. An empty text is a value of its
// own, and nothing in a value can end the line or the data.

import { type ColumnType, type Decimal, decimalText, parseDecimal, type Value } from "@stoa/definition";

export type EncodeValue = (value: Value) => string;

const NULL = "\\N";

export function encoderOf(type: ColumnType): EncodeValue {
  const encode = encoderOfPresent(type);
  return (value) => (value === null ? NULL : encode(value));
}

function encoderOfPresent({ kind }: ColumnType): EncodeValue {
  switch (kind) {
    case "text":
      return (value) => escapeText(value as string);
    case "jsonb":
      return (value) => escapeText(JSON.stringify(value));
    case "boolean":
      return (value) => (value === true ? "t" : "f");
    case "numeric":
      return (value) => decimalText(value as Decimal);
    case "bigint":
    case "double precision":
    case "date":
    case "timestamptz":
    case "uuid":
      return (value) => String(value);
  }
}

const SPECIAL = /[\\\t\n\r]/;
const ALL_SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Most texts have nothing to escape, and looking is cheaper than replacing. */
export function escapeText(text: string): string {
  return SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (char) => ESCAPES[char] ?? char) : text;
}

const UNESCAPES: Readonly<Record<string, string>> = { "\\": "\\", t: "\t", n: "\n", r: "\r" };

/** The value of what an encoder has written; for messages about a row that was refused. */
export function decodeValue({ kind }: ColumnType, text: string): Value {
  if (text === NULL) return null;
  switch (kind) {
    case "text":
      return unescapeText(text);
    case "jsonb":
      return JSON.parse(unescapeText(text)) as Value;
    case "boolean":
      return text === "t";
    case "numeric":
      return parseDecimal(text) ?? null;
    case "bigint":
    case "double precision":
      return Number(text);
    case "date":
    case "timestamptz":
    case "uuid":
      return text;
  }
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => UNESCAPES[char] ?? char);
}
