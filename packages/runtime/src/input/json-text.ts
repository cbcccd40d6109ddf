// JSON from clients, read strictly and without loss. JSON.parse would drop all but the last of equal keys and round
// numbers in silence; here equal keys are told, and a number that a double might not hold exactly keeps its text.

import { isUtf8 } from "node:buffer";
import { findJsonFault, isStorable } from "@stoa/definition";
import { pointerOf } from "./pointer.js";

/** What JSON.parse gives, but for numbers that would have to be rounded. */
export type JsonTree = string | number | boolean | null | JsonNumber | readonly JsonTree[] | JsonObject;

/** Has only properties of its own that matter; names such as `__proto__` are names like any other. */
export interface JsonObject {
  readonly [name: string]: JsonTree;
}

/** A number as it was written. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface JsonDocument {
  readonly kind: "json";
  readonly value: JsonTree;
  /** JSON pointers of keys that stand twice in an object; the first value counts. */
  readonly duplicates: readonly string[];
  /** Whether there is a `JsonNumber` in it, or a text that cannot be stored. If not, nobody has to look. */
  readonly isOdd: boolean;
}

/** Why a text or its bytes are not JSON. */
export interface JsonRefusal {
  readonly kind: "refusal";
  readonly detail: string;
}

/** Deeper than any input that somebody has in mind, and far from the end of the stack. */
export const MAX_DEPTH = 100;
/** Enough to show what is wrong. */
const MAX_DUPLICATES = 100;

export function readJsonBytes(bytes: Uint8Array, whole = "body"): JsonDocument | JsonRefusal {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return isUtf8(bytes) ? readJson(text, whole) : refuse(text, findBadBytes(bytes, text), "is not UTF-8");
}

/** `whole` is what the text is called in the refusal. */
export function readJson(source: string, whole = "body"): JsonDocument | JsonRefusal {
  const text = source.charCodeAt(0) === BYTE_ORDER_MARK ? source.slice(1) : source;
  const parser = new Parser(text);
  const value = parser.readWhole();
  if (value !== undefined) {
    return { kind: "json", value, duplicates: parser.duplicates, isOdd: parser.isOdd };
  }
  if (parser.isTooDeep) return refuse(text, parser.at, `is nested more than ${MAX_DEPTH} levels deep`, whole);
  const fault = findJsonFault(text, whole);
  if (fault === null) throw new Error("Two readers do not agree on what JSON is.");
  return { kind: "refusal", detail: `The ${whole} is not JSON: ${fault.message} ${place(fault)}` };
}

const BYTE_ORDER_MARK = 0xfeff;

function refuse(text: string, at: number, problem: string, whole = "body"): JsonRefusal {
  const before = text.slice(0, at);
  const column = at - before.lastIndexOf("\n");
  const line = before.split("\n").length;
  return { kind: "refusal", detail: `The ${whole} ${problem} ${place({ line, column })}` };
}

function place({ line, column }: { readonly line: number; readonly column: number }): string {
  return `(line ${line}, column ${column})`;
}

/** Where in the text the first bytes stand that are no character: the text has U+FFFD for them, the bytes do not. */
function findBadBytes(bytes: Uint8Array, text: string): number {
  let offset = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isReplaced = unit === 0xfffd && !(bytes[offset] === 0xef && bytes[offset + 1] === 0xbf);
    if (isReplaced) return at;
    // The two halves of a pair are four bytes together.
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    offset += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
  }
  return text.length;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** Up to this many characters without an exponent a number is a double without any doubt. */
const PLAIN_NUMBER_CHARS = 15;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON forbids in texts
const ESCAPE_OR_CONTROL = /[\\\u0000-\u001f]/;

/**
 * One pass from left to right. A method gives undefined where the text is not JSON; why it is not is found out
 * afterwards by those who are not in a hurry.
 */
