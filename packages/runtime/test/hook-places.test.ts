import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findPlaces, type PathToHook, replacePlaces, shapeOf } from "../src/run/hook-places.js";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Names that need escapes, that are longer than a byte per letter, and that are prefixes of each other. */
const NAMES = ["a", "ab", "*x", "ä", "日本", "👍", 'q"', "b\\", "n\n", "", "toString"];
const key = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: "binary", maxLength: 4 }));

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom('"', "\\", "{[", "]},:", '\\"', "\u2028"),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(key, tie("json"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** All paths in a value: what hooks could stand at. */
function pathsIn(value: Json): string[][] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item).map((path) => ["*", ...path]));
  if (typeof value !== "object" || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([name, part]) => pathsIn(part).map((path) => [name, ...path])),
  ];
}

/** What must come out, by the plain way: the value changed and printed again. */
function changed(value: Json, path: readonly string[], by: (found: Json) => Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) return by(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return first === "*" ? value.map((item) => changed(item, rest, by)) : value;
  if (first === "*" || !Object.hasOwn(value, first)) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    name === first ? changed(part, rest, by) : part,
  ]);
  return Object.fromEntries(entries);
}

type Gap = () => string;

/** JSON with blanks between its parts and, by choice, letters of keys as escapes. */
function print(value: Json, gap: Gap, isEscaped: boolean): string {
  const parts = (items: readonly string[]) => items.map((item) => `${gap()}${item}${gap()}`).join(",");
  if (Array.isArray(value)) return `[${parts(value.map((item) => print(item, gap, isEscaped)))}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, part]) => `${printKey(name, isEscaped)}${gap()}:${gap()}${print(part, gap, isEscaped)}`,
  );
  return `{${parts(members)}}`;
}

function printKey(name: string, isEscaped: boolean): string {
  if (!isEscaped) return JSON.stringify(name);
  const escapes = Array.from(
    { length: name.length },
    (_, index) => `\\u${name.charCodeAt(index).toString(16).padStart(4, "0")}`,
  );
  return `"${escapes.join("")}"`;
}

function replaceAll(
  text: string,
  paths: readonly PathToHook[],
  by: (found: Json, hook: number) => Json,
): string {
  const bytes = Buffer.from(text);
  const places = findPlaces(bytes, shapeOf(paths));
  const texts = places.map(({ start, end, hook }) =>
    JSON.stringify(by(JSON.parse(bytes.subarray(start, end).toString()), hook)),
  );
  return Buffer.from(replacePlaces(bytes, places, texts)).toString();
}

const sample = json.chain((value) =>
  fc.record({ value: fc.constant(value), path: fc.constantFrom(...pathsIn(value), ["no", "such"]) }),
);
/** A literal `*` as a name cannot be told from "each"; no member is called that. */
const named = sample.filter(({ value }) => !JSON.stringify(value).includes('"*"'));
const wrap = (found: Json): Json => ({ was: found });

describe("places in JSON", () => {
  test("are replaced as if the value were changed and printed", () => {
    const gaps = fc.array(fc.constantFrom("", " ", "\n ", "\t", "\r\n"), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(named, gaps, fc.boolean(), ({ value, path }, blanks, isEscaped) => {
        let turn = 0;
        const gap: Gap = () => blanks[turn++ % blanks.length] ?? "";
        const text = replaceAll(print(value, gap, isEscaped), [{ path, hook: 0 }], wrap);
        expect(JSON.parse(text)).toEqual(changed(JSON.parse(JSON.stringify(value)), path, wrap));
      }),
      { numRuns: 2000 },
    );
  });

  test("leave every byte around them as it was", () => {
    fc.assert(
      fc.property(named, fc.boolean(), ({ value, path }, isEscaped) => {
        const text = print(value, () => " ", isEscaped);
        const same = replaceAll(text, [{ path, hook: 0 }], (found) => found);
        const bytes = Buffer.from(text);
        const places = findPlaces(bytes, shapeOf([{ path, hook: 0 }]));
        const [first] = places;
        const last = places.at(-1);
        expect(same.startsWith(bytes.subarray(0, first?.start ?? 0).toString())).toBe(true);
        expect(same.endsWith(bytes.subarray(last?.end ?? bytes.length).toString())).toBe(true);
        if (places.length === 0) expect(same).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("of several hooks are found in the order of the text", () => {
    const row =
      '{"id":1,"b":{"x":1},"list":[{"h":1}, \n {"h":2,"b":9}],"none":null,"deep":{"h":{"y":[3]}},"big":123456789012345678901234567890.10}';
    const paths = [
      { path: ["deep", "h"], hook: 0 },
      { path: ["list", "*", "h"], hook: 1 },
      { path: ["none", "h"], hook: 1 },
      { path: ["b"], hook: 2 },
    ];
    const seen: number[] = [];
    const text = replaceAll(row, paths, (_, hook) => {
      seen.push(hook);
      return `#${hook}`;
    });
    expect(seen).toEqual([2, 1, 1, 0]);
    expect(text).toBe(
      '{"id":1,"b":"#2","list":[{"h":"#1"}, \n {"h":"#1","b":9}],"none":null,"deep":{"h":"#0"},"big":123456789012345678901234567890.10}',
    );
  });

  test("are never looked for beyond the end of JSON that is cut off", () => {
    fc.assert(
      fc.property(named, fc.nat(), ({ value, path }, cut) => {
        const whole = Buffer.from(JSON.stringify(value));
        const part = whole.subarray(0, cut % (whole.length + 1));
        expect(endsOf(part, path).every((end) => end <= part.length)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

function endsOf(json: Uint8Array, path: readonly string[]): number[] {
  try {
    return findPlaces(json, shapeOf([{ path, hook: 0 }])).map(({ end }) => end);
  } catch (error) {
    // A key that ends in the middle of an escape.
    expect(error).toBeInstanceOf(SyntaxError);
    return [];
  }
}
