// What holds for all inputs: nothing that a client can send makes the reader throw, and what it accepts is what
// other readers of JSON and other engines of patterns understand.

import { findJsonFault, readPattern } from "@stoa/definition";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonNumber, readJson } from "../src/input/json-text.js";
import { compilePattern } from "../src/input/pattern.js";
import { requestOf, sourceOf, thing } from "./input-notation.js";

const SOURCE = `
enum Size { small, large }
validator isSlug { arg value { type string } assert { value is lower(value) } error { code "slug" } }
validator divides { arg value { type integer } assert { 12 % value is 0 } error { code "divides" } }
model Note { field text { type string, validate { minLength(2) } } reference thing { to Thing } }
${thing(
  String.raw`field s { type string, validate { (minLength(1) and matches("^[a-z]+(-\\d+)*$")) or isEmail() or isUrl() or not isSlug() } }
   field i { type integer, validate { divides() and max(1000) } } field f { type float, nullable } field d { type decimal(6, 2), validate { min(0) } }
   field b { type boolean, default false } field day { type date, nullable } field t { type datetime, nullable } field u { type uuid, default uuid() }
   field e { type Size, default "small", validate { oneOf("small") } } field j { type json, nullable } relation notes { from Note, through thing }`,
  "create endpoint as made { action { create {} create made.notes as note { input { text } } } }",
)}`;

const subject = requestOf(SOURCE);
const VALID = {
  s: "abc-1",
  i: 12,
  f: 1.5,
  d: "1.50",
  b: true,
  day: "2026-11-14",
  t: "2026-11-14T10:20:30Z",
  e: "small",
  j: { a: [1] },
  note: { text: "abc" },
};

async function outcomeOf(body: string | Uint8Array): Promise<string> {
  const result = await subject.request.read(sourceOf(body));
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  if (result.kind === "problem") {
    expect(["malformed", "validation", "too-large"]).toContain(result.code);
    JSON.stringify(result);
  } else result.all();
  return result.kind;
}

