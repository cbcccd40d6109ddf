// Values as text, in both directions. What JavaScript can hold exactly becomes its own type; all the rest
// (int8, numeric, dates, times, uuid …) stays the text that PostgreSQL prints, so that nothing is lost.

import type { Parameter } from "./database.js";

export type Decode = (text: string) => unknown;

export function encodeParameters(parameters: readonly Parameter[]): (string | null)[] {
  return parameters.map(encodeParameter);
}

function encodeParameter(value: Parameter, index: number): string | null {
  if (value === null) return null;
  if (Array.isArray(value)) return `{${value.map(encodeItem).join(",")}}`;
  if (value === undefined) throw new TypeError(`Parameter ${index + 1} is undefined; null is meant perhaps.`);
  return String(value);
}

function encodeItem(item: string | number | boolean | null): string {
  return item === null ? "NULL" : `"${String(item).replace(/[\\"]/g, "\\$&")}"`;
}

const decodeBoolean: Decode = (text) => text === "t";
const decodeBytes: Decode = (text) => new Uint8Array(Buffer.from(text.slice(2), "hex"));
const decodeText: Decode = (text) => text;

// PostgreSQL's own numbers for its types; those of built-in types never change.
const DECODERS: ReadonlyMap<number, Decode> = new Map([
  [16, decodeBoolean], // bool
  [17, decodeBytes], // bytea
  [21, Number], // int2
  [23, Number], // int4
  [26, Number], // oid
  [700, Number], // float4
  [701, Number], // float8
  [114, JSON.parse], // json
  [3802, JSON.parse], // jsonb
  [1000, decodeArray(decodeBoolean)],
  [1005, decodeArray(Number)],
  [1007, decodeArray(Number)],
  [1028, decodeArray(Number)],
  [1021, decodeArray(Number)],
  [1022, decodeArray(Number)],
  // char, name, int8, text, bpchar, varchar, date, timestamp, timestamptz, time, numeric, uuid
  ...[1002, 1003, 1016, 1009, 1014, 1015, 1182, 1115, 1185, 1183, 1231, 2951].map(
    (type): [number, Decode] => [type, decodeArray(decodeText)],
  ),
  [199, decodeArray(JSON.parse)], // json[]
  [3807, decodeArray(JSON.parse)], // jsonb[]
]);

/** How to read values of a type; without an answer they stay text. */
export function decoderOf(type: number): Decode | undefined {
  return DECODERS.get(type);
}

function decodeArray(decode: Decode): Decode {
  return (text) => readArray({ text, at: text.indexOf("{") }, decode);
}

/** `{a,"b\"",NULL,{…}}`, where quotes keep a NULL from being null. */
function readArray(cursor: { readonly text: string; at: number }, decode: Decode): unknown[] {
  const items: unknown[] = [];
  cursor.at++;
  while (cursor.text[cursor.at] !== "}") {
    const next = cursor.text[cursor.at];
    if (next === undefined) throw new Error("an array from the database has no end");
    if (next === ",") cursor.at++;
    else if (next === "{") items.push(readArray(cursor, decode));
    else if (next === '"') items.push(decode(readQuoted(cursor)));
    else items.push(readPlain(cursor, decode));
  }
  cursor.at++;
  return items;
}

function readQuoted(cursor: { readonly text: string; at: number }): string {
  const match = /"((?:[^"\\]|\\.)*)"/sy;
  match.lastIndex = cursor.at;
  const [all, inner = ""] = match.exec(cursor.text) ?? [""];
  cursor.at += Math.max(all.length, 1);
  return inner.replace(/\\(.)/gs, "$1");
}

function readPlain(cursor: { readonly text: string; at: number }, decode: Decode): unknown {
  const start = cursor.at;
  while (!",}".includes(cursor.text[cursor.at] ?? "}")) cursor.at++;
  const text = cursor.text.slice(start, cursor.at);
  return text === "NULL" ? null : decode(text);
}
