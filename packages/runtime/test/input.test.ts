import { describe, expect, test } from "vitest";
import { casesOf, requestOf, show, sourceOf, thing } from "./input-notation.js";

function table(title: string, source: string, cases: string, kind: "create" | "update" = "create"): void {
  describe(title, () => {
    const subject = requestOf(source, kind);
    for (const { sent, becomes } of casesOf(cases)) {
      test(sent, async () => {
        expect(await show(subject, sourceOf(sent))).toBe(becomes);
      });
    }
  });
}

const field = (type: string): string => thing(`field x { type ${type}, nullable }`);

table(
  "strings",
  field("string"),
  String.raw`
  {"x": "a"}            → x "a"
  {"x": ""}             → x ""
  {"x": "é\n\ud83d\ude00"} → x "é\n😀"
  {"x": null}           → x null
  {}                    → nothing
  {"x": 5}              → /x type: must be a string
  {"x": true}           → /x type: must be a string
  {"x": ["a"]}          → /x type: must be a string
  {"x": 1e400}          → /x type: must be a string
  {"x": "a\u0000"}      → /x invalid-text: must not contain U+0000 or halves of surrogate pairs
  {"x": "\ud800"}       → /x invalid-text: must not contain U+0000 or halves of surrogate pairs
  {"x": "\udc00\ud83d"} → /x invalid-text: must not contain U+0000 or halves of surrogate pairs
  `,
);

const RANGE = "must be from -9007199254740991 to 9007199254740991";
table(
  "integers",
  field("integer"),
  `
  {"x": 5}                   → x 5
  {"x": -5}                  → x -5
  {"x": -0}                  → x 0
  {"x": 1.0}                 → x 1
  {"x": 1e2}                 → x 100
  {"x": 12300E-2}            → x 123
  {"x": 9007199254740991}    → x 9007199254740991
  {"x": -9007199254740991}   → x -9007199254740991
  {"x": 9007199254740992}    → /x integer-range: ${RANGE}
  {"x": 9007199254740991.5}  → /x type: must be an integer
  {"x": 1e400}               → /x integer-range: ${RANGE}
  {"x": 1e99999999999999999} → /x integer-range: ${RANGE}
  {"x": 1e-400}              → /x type: must be an integer
  {"x": 0e99999999999999999} → x 0
  {"x": 1.5}                 → /x type: must be an integer
  {"x": 1.00000000000000000000001} → /x type: must be an integer
  {"x": "5"}                 → /x type: must be an integer
  {"x": true}                → /x type: must be an integer
  `,
);

const NOT_FLOAT = "must be a number that 64 bits can hold";
table(
  "floats",
  field("float"),
  `
  {"x": 1.5}       → x 1.5
  {"x": 5}         → x 5
  {"x": -0.0}      → x 0
  {"x": 1e21}      → x 1e+21
  {"x": 0.1234567890123456789} → x 0.12345678901234568
  {"x": 1e400}     → /x float-range: ${NOT_FLOAT}
  {"x": -1e400}    → /x float-range: ${NOT_FLOAT}
  {"x": 1e-400}    → /x float-range: ${NOT_FLOAT}
  {"x": 0.0e-400}  → x 0
  {"x": "1.5"}     → /x type: must be a number
  `,
);

const DECIMAL = 'must be a decimal: a string such as "9.99", or an integer';
table(
  "decimals",
  field("decimal"),
  `
  {"x": "9.99"}     → x 9.99
  {"x": "-0.50"}    → x -0.50
  {"x": 5}          → x 5
  {"x": -5}         → x -5
  {"x": 1.0}        → x 1
  {"x": 1e3}        → x 1000
  {"x": 123456789012345678901234567890} → x 123456789012345678901234567890
  {"x": 9.99}       → /x type: ${DECIMAL}
  {"x": "9,99"}     → /x type: ${DECIMAL}
  {"x": "1e3"}      → /x type: ${DECIMAL}
  {"x": ""}         → /x type: ${DECIMAL}
  {"x": "NaN"}      → /x type: ${DECIMAL}
  {"x": "${"9".repeat(1000)}"} → x ${"9".repeat(1000)}
  {"x": "${"9".repeat(1001)}"} → /x too-many-digits: must have at most 1000 digits
  {"x": 1e999}      → x 1${"0".repeat(999)}
  {"x": 1e1000}     → /x too-many-digits: must have at most 1000 digits
  {"x": 1e9999999999} → /x too-many-digits: must have at most 1000 digits
  `,
);

