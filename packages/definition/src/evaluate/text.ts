// Strings, by code points: one character is one code point, in length, parts, order and case.

/** What `trim` takes off: the white space and line ends of JavaScript. For `btrim` on the other side. */
export const WHITE_SPACE =
  "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** By code points, like PostgreSQL's `COLLATE "C"` on UTF-8. JavaScript's `<` goes by halves of surrogates. */
export function compareTexts(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  for (let index = 0; index < end; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above all others, yet lie below U+E000. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

export function textLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) length--;
  }
  return length;
}

/** `start` counts from 0; start and length are moved to what there is. */
export function substring(text: string, start: number, length: number | undefined): string {
  const from = Math.max(start, 0);
  const to = length === undefined ? Number.POSITIVE_INFINITY : from + Math.max(length, 0);
  return text.slice(unitIndex(text, from), unitIndex(text, to));
}

/** Where a code point begins, counted in UTF-16 units. */
function unitIndex(text: string, point: number): number {
  if (point >= text.length) return text.length;
  let index = 0;
  for (let left = point; left > 0 && index < text.length; left--) {
    const unit = text.charCodeAt(index);
    index += unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
  }
  return index;
}

/** Every occurrence; nothing is found where there is nothing to look for. */
export function replaceText(text: string, what: string, by: string): string {
  return what === "" ? text : text.replaceAll(what, () => by);
}

/**
 * Case follows the simple mappings of Unicode, as PostgreSQL's builtin collation `C.UTF-8` does: one code point
 * becomes one code point, whatever stands beside it. So `ß` has no capital, and `Σ` is always `σ`.
 */
/** Letters that got their other case in Unicode 17: PostgreSQL 18 goes by Unicode 16 and does not know of it. */
const NEWER = /^[\ua7ce\ua7cf\ua7d2-\ua7d5\u{16ea0}-\u{16ed3}]$/u;

export function lowerText(text: string): string {
  return isAscii(text) ? text.toLowerCase() : mapPoints(text, lowerPoint);
}

export function upperText(text: string): string {
  return isAscii(text) ? text.toUpperCase() : mapPoints(text, upperPoint);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}

function mapPoints(text: string, map: (point: string) => string): string {
  let result = "";
  for (const point of text) result += NEWER.test(point) ? point : map(point);
  return result;
}

/** JavaScript knows the full mappings; where one gives several code points, the simple one is needed. */
function lowerPoint(point: string): string {
  if (point === "\u0130") return "i";
  return point.toLowerCase();
}

function upperPoint(point: string): string {
  const upper = point.toUpperCase();
  return isOnePoint(upper) ? upper : (capitalWithIota(point.charCodeAt(0)) ?? point);
}

function isOnePoint(text: string): boolean {
  return (
    text.length === 1 || (text.length === 2 && text.charCodeAt(0) >= 0xd800 && text.charCodeAt(0) <= 0xdbff)
  );
}

/** Greek letters with a iota below: their full capitals are two letters, their simple ones have it beside. */
function capitalWithIota(code: number): string | undefined {
  const isSmall = (code & 0x8) === 0 && code >= 0x1f80 && code <= 0x1faf;
  if (isSmall) return String.fromCharCode(code + 8);
  return code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3 ? String.fromCharCode(code + 9) : undefined;
}
