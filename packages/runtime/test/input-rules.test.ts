import { describe, expect, test } from "vitest";
import { compileRule, type ValidatorHooks } from "../src/input/index.js";
import { casesOf, compileSource, NOW, requestOf, show, sourceOf, thing } from "./input-notation.js";

const OWN = `
validator isSlug { arg value { type string } assert { value is lower(value) and not contains(value, " ") }
  error { code "slug", message "must be in small letters, without blanks" } }
validator isBetween { arg value { type decimal } arg low { type decimal } arg high { type decimal, nullable }
  assert { value >= low and (high is null or value <= high) } error { code "out-of-range" } }
validator divides { arg value { type integer } assert { 12 % value is 0 } error { code "divides" } }
validator isSmall { arg value { type integer } assert { value * 9007199254740991 > 0 } error { code "small" } }
`;

/** The rule of a field of a type, and the values that are sent for it. */
function rules(type: string, rule: string, cases: string): void {
  describe(`${type}: ${rule}`, () => {
    const subject = requestOf(`${OWN} ${thing(`field x { type ${type}, nullable, validate { ${rule} } }`)}`);
    for (const { sent, becomes } of casesOf(cases)) {
      test(sent, async () => {
        const shown = await show(subject, sourceOf(`{"x": ${sent}}`));
        expect(shown.startsWith("/x ") ? shown.slice(3) : "passes").toBe(becomes);
      });
    }
  });
}