const DIGITS = "must have at most 3 digits before the point and 2 after it";
table(
  "decimals with a number of digits",
  field("decimal(5, 2)"),
  `
  {"x": "999.99"}     → x 999.99
  {"x": "-999.99"}    → x -999.99
  {"x": "1.5"}        → x 1.50
  {"x": "1.50000"}    → x 1.50
  {"x": "000001.5"}   → x 1.50
  {"x": 999}          → x 999.00
  {"x": "0"}          → x 0.00
  {"x": 1000}         → /x too-many-digits: ${DIGITS}
  {"x": "1.005"}      → /x too-many-digits: ${DIGITS}
  {"x": 1e2000}       → /x too-many-digits: ${DIGITS}
  `,
);

const DATETIME = 'must be a datetime with an offset, such as "2026-11-14T10:20:30Z"';
table(
  "dates and datetimes",
  thing("field d { type date, nullable } field t { type datetime, nullable }"),
  `
  {"d": "2026-11-14"}    → d "2026-11-14"
  {"d": "2026-02-30"}    → /d type: must be a date such as "2026-11-14"
  {"d": "2026-11-14T00:00:00Z"} → /d type: must be a date such as "2026-11-14"
  {"d": 20261114}        → /d type: must be a date such as "2026-11-14"
  {"t": "2026-11-14T10:20:30Z"}          → t "2026-11-14T10:20:30.000000Z"
  {"t": "2026-11-14T10:20:30.5+02:00"}   → t "2026-11-14T08:20:30.500000Z"
  {"t": "2026-11-14T10:20:30"}           → /t type: ${DATETIME}
  {"t": "2026-11-14"}                    → /t type: ${DATETIME}
  {"t": 0}                               → /t type: ${DATETIME}
  {"t": "9999-12-31T23:59:59-02:00"}     → /t datetime-range: must be in the years 1 to 9999 of UTC
  `,
);

table(
  "booleans, uuids and enums",
  `enum Size { small, large } ${thing("field b { type boolean, nullable } field u { type uuid, nullable } field e { type Size, nullable }")}`,
  `
  {"b": false}      → b false
  {"b": "true"}     → /b type: must be true or false
  {"b": 1}          → /b type: must be true or false
  {"u": "018F4E6E-7c5b-7a57-9d3e-2f7a1c0b9e44"} → u "018f4e6e-7c5b-7a57-9d3e-2f7a1c0b9e44"
  {"u": "018f4e6e"} → /u type: must be a uuid
  {"u": 5}          → /u type: must be a uuid
  {"e": "small"}    → e "small"
  {"e": "Small"}    → /e enum: must be one of: small, large
  {"e": 1}          → /e enum: must be one of: small, large
  {"e": "constructor"} → /e enum: must be one of: small, large
  `,
);

table(
  "json",
  field("json"),
  String.raw`
  {"x": {"a": [1, 2.5, "b", null, true, {}]}} → x {"a": [1, 2.5, "b", null, true, {}]}
  {"x": "text"}          → x "\"text\""
  {"x": 1e3}             → x 1000
  {"x": {"__proto__": {"polluted": 1}, "constructor": 2}} → x {"__proto__": {"polluted": 1}, "constructor": 2}
  {"x": [1e400]}         → /x float-range: must be a number that 64 bits can hold
  {"x": {"id": 12345678901234567890}} → /x inexact-number: has the number 12345678901234567890, which cannot be kept exactly; send it as a string
  {"x": {"id": 9007199254740992}}     → x {"id": 9007199254740992}
  {"x": ["\u0000"]}      → /x invalid-text: must not contain U+0000 or halves of surrogate pairs
  {"x": {"\ud800": 1}}   → /x invalid-text: must not contain U+0000 or halves of surrogate pairs
  {"x": {"a": 1, "b": {"c": 1, "c": 2}}} → /x/b/c duplicate: is given more than once
  {"x": [0, {"a/b~": 1, "a/b~": 2}]}     → /x/1/a~1b~0 duplicate: is given more than once
  `,
);

