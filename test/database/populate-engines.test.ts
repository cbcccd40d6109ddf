// The evaluator beside PostgreSQL: where its rules are PostgreSQL's, they are the same digit for digit.

import {
  addDecimals,
  compareTexts,
  compileExpression,
  type Decimal,
  decimalText,
  divideDecimals,
  type Expression,
  type FunctionName,
  type Json,
  jsonText,
  multiplyDecimals,
  numberText,
  parseDatetime,
  roundDecimal,
  type Type,
  type Value,
  WHITE_SPACE,
} from "@stoa/definition";
import fc from "fast-check";
import { beforeAll, expect, test, vi } from "vitest";
import type { Database } from "../../packages/database/src/connection/database.js";
import { testDatabase } from "../../packages/database/test/server.js";

vi.setConfig({ testTimeout: 30_000 });

let database: Database;

beforeAll(async () => {
  ({ database } = await testDatabase());
});

const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed: 1 });

/** One text per line of input, worked out by PostgreSQL. Lists of lists go as JSON. */
async function inDatabase(
  expression: string,
  inputs: readonly (readonly (string | number)[])[],
): Promise<unknown[]> {
  const sql = `select (${expression})::text as v from json_array_elements($1::json) with ordinality as r(x, n) order by n`;
  const json = JSON.stringify(inputs.map((input) => input.map(String)));
  return (await database.query<{ v: unknown }>(sql, [json])).map((row) => row.v);
}

const decimal: fc.Arbitrary<Decimal> = fc
  .tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 0, max: 18 }))
  .chain(([digits, scale]) =>
    fc.record({
      units: fc.bigInt({ min: -(10n ** BigInt(digits)), max: 10n ** BigInt(digits) }),
      scale: fc.constant(scale),
    }),
  );

test("decimals: sums, products, quotients and their digits", async () => {
  const pairs = sample(fc.tuple(decimal, decimal), 2000).filter(([, divisor]) => divisor.units !== 0n);
  const inputs = pairs.map(([a, b]) => [decimalText(a), decimalText(b)]);
  const [a, b] = ["(x->>0)::numeric", "(x->>1)::numeric"];
  const check = async (sql: string, operate: (a: Decimal, b: Decimal) => Decimal): Promise<void> =>
    expect(pairs.map(([left, right]) => decimalText(operate(left, right)))).toEqual(
      await inDatabase(sql, inputs),
    );
  await check(`${a} + ${b}`, addDecimals);
  await check(`${a} * ${b}`, multiplyDecimals);
  await check(`${a} / ${b}`, divideDecimals);
});

test("decimals: rounding", async () => {
  const pairs = sample(fc.tuple(decimal, fc.integer({ min: -30, max: 25 })), 1000);
  const inputs = pairs.map(([value, digits]) => [decimalText(value), digits]);
  const rounded = pairs.map(([value, digits]) => decimalText(roundDecimal(value, digits)));
  expect(rounded).toEqual(await inDatabase("round((x->>0)::numeric, (x->>1)::int)", inputs));
});

function call(name: FunctionName, kind: "float" | "string" | "decimal", value: Value): Value {
  const type: Type = { kind, nullable: false };
  const argument: Expression = { kind: "variable", type, variable: "input", name: "x" };
  const expression: Expression = { kind: "call", type, function: name, arguments: [argument] };
  return compileExpression(expression)({ inputs: new Map([["x", value]]) });
}

test("floats: rounding, and their text", async () => {
  const numbers = [
    ...[0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, 2251799813685249.5, 1e15, 123456.5],
    ...sample(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e18, max: 1e18 }), 1000),
  ].map((value) => value + 0);
  const inputs = numbers.map((value) => [String(value)]);
  for (const name of ["round", "floor", "ceil", "abs"] as const) {
    const found = await inDatabase(`to_jsonb(${name}((x->>0)::float8) + 0)`, inputs);
    expect(numbers.map((value) => numberText(call(name, "float", value) as number))).toEqual(found);
  }
  expect(numbers.map(numberText)).toEqual(await inDatabase("to_jsonb((x->>0)::float8)", inputs));
});