class Parser {
  at = 0;
  isOdd = false;
  isTooDeep = false;
  readonly duplicates: string[] = [];
  readonly #text: string;
  /** Without escapes and line breaks a text ends at the next quote, which the engine finds fastest. */
  readonly #isPlain: boolean;
  #depth = 0;
  /** The keys and indexes on the way down to where the parser is. */
  readonly #path: (string | number)[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#isPlain = !ESCAPE_OR_CONTROL.test(text);
  }

  readWhole(): JsonTree | undefined {
    const value = this.#readValue();
    return this.#next() === this.#text.length ? value : undefined;
  }

  /** Moves to what comes after white space. */
  #next(): number {
    const text = this.#text;
    let at = this.at;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code > SPACE || !(code === SPACE || code === 0x0a || code === 0x0d || code === 0x09)) break;
      at++;
    }
    this.at = at;
    return at;
  }

  #readValue(): JsonTree | undefined {
    const code = this.#text.charCodeAt(this.#next());
    if (code === QUOTE) return this.#readText();
    if (code === OPEN_OBJECT) return this.#readObject();
    if (code === OPEN_LIST) return this.#readList();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#readNumber();
    return this.#readWord();
  }

  #readWord(): boolean | null | undefined {
    const text = this.#text;
    if (text.startsWith("true", this.at)) {
      this.at += 4;
      return true;
    }
    if (text.startsWith("null", this.at)) {
      this.at += 4;
      return null;
    }
    if (!text.startsWith("false", this.at)) return undefined;
    this.at += 5;
    return false;
  }

  #readText(): string | undefined {
    const text = this.#text;
    const start = this.at + 1;
    if (this.#isPlain) {
      const end = text.indexOf('"', start);
      if (end < 0) return undefined;
      this.at = end + 1;
      return text.slice(start, end);
    }
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      if (code === BACKSLASH) return this.#readEscapedText(at);
      if (code < SPACE) return undefined;
    }
    return undefined;
  }

  /** The engine knows the escapes; only the end has to be found. */
  #readEscapedText(firstEscape: number): string | undefined {
    const text = this.#text;
    let at = firstEscape;
    while (at < text.length && text.charCodeAt(at) !== QUOTE) {
      at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
    }
    try {
      const value: string = JSON.parse(text.slice(this.at, at + 1));
      this.at = at + 1;
      if (!this.isOdd && !isStorable(value)) this.isOdd = true;
      return value;
    } catch {
      return undefined;
    }
  }

  #readNumber(): number | JsonNumber | undefined {
    const text = this.#text;
    const start = this.at;
    let at = start;
    let code = text.charCodeAt(at);
    let value = 0;
    while (code >= ZERO && code <= NINE) {
      value = value * 10 + code - ZERO;
      code = text.charCodeAt(++at);
    }
    // The most frequent ones: digits and nothing else, and no zero in front of others.
    const isPlain =
      code !== POINT && (code | 0x20) !== 0x65 && at > start && at - start <= PLAIN_NUMBER_CHARS;
    if (isPlain && (at - start === 1 || text.charCodeAt(start) !== ZERO)) {
      this.at = at;
      return value;
    }
    return this.#readAnyNumber();
  }

  #readAnyNumber(): number | JsonNumber | undefined {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.at += found.length;
    if (found.length <= PLAIN_NUMBER_CHARS && !/e/i.test(found)) return Number(found);
    this.isOdd = true;
    return new JsonNumber(found);
  }

  #readList(): JsonTree[] | undefined {
    if (!this.#enter()) return undefined;
    const list: JsonTree[] = [];
    const path = this.#path;
    const depth = this.#depth - 1;
    if (this.#text.charCodeAt(this.#next()) === CLOSE_LIST) return this.#leave(list);
    for (;;) {
      path[depth] = list.length;
      const value = this.#readValue();
      if (value === undefined) return undefined;
      list.push(value);
      const code = this.#text.charCodeAt(this.#next());
      if (code === CLOSE_LIST) return this.#leave(list);
      if (code !== COMMA) return undefined;
      this.at++;
    }
  }

  #readObject(): JsonObject | undefined {
    if (!this.#enter()) return undefined;
    const object: Record<string, JsonTree> = {};
    const text = this.#text;
    const path = this.#path;
    const depth = this.#depth - 1;
    if (text.charCodeAt(this.#next()) === CLOSE_OBJECT) return this.#leave(object);
    for (;;) {
      if (text.charCodeAt(this.#next()) !== QUOTE) return undefined;
      const key = this.#readText();
      if (key === undefined || text.charCodeAt(this.#next()) !== COLON) return undefined;
      this.at++;
      path[depth] = key;
      const value = this.#readValue();
      if (value === undefined) return undefined;
      if (key in object) this.#addSpecial(object, key, value);
      else object[key] = value;
      const code = text.charCodeAt(this.#next());
      if (code === CLOSE_OBJECT) return this.#leave(object);
      if (code !== COMMA) return undefined;
      this.at++;
    }
  }

  /** A key that stands there already, or that every object inherits. */
  #addSpecial(object: Record<string, JsonTree>, key: string, value: JsonTree): void {
    if (!Object.hasOwn(object, key)) {
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      return;
    }
    if (this.duplicates.length >= MAX_DUPLICATES) return;
    const pointer = pointerOf(this.#path.slice(0, this.#depth));
    if (!this.duplicates.includes(pointer)) this.duplicates.push(pointer);
  }

  #enter(): boolean {
    this.isTooDeep = ++this.#depth > MAX_DEPTH;
    if (!this.isTooDeep) this.at++;
    return !this.isTooDeep;
  }

  #leave<Container>(container: Container): Container {
    this.#depth--;
    this.at++;
    return container;
  }
}