table(
  "required, null, default",
  thing(
    `field a { type string } field b { type integer, default 1 } field c { type decimal(5, 2), default 1.5 }
     field d { type datetime, default now() } field e { type uuid, default uuid() } field f { type date, default today() }
     field g { type json, default { list: [1] } }`,
    "create endpoint {}",
  ),
  `
  {}         → /a required: is required
  {"a": null, "b": null} → /a null: must not be null | /b null: must not be null
  {"a": "x", "b": 2} → a "x", b 2, c 1.50 (default), d "2026-11-14T10:20:30.000000Z" (default), e "018f4e6e-7c5b-7a57-9d3e-2f7a1c0b9e44" (default), f "2026-11-14" (default), g {"list": [1]} (default)
  `,
);

table(
  "updates: absent keeps, null clears",
  thing(
    "field a { type string, nullable, validate { minLength(3) } } field b { type integer, default 1 }",
    "update endpoint {}",
  ),
  `
  {}                       → nothing
  {"a": null}              → a null
  {"b": null}              → /b null: must not be null
  {"a": "x"}               → /a min-length: must have at least 3 characters
  {"a": "xyz", "b": 2}     → a "xyz", b 2
  `,
  "update",
);

table(
  "everything at once, one entry per field",
  thing(
    "field title { type string, validate { minLength(2) and maxLength(3) } } field views { type integer, default 0 } field slug { type string }",
  ),
  `
  {"titel": 1, "views": "1"} → /title required: is required | /views type: must be an integer | /slug required: is required | /titel unknown: is not known here; did you mean \`title\`?
  {"title": "a", "title": 5, "slug": "s"} → /title duplicate: is given more than once
  {"title": "ab", "slug": "s", "zzzzzz": {"a": 1, "a": 2}} → /zzzzzz unknown: is not known here
  {"title": "ab", "slug": "s", "x": 1, "x": 2} → /x unknown: is not known here
  {"title": "ab", "slug": "s", "__proto__": {"polluted": 1}, "constructor": 1, "toString": 2} → /__proto__ unknown: is not known here | /constructor unknown: is not known here | /toString unknown: is not known here
  {"title": "ab", "slug": "s", "a/b~c": 1, "": 2} → /a~1b~0c unknown: is not known here | / unknown: is not known here
  {"title": "ab", "slug": "s", "id": 7} → /id unknown: is not known here
  `,
);

table(
  "bodies that are no objects, and no JSON",
  thing("field a { type string }"),
  String.raw`
  null     →  type: must be an object
  5        →  type: must be an object
  1e400    →  type: must be an object
  "text"   →  type: must be an object
  []       →  type: must be an object
  {        → malformed: The body is not JSON: expected a key in double quotes or "}", found the end of the body (line 1, column 2)
  {"a": 01} → malformed: The body is not JSON: expected "," or "}", found "1" (line 1, column 8)
  {"a": .5} → malformed: The body is not JSON: expected a value, found "." (line 1, column 7)
  {"a": "x",} → malformed: The body is not JSON: expected a key in double quotes, found "}" (line 1, column 11)
  {"a": 'x'} → malformed: The body is not JSON: expected a value, found "'" (line 1, column 7)
  {"a": "\x"} → malformed: The body is not JSON: an escape that JSON does not know (line 1, column 8)
  {"a": "x"} {} → malformed: The body is not JSON: expected the end of the body, found "{" (line 1, column 12)
  {"a": NaN} → malformed: The body is not JSON: expected a value, found "N" (line 1, column 7)
  {"a": undefined} → malformed: The body is not JSON: expected a value, found "u" (line 1, column 7)
  {"a" "x"} → malformed: The body is not JSON: expected ":", found "\"" (line 1, column 6)
  a=b      → malformed: The body is not JSON: expected a value, found "a" (line 1, column 1)
  `,
);