test("case: every code point, one by one", async () => {
  const points = Array.from({ length: 0x11_0000 }, (_, code) => code).filter(
    (code) => code > 0 && (code < 0xd800 || code > 0xdfff),
  );
  for (let at = 0; at < points.length; at += 50_000) {
    const text = String.fromCodePoint(...points.slice(at, at + 50_000));
    for (const name of ["lower", "upper"] as const) {
      const [theirs] = await inDatabase(`${name}((x->>0) collate "pg_c_utf8")`, [[text]]);
      const different = differences(text, String(call(name, "string", text)), String(theirs));
      expect(await known(different), name).toEqual([]);
    }
  }
});

function differences(text: string, ours: string, theirs: string): string[] {
  const [mapped, wanted] = [[...ours], [...theirs]];
  expect(mapped.length).toBe(wanted.length);
  return [...text].flatMap((point, index) =>
    mapped[index] === wanted[index] ? [] : [`${point}${mapped[index]}${wanted[index]}`],
  );
}

/** Those whose letters both sides know: each has its own version of Unicode. */
async function known(texts: readonly string[]): Promise<string[]> {
  const assigned = await inDatabase(
    "unicode_assigned(x->>0)",
    texts.map((text) => [text]),
  );
  return texts.filter((text, index) => assigned[index] === "true" && /^\p{Assigned}+$/u.test(text));
}

const anyText = fc.string({ unit: "binary", maxLength: 8 }).filter((text) => !text.includes("\u0000"));

test("texts: order, length, white space", async () => {
  const texts = sample(anyText, 500);
  const sorted = await database.query<{ v: string }>(
    `select v from json_array_elements_text($1::json) as t(v) order by v collate "C"`,
    [JSON.stringify(texts)],
  );
  expect([...texts].sort(compareTexts)).toEqual(sorted.map((row) => row.v));
  const lengths = await inDatabase(
    "length(x->>0)",
    texts.map((text) => [text]),
  );
  expect(texts.map((text) => String([...text].length))).toEqual(lengths);
  const padded = texts.map((text) => `${WHITE_SPACE}${text} x${WHITE_SPACE}`);
  const trimmed = await inDatabase(
    "btrim(x->>0, x->>1)",
    padded.map((text) => [text, WHITE_SPACE]),
  );
  expect(padded.map((text) => call("trim", "string", text))).toEqual(trimmed);
});

test("JSON text is what jsonb prints", async () => {
  const isClean = (json: unknown): boolean => !/\\u0000|\\ud[89ab]/i.test(JSON.stringify(json));
  const values = sample(fc.jsonValue({ stringUnit: "binary" }) as fc.Arbitrary<Json>, 500).filter(isClean);
  const rows = await database.query<{ v: string }>(
    "select (x::jsonb)::text as v from json_array_elements($1::json) with ordinality as r(x, n) order by n",
    [JSON.stringify(values)],
  );
  expect(values.map(jsonText)).toEqual(rows.map((row) => row.v));
});

test("datetimes with offsets and many digits", async () => {
  const texts = sample(
    fc.record({
      at: fc.date({ min: new Date("0002-01-01Z"), max: new Date("9998-12-31Z"), noInvalidDate: true }),
      fraction: fc.integer({ min: 0, max: 999_999_999 }),
      offset: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    }),
    500,
  ).map(({ at, fraction, offset }) => {
    const minutes = Math.abs(offset);
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
      String(part).padStart(2, "0"),
    );
    const digits = String(fraction).padStart(9, "0");
    return `${at.toISOString().slice(0, 19)}.${digits}${offset < 0 ? "-" : "+"}${hours}:${rest}`;
  });
  const format = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
  const found = await inDatabase(
    `to_char((x->>0)::timestamptz at time zone 'UTC', ${format})`,
    texts.map((text) => [text]),
  );
  expect(texts.map(parseDatetime)).toEqual(found);
});
