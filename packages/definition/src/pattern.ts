// Patterns of `matches`: written as JavaScript's regular expressions with Unicode on, and run by an engine of
// linear time, whose language is a little different. This is the way from the one to the other. The compiler takes
// it to refuse what has no counterpart, the server to run the rest, so both agree on what a pattern is.
//
// Every character and class is written as code points, and groups do not capture: what is left of the engine's
// language is what both mean alike.

import { WHITE_SPACE } from "./evaluate/text.js";

export type PatternReading =
  | { readonly kind: "pattern"; readonly linear: string }
  | { readonly kind: "problem"; readonly message: string };

/** The pattern in RE2's language, or why it has none. */
export function readPattern(pattern: string): PatternReading {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    return problem(text.replace(/^Invalid regular expression: /, "").replace(/^\/.*\/u: /s, ""));
  }
  const scan: Scan = { pattern, at: 0, depth: 0 };
  const linear = readChoice(scan);
  return typeof linear === "string" ? problem(linear) : { kind: "pattern", linear: linear.text };
}

function problem(message: string): PatternReading {
  return { kind: "problem", message };
}

interface Scan {
  readonly pattern: string;
  at: number;
  depth: number;
}

/** `repeats`: how often the innermost part can be repeated, with all counts around it multiplied. */
interface Part {
  readonly text: string;
  readonly repeats: number;
}

/** A part, or what cannot be done. The pattern is a valid one for JavaScript, so nothing else can be wrong. */
type Read = Part | string;

/** RE2 unrolls counted repetitions, so it limits them; groups are limited for the sake of everyone's stack. */
const MAX_REPEATS = 1000;
const MAX_DEPTH = 100;

function readChoice(scan: Scan): Read {
  let text = "";
  let repeats = 1;
  for (;;) {
    const next = scan.pattern[scan.at];
    if (next === undefined || next === ")") return { text, repeats };
    if (next === "|") {
      scan.at++;
      text += "|";
      continue;
    }
    const term = readTerm(scan);
    if (typeof term === "string") return term;
    text += term.text;
    repeats = Math.max(repeats, term.repeats);
  }
}

function readTerm(scan: Scan): Read {
  const atom = readAtom(scan);
  if (typeof atom === "string") return atom;
  const quantifier = match(scan, /[*+?]\??|\{(\d+)(,?)(\d*)\}\??/y);
  if (quantifier === undefined) return atom;
  const [text, low, , high] = quantifier;
  const count = low === undefined ? 1 : Math.max(1, Number(high || low));
  const repeats = atom.repeats * count;
  if (repeats > MAX_REPEATS) {
    const nested = count > MAX_REPEATS ? "" : ", those around it included";
    return `nothing can be repeated more than ${MAX_REPEATS} times${nested}; \`minLength\` and \`maxLength\` know no such limit`;
  }
  return { text: atom.text + text, repeats };
}

function readAtom(scan: Scan): Read {
  const character = codeAt(scan);
  switch (character) {
    case "(":
      return readGroup(scan);
    case "[":
      return plain(readClass(scan));
    case "\\":
      return readEscape(scan);
    default:
  }
  scan.at += character.length;
  if (character === "^") return plain("\\A");
  if (character === "$") return plain("\\z");
  if (character === ".") return plain(`[^${textOf(LINE_ENDS)}]`);
  return plain(pointText(character.codePointAt(0) ?? 0));
}

function plain(text: string): Part {
  return { text, repeats: 1 };
}