const BLOG = `
model Post { field title { type string } relation notes { from Note, through post } }
model Note { field text { type string, validate { minLength(3) } } field stars { type integer, default 5 } reference post { to Post } }
api { entrypoint Post as post { update endpoint as changed {
  extra inputs { field reason { type string } field twice { type integer, default 2 } }
  action {
    update { input { title } }
    validate with key "reason" { length(reason) > twice }
    create post.notes as note { input { text, stars } }
  }
} } }`;

table(
  "inputs of other actions stand under their alias",
  BLOG,
  `
  {"reason": "why", "note": {"text": "abc"}} → reason "why", twice 2 (default), note.text "abc", note.stars 5 (default)
  {"reason": "why", "note": {"text": "ab", "extra": 1, "stars": null}} → /note/text min-length: must have at least 3 characters | /note/stars null: must not be null | /note/extra unknown: is not known here
  {"reason": "why"}                    → /note required: is required
  {"reason": "why", "note": null}      → /note null: must not be null
  {"reason": "why", "note": []}        → /note type: must be an object
  {"reason": "why", "note": {}, "note": {}} → /note duplicate: is given more than once
  {"reason": "why", "note": {"text": "abc", "text": "abc"}} → /note/text duplicate: is given more than once
  `,
  "update",
);

test("a byte order mark and line breaks are no problem", async () => {
  const subject = requestOf(thing("field a { type string }"));
  expect(await show(subject, sourceOf('\ufeff\r\n{\t"a" :\n "x" }\n'))).toBe('a "x"');
});

test("positions count lines", async () => {
  const subject = requestOf(thing("field a { type string }"));
  expect(await show(subject, sourceOf('{\n  "a": "x"\n  "b": 1\n}'))).toBe(
    'malformed: The body is not JSON: expected "," or "}", found "\\"" (line 3, column 3)',
  );
});

test("bytes that are not UTF-8 are told with their place", async () => {
  const subject = requestOf(thing("field a { type string }"));
  const bytes = Buffer.concat([Buffer.from('{"a": "é😀\ufffd'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(await show(subject, sourceOf(bytes))).toBe("malformed: The body is not UTF-8 (line 1, column 12)");
});

test("an empty body is an object without fields, where none is needed", async () => {
  const all = requestOf(thing("field a { type string, nullable }"));
  const some = requestOf(thing("field a { type string }"));
  expect(await show(all, sourceOf(""))).toBe("nothing");
  expect(await show(all, sourceOf(null))).toBe("nothing");
  expect(await show(some, sourceOf(""))).toBe("malformed: The body is empty; a JSON object is needed");
});

test("more mistakes than anybody reads are counted", async () => {
  const { request } = requestOf(thing("field a { type string }"));
  const body = JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i])));
  const result = await request.read({
    ...sourceOf(body),
    body: Buffer.from(body.slice(0, 1_000_000).replace(/,[^,]*$/, "}")),
  });
  expect(result).toMatchObject({ code: "validation" });
  if (result.kind !== "problem") throw new Error("no problem");
  expect(result.errors).toHaveLength(100);
  expect(result.detail).toMatch(/^\d+ inputs are not valid; the first 100 are told$/);
});

test("inputs are found by path and by slot", async () => {
  const { request } = requestOf(BLOG, "update");
  const inputs = await request.read(sourceOf('{"reason": "why", "note": {"text": "abc"}}'));
  if (inputs.kind !== "inputs") throw new Error("no inputs");
  expect(inputs.get(["note", "text"])).toEqual({ given: true, from: "request", value: "abc" });
  expect(inputs.at(request.slot(["note", "stars"]).index)).toEqual({
    given: false,
    from: "default",
    value: 5,
  });
  expect(inputs.get(["title"])).toEqual({ given: false, from: "nothing", value: null });
  expect([...inputs.extras()]).toEqual([
    ["reason", "why"],
    ["twice", 2],
  ]);
  expect(() => inputs.get(["nope"])).toThrow("no field");
});

test("a default that mentions records is left to those who have them", async () => {
  const subject = requestOf(
    thing(
      "field a { type string } field b { type integer }",
      "update endpoint { action { update { input { a { default thing.a } } } } }",
    ),
    "update",
  );
  expect(await show(subject, sourceOf("{}"))).toBe("a null (later)");
  expect(await show(subject, sourceOf('{"a": "x"}'))).toBe('a "x"');
});