rules(
  "string",
  "minLength(2) and maxLength(3)",
  `
  null   → passes
  "a"    → min-length: must have at least 2 characters
  "ab"   → passes
  "😀"   → min-length: must have at least 2 characters
  "😀😀😀" → passes
  "abcd" → max-length: must have at most 3 characters
  `,
);
rules(
  "string",
  "not minLength(1)",
  `
  "" → passes
  "a" → not-min-length: must have fewer than 1 character
`,
);
rules(
  "integer",
  "min(0) and max(10)",
  `
  0  → passes
  -1 → min: must be at least 0
  11 → max: must be at most 10
`,
);
rules(
  "decimal(8, 2)",
  "min(0) and max(99.99)",
  `
  "99.99" → passes
  100     → max: must be at most 99.99
  "-0.01" → min: must be at least 0
`,
);
rules(
  "date",
  'min("1900-01-01") and max(today())',
  `
  "1900-01-01" → passes
  "1899-12-31" → min: must be at least 1900-01-01
  "2026-11-15" → max: must be at most 2026-11-14
`,
);
rules(
  "datetime",
  'max("2026-01-01T00:00:00Z")',
  `
  "2026-01-01T01:00:00+01:00" → passes
  "2026-01-01T01:00:00Z"      → max: must be at most 2026-01-01T00:00:00.000Z
`,
);
rules(
  "string",
  'max("b")',
  `
  "az" → passes
  "ba" → max: must be at most b
`,
);
rules(
  "string",
  String.raw`matches("^[A-Z]{2}-\\d{4}$")`,
  String.raw`
  "AB-1234"   → passes
  "AB-1234\n" → pattern: must match the pattern ^[A-Z]{2}-\d{4}$
  "xAB-1234"  → pattern: must match the pattern ^[A-Z]{2}-\d{4}$
`,
);
rules(
  "string",
  'oneOf("white", "black") and not oneOf("black")',
  `
  "white" → passes
  "red"   → one-of: must be one of: white, black
  "black" → not-one-of: must not be one of: black
`,
);
rules(
  "integer",
  "oneOf(1, 2)",
  `
  2 → passes
  3 → one-of: must be one of: 1, 2
`,
);
rules(
  "decimal",
  "oneOf(1, 2.50)",
  `
  "1.00" → passes
  "2.5"  → passes
  3      → one-of: must be one of: 1, 2.50
`,
);
rules(
  "string",
  "isEmail()",
  `
  "a@b.c"                    → passes
  "first.last+tag@sub.example.org" → passes
  "jürgen@müller.de"         → passes
  "a@b"                      → email: must be an e-mail address
  "a@@b.c"                   → email: must be an e-mail address
  "@b.c"                     → email: must be an e-mail address
  "a@"                       → email: must be an e-mail address
  "a b@c.d"                  → email: must be an e-mail address
  ".a@b.c"                   → email: must be an e-mail address
  "a..b@c.d"                 → email: must be an e-mail address
  "a@-b.c"                   → email: must be an e-mail address
  "a@b..c"                   → email: must be an e-mail address
  "a@127.0.0.1"              → email: must be an e-mail address
  "a@b.c\\n"                 → email: must be an e-mail address
  "${"a".repeat(65)}@b.c"    → email: must be an e-mail address
  ""                         → email: must be an e-mail address
`,
);
rules(
  "string",
  "isUrl()",
  `
  "https://example.org"      → passes
  "HTTP://example.org:8080/a?b=c#d" → passes
  "https://müller.de/ä"      → passes
  "http://[::1]/"            → passes
  "ftp://example.org"        → url: must be a URL that begins with http:// or https://
  "javascript:alert(1)"      → url: must be a URL that begins with http:// or https://
  "https://"                 → url: must be a URL that begins with http:// or https://
  "https:///path"            → url: must be a URL that begins with http:// or https://
  "https:example.org"        → url: must be a URL that begins with http:// or https://
  "https://exa mple.org"     → url: must be a URL that begins with http:// or https://
  "https://a/b c"            → url: must be a URL that begins with http:// or https://
  "https://a:99999/"         → url: must be a URL that begins with http:// or https://
  "//example.org"            → url: must be a URL that begins with http:// or https://
  "example.org"              → url: must be a URL that begins with http:// or https://
`,
);
rules(
  "string",
  "isSlug()",
  `
  "abc" → passes
  "A"   → slug: must be in small letters, without blanks
`,
);
rules(
  "string",
  "not isSlug()",
  `
  "A"   → passes
  "abc" → not-slug: is not allowed
`,
);
rules(
  "integer",
  "isBetween(1, 5)",
  `
  5 → passes
  6 → out-of-range: is not valid
`,
);
rules(
  "integer",
  "isBetween(1, null)",
  `
  60 → passes
  0  → out-of-range: is not valid
`,
);
rules(
  "integer",
  "divides()",
  `
  4 → passes
  5 → divides: is not valid
  0 → division-by-zero: cannot be tested: the divisor is zero
`,
);
rules(
  "integer",
  "not divides()",
  `
  0 → division-by-zero: cannot be tested: the divisor is zero
`,
);
rules(
  "integer",
  "isSmall()",
  `
  1 → passes
  2 → integer-out-of-range: cannot be tested: the result is not an integer from -9007199254740991 to 9007199254740991
`,
);
rules(
  "string",
  "isUrl() or (minLength(3) and isSlug())",
  `
  "https://a.b" → passes
  "abc"         → passes
  "a"           → url: must be a URL that begins with http:// or https://, or must have at least 3 characters
  "ABC"         → url: must be a URL that begins with http:// or https://, or must be in small letters, without blanks
`,
);
rules(
  "string",
  "not (minLength(3) and isSlug())",
  `
  "a"   → passes
  "ABC" → passes
  "abc" → not-min-length: must have fewer than 3 characters, or is not allowed
`,
);
rules(
  "string",
  "not (minLength(3) or isSlug())",
  `
  "A"   → passes
  "a"   → not-slug: is not allowed
  "ABC" → not-min-length: must have fewer than 3 characters
`,
);
rules(
  "string",
  "not not isSlug()",
  `
  "A" → slug: must be in small letters, without blanks
`,
);