function readGroup(scan: Scan): Read {
  const [, mark = ""] = match(scan, /\((\?(?:<?[=!]|:|<[^>]*>|[-a-z]*:)?)?/y) ?? [];
  if (/[=!]$/.test(mark)) return "look-ahead and look-behind cannot be matched in linear time";
  if (/^\?[-a-z]/.test(mark)) return "groups with flags of their own do not exist here";
  if (++scan.depth > MAX_DEPTH) return `groups cannot be nested more than ${MAX_DEPTH} deep`;
  const inner = readChoice(scan);
  if (typeof inner === "string") return inner;
  scan.depth--;
  scan.at++;
  return { text: `(?:${inner.text})`, repeats: inner.repeats };
}

function readEscape(scan: Scan): Read {
  const boundary = match(scan, /\\[bB]/y);
  if (boundary) return plain(boundary[0]);
  if (match(scan, /\\(?:[1-9]|k<)/y)) return "back-references cannot be matched in linear time";
  const read = readEscaped(scan);
  return plain(typeof read === "number" ? pointText(read) : `[${read}]`);
}

/** Code points from–to, both included, in order and apart from each other. */
type Ranges = readonly (readonly [from: number, to: number])[];

/** A set of characters, as it stands between the brackets of a class. */
type ClassText = string;

const LAST_POINT = 0x10ffff;
const DIGITS: Ranges = [[0x30, 0x39]];
const WORD: Ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACES: Ranges = [...WHITE_SPACE].map((space): [number, number] => [
  space.charCodeAt(0),
  space.charCodeAt(0),
]);
const LINE_ENDS: Ranges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** `[…]`, from its bracket on. A `-` between two characters makes a range of them. */
function readClass(scan: Scan): string {
  const isNegated = match(scan, /\[(\^?)/y)?.[1] === "^";
  let inner: ClassText = "";
  while (scan.pattern[scan.at] !== "]") {
    const from = readClassAtom(scan);
    if (typeof from === "string") {
      inner += from;
      continue;
    }
    const hasEnd = scan.pattern[scan.at] === "-" && scan.pattern[scan.at + 1] !== "]";
    if (hasEnd) scan.at++;
    const to = hasEnd ? readClassAtom(scan) : from;
    inner += rangeText([from, typeof to === "number" ? to : from]);
  }
  scan.at++;
  if (inner === "") return isNegated ? ANY : NONE;
  return `[${isNegated ? "^" : ""}${inner}]`;
}

function readClassAtom(scan: Scan): number | ClassText {
  const character = codeAt(scan);
  if (character === "\\") return readEscaped(scan);
  scan.at += character.length;
  return character.codePointAt(0) ?? 0;
}

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, b: 8, "0": 0 };

/** An escape that stands for a character or for a set of them. */
function readEscaped(scan: Scan): number | ClassText {
  const pair = match(scan, /\\u([dD][89abAB]\w\w)\\u([dD][c-fC-F]\w\w)/y);
  if (pair) return String.fromCharCode(hex(pair[1]), hex(pair[2])).codePointAt(0) ?? 0;
  const code = match(scan, /\\(?:u\{(\w+)\}|u(\w{4})|x(\w\w))/y);
  if (code) return hex(code[1] ?? code[2] ?? code[3]);
  const control = match(scan, /\\c([A-Za-z])/y);
  if (control) return (control[1] ?? "").charCodeAt(0) % 32;
  const property = match(scan, /\\p\{[^}]*\}/iy);
  if (property) return propertyText(property[0]);
  scan.at++;
  const letter = codeAt(scan);
  scan.at += letter.length;
  return SETS[letter] ?? CONTROLS[letter] ?? letter.codePointAt(0) ?? 0;
}

function hex(digits: string | undefined): number {
  return Number.parseInt(digits ?? "", 16);
}

function codeAt({ pattern, at }: Scan): string {
  return String.fromCodePoint(pattern.codePointAt(at) ?? 0);
}

/** What a sticky expression finds where the scan stands, which it then moves past. */
function match(scan: Scan, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = scan.at;
  const found = expression.exec(scan.pattern) ?? undefined;
  scan.at += found?.[0].length ?? 0;
  return found;
}

function complement(ranges: Ranges): Ranges {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST_POINT) rest.push([next, LAST_POINT]);
  return rest;
}

const SETS: Readonly<Record<string, ClassText>> = {
  d: textOf(DIGITS),
  D: textOf(complement(DIGITS)),
  w: textOf(WORD),
  W: textOf(complement(WORD)),
  s: textOf(SPACES),
  S: textOf(complement(SPACES)),
};
const ANY = `[${rangeText([0, LAST_POINT])}]`;
const NONE = `[^${rangeText([0, LAST_POINT])}]`;

/** The categories that RE2 knows by the same names: by far the most frequent properties. */
const CATEGORY = /^\\p\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)\}$/i;
const properties = new Map<string, ClassText>();

function propertyText(property: string): ClassText {
  if (CATEGORY.test(property)) return property;
  const known = properties.get(property) ?? textOf(rangesOfProperty(property));
  properties.set(property, known);
  return known;
}

const CHUNK = 0x1000;

/** All other properties, as this JavaScript knows them. That takes some tenths of a second, once. */
function rangesOfProperty(property: string): Ranges {
  const test = new RegExp(`${property}+`, "gu");
  const ranges: [number, number][] = [];
  for (let start = 0; start <= LAST_POINT; start += CHUNK) {
    const width = start > 0xffff ? 2 : 1;
    for (const found of charactersFrom(start).matchAll(test)) {
      const from = start + found.index / width;
      const to = from + found[0].length / width - 1;
      const last = ranges.at(-1);
      if (last && last[1] + 1 === from) last[1] = to;
      else ranges.push([from, to]);
    }
  }
  return ranges;
}

/** A chunk of characters; halves of surrogate pairs, the end of their chunk, are in no text that is stored. */
function charactersFrom(start: number): string {
  const length = start === 0xd000 ? 0x800 : CHUNK;
  if (start <= 0xffff) return String.fromCharCode(...Array.from({ length }, (_, index) => start + index));
  const units = new Uint16Array(2 * length);
  for (let index = 0; index < length; index++) {
    const rest = start + index - 0x10000;
    units[2 * index] = 0xd800 + (rest >> 10);
    units[2 * index + 1] = 0xdc00 + (rest & 0x3ff);
  }
  return String.fromCharCode(...units);
}

function textOf(ranges: Ranges): ClassText {
  return ranges.map(rangeText).join("");
}

function rangeText([from, to]: readonly [number, number]): string {
  return from === to ? pointText(from) : `${pointText(from)}-${pointText(to)}`;
}

function pointText(point: number): string {
  const character = String.fromCodePoint(point);
  return /[0-9A-Za-z]/.test(character) ? character : `\\x{${point.toString(16)}}`;
}