describe("nothing throws", () => {
  test("a valid body is valid", async () => {
    expect(await outcomeOf(JSON.stringify(VALID))).toBe("inputs");
  });

  test("random bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await outcomeOf(bytes);
      }),
    );
  });

  test("random JSON", async () => {
    await fc.assert(fc.asyncProperty(fc.json(), async (text) => void (await outcomeOf(text))));
  });

  const special = fc.constantFrom(
    "__proto__",
    "constructor",
    "polluted",
    "toString",
    "hasOwnProperty",
    "",
    "a/b",
    "\ud800",
    "\0",
  );
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      null,
      -0,
      1e308,
      5e-324,
      2 ** 53,
      "1".repeat(1100),
      "9999-12-31T23:59:59-23:59",
      "0000-01-01",
      [[]],
      {},
    ),
  );

  test("valid bodies with fields replaced, left out and added", async () => {
    const field = fc.oneof(fc.constantFrom(...Object.keys(VALID)), special);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, odd), { maxLength: 4 }), async (changes) => {
        const parts = Object.entries({ ...VALID, ...Object.fromEntries(changes) });
        const text = `{${parts.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? "1e999"}`).join(",")}}`;
        await outcomeOf(text);
      }),
      { numRuns: 500 },
    );
  });

  test("valid bodies with characters replaced, left out and added", async () => {
    const text = JSON.stringify(VALID);
    const edit = fc.tuple(
      fc.nat(text.length),
      fc.nat(3),
      fc.constantFrom(...'{}[]",:\\u0-.eE tnf\n\u0001é😀'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let changed = text;
        for (const [at, drop, put] of edits) changed = changed.slice(0, at) + put + changed.slice(at + drop);
        await outcomeOf(changed);
      }),
      { numRuns: 1000 },
    );
  });

  const million = 1_000_000;
  const keys = Array.from({ length: 100_000 }, (_, index) => `"${index.toString(36)}":1`).join(",");
  test.each([
    ["brackets", "[".repeat(million)],
    ["nested objects", '{"a":'.repeat(million / 5)],
    ["nested lists in a json value", `{"j":${"[".repeat(150)}${"]".repeat(150)}}`],
    ["many keys", `{${keys}}`],
    ["many keys in a json value", `{"j":{${keys}}}`],
    ["one key many times", `{${'"s":1,'.repeat(100_000)}"s":1}`],
    ["one key many times in a json value", `{"j":{${'"s":1,'.repeat(100_000)}"s":1}}`],
    ["digits", `{"i":${"9".repeat(million)}}`],
    ["digits of a decimal", `{"d":"${"9".repeat(million)}"}`],
    ["digits in a json value", `{"j":[${"9".repeat(million)}]}`],
    ["zeros", `{"i":0.${"0".repeat(million)}1}`],
    ["zeros between ones", `{"d":1${"0".repeat(million / 2)}.${"0".repeat(million / 3)}}`],
    ["an exponent", `{"i":1e${"9".repeat(million)}}`],
    ["a long text", `{"s":"${"a".repeat(million)}"}`],
    ["a long text of one digit after the other", `{"s":"${"a-1".repeat(million / 4)}!"}`],
    ["a long address", `{"s":"${"a.".repeat(million / 4)}@${"b.".repeat(million / 5)}"}`],
    ["a long URL", `{"s":"https://${"a.".repeat(million / 3)}"}`],
    ["escapes", `{"s":"${"\\u0041".repeat(million / 6)}"}`],
    ["an endless text", `{"s":"${"\\\\".repeat(million / 2)}`],
    ["a long name", `{"${"n".repeat(million)}":1}`],
    ["white space", " ".repeat(million)],
  ])("%s", async (_, text) => {
    const start = performance.now();
    await outcomeOf(text);
    // Far more than it takes, far less than anything that is not linear would.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test("a body just within the depth, and one beyond", async () => {
    const nested = (depth: number): string => `{"j":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const only = requestOf(thing("field j { type json }"));
    expect(await only.request.read(sourceOf(nested(99)))).toMatchObject({ kind: "inputs" });
    expect(await only.request.read(sourceOf(nested(100)))).toMatchObject({
      code: "malformed",
      detail: "The body is nested more than 100 levels deep (line 1, column 105)",
    });
  });
});

describe("JSON is what JSON.parse takes for it", () => {
  const text = fc.oneof(
    fc.json(),
    fc
      .array(fc.constantFrom(...'{}[]",:\\/u0123456789-+.eE tnrfalsuebd\n\t\u0001é'), { maxLength: 12 })
      .map((list) => list.join("")),
  );

  test("valid or not, and the same value", () => {
    fc.assert(
      fc.property(text, (source) => {
        const read = readJson(source);
        const parsed = attempt(source);
        expect(read.kind === "json").toBe(parsed !== undefined);
        expect(findJsonFault(source) === null).toBe(parsed !== undefined);
        const hasDuplicates = read.kind === "json" && read.duplicates.length > 0;
        if (read.kind === "json" && !hasDuplicates) expect(withNumbers(read.value)).toEqual(parsed?.value);
      }),
      { numRuns: 3000 },
    );
  });

  test("pretty-printed as well", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(1, 2, "\t"), (value, indent) => {
        const source = JSON.stringify(value, null, indent);
        const read = readJson(source);
        expect(read.kind === "json" && withNumbers(read.value)).toEqual(JSON.parse(source));
      }),
    );
  });
});

function attempt(source: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(source) };
  } catch {
    return undefined;
  }
}

function withNumbers(value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withNumbers(part)]));
}

describe("patterns mean what they mean in JavaScript", () => {
  const atom = fc.constantFrom(
    ..."ab1_ -.^$é😀",
    ...String.raw`\d \D \w \W \s \S \b \B \. \/ \n \u0061 \u{1F600} \ud83d\ude00 \x41 \0 \cJ \p{L} \P{Lu} \p{Script=Greek} \p{Emoji}`.split(
      " ",
    ),
    "[ab]",
    "[^ab]",
    "[a-c1]",
    "[]",
    "[^]",
    "[a-]",
    "[-a]",
    "[\\d-]",
    "[\\w.]",
    "[^\\s]",
    "[\\]\\\\]",
    "[[:alpha:]",
    "[\\b]",
    "[a&&b]",
    "[\\p{L}_]",
    "[^\\P{L}]",
  );
  const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "{1,3}?");
  const { pattern } = fc.letrec<{ pattern: string; term: string; group: string }>((tie) => ({
    pattern: fc.array(tie("term"), { maxLength: 4 }).map((terms) => terms.join("")),
    term: fc
      .tuple(fc.oneof({ depthSize: "small" }, atom, atom, tie("group")), quantifier)
      .map((pair) => pair.join("")),
    group: fc
      .tuple(fc.constantFrom("(", "(?:", "(?<n>"), fc.array(tie("pattern"), { minLength: 1, maxLength: 2 }))
      .map(([open, parts]) => `${open}${parts.join("|")})`),
  }));
  const text = fc
    .array(fc.constantFrom(..."ab1_ -.cZ\n\r\t\u2028\u00a0\v]\\[:&\bé😀Ωλ"), { maxLength: 6 })
    .map((list) => list.join(""));

  test("found or not found", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 5 }), (source, texts) => {
        const reading = readPattern(source);
        const native = regExpOf(source);
        expect(reading.kind === "pattern").toBe(native !== undefined);
        if (native === undefined) return;
        const isFound = compilePattern(source);
        for (const each of texts)
          expect([source, each, isFound(each)]).toEqual([source, each, native.test(each)]);
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ["(a)\\1", "back-references cannot be matched in linear time"],
    ["(?<n>a)\\k<n>", "back-references cannot be matched in linear time"],
    ["a(?=b)", "look-ahead and look-behind cannot be matched in linear time"],
    ["(?<!a)b", "look-ahead and look-behind cannot be matched in linear time"],
    [
      "a{1001}",
      "nothing can be repeated more than 1000 times; `minLength` and `maxLength` know no such limit",
    ],
    [
      "(?:a{100}){11}",
      "nothing can be repeated more than 1000 times, those around it included; `minLength` and `maxLength` know no such limit",
    ],
    ["(".repeat(101) + ")".repeat(101), "groups cannot be nested more than 100 deep"],
    ["(a", "Unterminated group"],
    ["\\A", "Invalid escape"],
  ])("%s is refused", (source, message) => {
    expect(readPattern(source)).toEqual({ kind: "problem", message });
  });

  test.each([
    "[(?=a)\\\\1]",
    "\\(\\?=",
    "a{1000}",
    "(?:a{100}){10}",
    "(?:a{0}){5}",
    "[\\]](?:x)",
    "(".repeat(100) + ")".repeat(100),
  ])("%s is fine", (source) => {
    expect(readPattern(source).kind).toBe("pattern");
    compilePattern(source)("x");
  });
});

function regExpOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}
