import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonFault } from "../src/json-fault.js";

test.each([
  ["", "expected a value, found the end of the file", 1, 1],
  ["{", 'expected a key in double quotes or "}", found the end of the file', 1, 2],
  ["{'a': 1}", 'expected a key in double quotes or "}", found "\'"', 1, 2],
  ['{"a" 1}', 'expected ":", found "1"', 1, 6],
  ['{"a": 1,\n "b" }', 'expected ":", found "}"', 2, 6],
  ["[1, 2,]", 'expected a value, found "]"', 1, 7],
  ["[", 'expected a value or "]", found the end of the file', 1, 2],
  ["[1 2]", 'expected "," or "]", found "2"', 1, 4],
  ["[01]", 'expected "," or "]", found "1"', 1, 3],
  ["[1}", 'expected "," or "]", found "}"', 1, 3],
  ["nul", 'expected a value, found "n"', 1, 1],
  ["[😀]", 'expected a value or "]", found "😀"', 1, 2],
  ["1 2", 'expected the end of the file, found "2"', 1, 3],
  ["// note\n1", 'expected a value, found "/"', 1, 1],
  ['["a', "a text without an end", 1, 2],
  ['["a\nb"]', "a line break or control character inside a text", 1, 4],
  ['["a\\x"]', "an escape that JSON does not know", 1, 4],
  ['["\\u12g4"]', "an escape that JSON does not know", 1, 3],
])("%j", (text, message, line, column) => {
  expect(findJsonFault(text)).toEqual({ message, line, column });
});

test("finds a fault exactly where the engine refuses the text", () => {
  const piece = fc.constantFrom(
    ..."{}[]:,\"\\ \n01-+.eE/bu'",
    "true",
    "null",
    '"a"',
    "\\u00e9",
    "1.5e3",
    "\u2028",
  );
  const edited = fc.tuple(fc.json(), fc.nat(), fc.nat({ max: 2 }), fc.string({ unit: piece, maxLength: 3 }));
  const texts = fc.oneof(
    fc.string({ unit: piece, maxLength: 12 }),
    edited.map(([json, at, removed, added]) => {
      const start = at % (json.length + 1);
      return json.slice(0, start) + added + json.slice(start + removed);
    }),
  );
  const property = fc.property(texts, (text) => {
    expect(findJsonFault(text) === null).toBe(isJson(text));
  });
  fc.assert(property, { numRuns: 3000 });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