test("arguments are told as params", async () => {
  const { request } = requestOf(
    `${OWN} ${thing(`field a { type integer, validate { isBetween(1, 5) } } field b { type string, validate { minLength(2) } }
      field c { type string, validate { oneOf("x", "y") } } field d { type decimal, validate { isBetween(1.5, null) } }`)}`,
  );
  const result = await request.read(sourceOf('{"a": 9, "b": "", "c": "", "d": 0}'));
  expect(result).toMatchObject({
    code: "validation",
    detail: "4 inputs are not valid",
    errors: [
      { path: "/a", params: { low: "1", high: "5" } },
      { path: "/b", params: { min: 2 } },
      { path: "/c", params: { values: ["x", "y"] } },
      { path: "/d", params: { low: "1.5" } },
    ],
  });
});

describe("hooks of validators", () => {
  const SOURCE = `
    validator isFree { arg value { type string } arg kind { type string }
      assert { hook { arg name value, arg kind kind, source isFree from "./x.ts" } } error { code "taken", message "is taken" } }
    ${thing(`field a { type string, validate { isFree("a") and minLength(2) } } field b { type string, validate { isFree("b") or minLength(3) } }
      field c { type string, nullable, validate { not isFree("c") } } field n { type integer }`)}`;
  const calls: unknown[] = [];
  const hooks: ValidatorHooks = {
    find: () => async (args, context) => {
      calls.push([args, context]);
      if (args.name === "boom") throw new Error("boom");
      return args.name === "odd" ? 1 : args.name === "free";
    },
  };
  const subject = requestOf(SOURCE, "create", { hooks });
  const run = async (body: object): Promise<string> => {
    calls.length = 0;
    return show(subject, { ...sourceOf(JSON.stringify(body)), hookContext: "context" });
  };

  test("get their arguments and the context", async () => {
    expect(await run({ a: "free", b: "free", n: 1 })).toBe('a "free", b "free", n 1');
    expect(calls).toEqual([
      [{ name: "free", kind: "a" }, "context"],
      [{ name: "free", kind: "b" }, "context"],
    ]);
  });

  test("run for fields that are right so far, beside the errors of others", async () => {
    expect(await run({ a: "x", b: "x", n: "1" })).toBe(
      "/a min-length: must have at least 2 characters | /n type: must be an integer | /b taken: is taken, or must have at least 3 characters",
    );
    expect(calls).toHaveLength(1);
  });

  test("can be negated, and are not asked about null", async () => {
    expect(await run({ a: "free", b: "free", c: "free", n: 1 })).toBe("/c not-taken: is not allowed");
    expect(await run({ a: "free", b: "free", c: null, n: 1 })).toBe('a "free", b "free", c null, n 1');
  });

  test("that fail are no fault of the client", async () => {
    await expect(run({ a: "boom", b: "free", n: 1 })).rejects.toThrow("boom");
    await expect(run({ a: "odd", b: "free", n: 1 })).rejects.toThrow("gave a number, not true or false");
  });

  test("must be there when the request is compiled", () => {
    expect(() => requestOf(SOURCE)).toThrow("no code for isFree");
  });
});

test("rules of `validate` actions name their values", () => {
  const definition = compileSource(
    thing(
      "field a { type string }",
      `POST one "x" { extra inputs { field code { type string, nullable } field size { type integer } }
        action { validate with key "code" { minLength(code, 4) and not (size > 5) } update thing { set a "x" } } }`,
    ),
  );
  const action = definition.apis[0]?.entrypoints[0]?.endpoints[0]?.actions[0];
  if (action?.kind !== "validate") throw new Error("no validate action");
  const rule = compileRule({ definition, hooks: { find: () => () => true } }, action.rule, {
    kind: "any",
    nullable: true,
  });
  const check = (code: string | null, size: number) =>
    rule.check(null, {
      scope: {
        now: () => NOW,
        inputs: new Map<string, string | number | null>([
          ["code", code],
          ["size", size],
        ]),
      },
      hookContext: null,
    });
  expect(check("abcd", 5)).toBeNull();
  expect(check(null, 5)).toBeNull();
  expect(check("abc", 5)).toMatchObject({ code: "min-length" });
  expect(check("abcd", 6)).toMatchObject({ code: "condition" });
});
