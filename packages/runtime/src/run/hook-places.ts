// Places of hooks in the JSON of a row. The bytes are only walked over, never parsed and printed: what stands
// around the places is sent as the database wrote it, numbers of any length included.

/** What is looked for in a value: `hook` is the place itself, else where to look on. */
export interface Shape {
  readonly hook: number | null;
  readonly each: Shape | null;
  readonly keys: readonly ShapeKey[];
}

interface ShapeKey {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly shape: Shape;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A stretch of the row: the value in a hook's place. */
export interface HookPlace extends Stretch {
  readonly hook: number;
}

/** A path as in a `HookSlot`, and the number of its hook. */
export interface PathToHook {
  readonly path: readonly string[];
  readonly hook: number;
}

export function shapeOf(paths: readonly PathToHook[]): Shape {
  const hook = paths.find(({ path }) => path.length === 0)?.hook ?? null;
  const deeper = new Map<string, PathToHook[]>();
  for (const { path, hook: number } of paths) {
    const [first, ...rest] = path;
    if (first === undefined) continue;
    deeper.set(first, [...(deeper.get(first) ?? []), { path: rest, hook: number }]);
  }
  const each = deeper.get("*");
  deeper.delete("*");
  const keys = [...deeper].map(([name, below]) => ({
    name,
    bytes: Buffer.from(name),
    shape: shapeOf(below),
  }));
  return { hook, each: each === undefined ? null : shapeOf(each), keys };
}

/** All places, in the order of the text. The JSON is valid; where it has another form, there are no places. */
export function findPlaces(json: Uint8Array, shape: Shape): readonly HookPlace[] {
  const found: HookPlace[] = [];
  walkValue({ json, found }, skipSpace(json, 0), shape);
  return found;
}

interface Walk {
  readonly json: Uint8Array;
  readonly found: HookPlace[];
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const SPACE = 0x20;

/** From the first byte of a value to the one after it. */
function walkValue(walk: Walk, at: number, shape: Shape): number {
  const { json, found } = walk;
  if (at >= json.length) return at;
  if (shape.hook !== null) {
    const end = skipValue(json, at);
    found.push({ hook: shape.hook, start: at, end });
    return end;
  }
  if (json[at] === OBJECT && shape.keys.length > 0) return walkObject(walk, at, shape.keys);
  if (json[at] === ARRAY && shape.each !== null) return walkArray(walk, at, shape.each);
  return skipValue(json, at);
}

function walkObject(walk: Walk, start: number, keys: readonly ShapeKey[]): number {
  const { json } = walk;
  let at = skipSpace(json, start + 1);
  while (json[at] === QUOTE) {
    const keyEnd = skipString(json, at);
    const key = findKey(json, { start: at + 1, end: keyEnd - 1 }, keys);
    // Over the colon.
    at = skipSpace(json, skipSpace(json, keyEnd) + 1);
    at = key === undefined ? skipValue(json, at) : walkValue(walk, at, key.shape);
    at = skipComma(json, at);
  }
  return at + 1;
}

function walkArray(walk: Walk, start: number, each: Shape): number {
  const { json } = walk;
  let at = skipSpace(json, start + 1);
  while (at < json.length && json[at] !== ARRAY_END) at = skipComma(json, walkValue(walk, at, each));
  return at + 1;
}

/** Compared where it stands: most keys are none of ours, and no object is made for them. */
function findKey(json: Uint8Array, { start, end }: Stretch, keys: readonly ShapeKey[]): ShapeKey | undefined {
  for (const key of keys) if (isAt(json, start, end, key.bytes)) return key;
  for (let at = start; at < end; at++) {
    if (json[at] !== BACKSLASH) continue;
    const name: unknown = JSON.parse(`"${textAt(json, { start, end })}"`);
    return keys.find((key) => key.name === name);
  }
  return undefined;
}

function isAt(json: Uint8Array, start: number, end: number, bytes: Uint8Array): boolean {
  if (end - start !== bytes.length) return false;
  for (let index = 0; index < bytes.length; index++) if (json[start + index] !== bytes[index]) return false;
  return true;
}

export function textAt(json: Uint8Array, { start, end }: Stretch): string {
  return Buffer.from(json.buffer, json.byteOffset + start, end - start).toString();
}

/** Blanks, tabs and line breaks; every other byte below the blank is no part of JSON. */
function skipSpace(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length && (json[at] as number) <= SPACE) at++;
  return at;
}

/** To the next member or element, or to the end of the object or array. */
function skipComma(json: Uint8Array, start: number): number {
  const at = skipSpace(json, start);
  return json[at] === COMMA ? skipSpace(json, at + 1) : at;
}

function skipValue(json: Uint8Array, start: number): number {
  const first = json[start];
  if (first === QUOTE) return skipString(json, start);
  if (first === OBJECT || first === ARRAY) return skipNested(json, start);
  let at = start;
  while (at < json.length && !endsScalar(json[at] as number)) at++;
  return at;
}

function endsScalar(byte: number): boolean {
  return byte <= SPACE || byte === COMMA || byte === OBJECT_END || byte === ARRAY_END;
}

function skipNested(json: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = skipString(json, at);
      continue;
    }
    at++;
    if (byte === OBJECT || byte === ARRAY) depth++;
    else if ((byte === OBJECT_END || byte === ARRAY_END) && --depth === 0) return at;
  }
  return at;
}

/** Bytes of a multi-byte character are never quotes or backslashes. */
function skipString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, json.length);
}

/** The row with other values in its places: `texts` has one for each. */
export function replacePlaces(
  json: Uint8Array,
  places: readonly HookPlace[],
  texts: readonly string[],
): Uint8Array {
  let size = json.length;
  for (const [index, { start, end }] of places.entries()) {
    size += Buffer.byteLength(texts[index] ?? "") - (end - start);
  }
  const result = Buffer.allocUnsafe(size);
  let from = 0;
  let at = 0;
  for (const [index, { start, end }] of places.entries()) {
    result.set(json.subarray(from, start), at);
    at += start - from;
    at += result.write(texts[index] ?? "", at);
    from = end;
  }
  result.set(json.subarray(from), at);
  return result;
}
