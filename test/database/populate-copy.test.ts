// The text format of COPY against values that try to break out of it, on a real server.

import { type ColumnType, parseDecimal, type Value } from "@stoa/definition";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../packages/database/src/connection/database.js";
import { encoderOf, escapeText } from "../../packages/database/src/populate/copy-text.js";
import { testDatabase } from "../../packages/database/test/server.js";

describe("lines", () => {
  test.each([
    [{ kind: "text" }, "a\tb\nc\rd\\e", "a\\tb\\nc\\rd\\\\e"],
    [{ kind: "text" }, "", ""],
    [{ kind: "text" }, null, "\\N"],
    [{ kind: "text" }, "\\N", "\\\\N"],
    [{ kind: "text" }, "\\.", "\\\\."],
    [{ kind: "bigint" }, -9007199254740991, "-9007199254740991"],
    [{ kind: "double precision" }, 1e21, "1e+21"],
    [{ kind: "boolean" }, true, "t"],
    [{ kind: "boolean" }, false, "f"],
    [{ kind: "numeric" }, parseDecimal("-0.050"), "-0.050"],
    [{ kind: "jsonb" }, { "a\n": "\\" }, '{"a\\\\n":"\\\\\\\\"}'],
    [{ kind: "jsonb" }, "", '""'],
  ] as const)("%# $2", (type, value, wanted) => {
    expect(encoderOf(type as ColumnType)((value ?? null) as Value)).toBe(wanted);
  });
});

const NASTY = [
  "",
  " ",
  "\\",
  "\\\\",
  "\\.",
  "\\N",
  "\\n",
  "\n",
  "\r\n",
  "\t",
  "a\tb",
  "\n\\.\n",
  "NULL",
  "'; drop table t; --",
  '"quoted"',
  "\b\f\v\u0001\u007f\u0085\u2028",
  "ä ß € \u{1f600} \u{10ffff} \ufeff \uffff",
  "e\u0301 é",
  "{}",
  "\\x41",
  "\\101",
  "x".repeat(200_000),
];

describe("on a server", () => {
  let database: Database;

  beforeAll(async () => {
    ({ database } = await testDatabase());
    await database.execute("create table t (n bigint, a text, b jsonb)");
  });

  async function roundTrip(texts: readonly (string | null)[]): Promise<unknown[]> {
    await database.execute("delete from t");
    const [integer, text, json] = (["bigint", "text", "jsonb"] as const).map((kind) => encoderOf({ kind }));
    const lines = texts.map((value, n) => [integer?.(n), text?.(value), json?.(value)].join("\t"));
    async function* chunks(): AsyncIterable<string> {
      yield `${lines.join("\n")}\n`;
    }
    await database.copyFrom("copy t (n, a, b) from stdin", chunks());
    const rows = await database.query<{ a: string | null; b: string | null }>(
      "select a, b #>> '{}' as b from t order by n",
    );
    return rows.map(({ a, b }) => (a === b ? a : { a, b }));
  }

  test("nasty texts arrive as they are, and an empty one is not null", async () => {
    const texts = [...NASTY, null, ...NASTY];
    expect(await roundTrip(texts)).toEqual(texts);
  });

  test("any text arrives as it is", async () => {
    const unit = fc.oneof(
      fc.constantFrom("\\", "\t", "\n", "\r", ".", "N", "\u{1f600}"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((char) => char !== "\u0000"),
    );
    const text = fc.string({ unit, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(text, { nil: null }), { minLength: 1, maxLength: 200 }),
        async (texts) => {
          expect(await roundTrip(texts)).toEqual(texts);
        },
      ),
      { numRuns: 20 },
    );
  });
});

test("a text without anything special is not touched", () => {
  const text = "plain";
  expect(escapeText(text)).toBe(text);
});
