// Changes of type, value by value: whether a value survives can be asked of any value without an error, and one
// that does can be cast. Over all pairs of types, with values that are almost something else.

import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../packages/database/src/connection/database.js";
import { findCast } from "../../packages/database/src/schema/casts.js";
import { castName } from "../../packages/database/src/schema/column-type.js";
import { quoteLiteral } from "../../packages/database/src/schema/quote.js";
import { testDatabase } from "../../packages/database/test/server.js";

const NUMBERS = ["0", "1", "-1", "42", "9007199254740991", "-9007199254740991"];
const FRACTIONS = ["0.5", "-0.25", "1e15", "123456.789", "0.1"];
const DATES = ["2024-02-29", "2023-12-31", "0001-01-01", "9999-12-31"];

const ALMOST = [
  ...["", " ", "a", "NaN", "Infinity", "-", "+1", "1.", ".5", "007", "-0", "1,5", "1e", "0x10", "١"],
  ...["9007199254740992", "9999999999999999", "1e400", "1e-400", "-1e309", "1.0e5", "0.1e-5"],
  ...["9".repeat(1500), `0.${"1".repeat(900)}`, "0.30000000000000004", "0.300000000000000041"],
  ...["2023-02-29", "2024-2-1", "2024-13-01", "2024-00-10", "2024-01-32", "0000-01-01", "12024-01-01"],
  ...["2024-01-01T00:00:00Z", "2024-02-29T23:59:59.123456+02:00", "2024-02-30T00:00:00Z"],
  ...["2024-01-01T24:00:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00", "2024-01-01T00:00:00+15:00"],
  ...["true", "false", "TRUE", "t", "yes", "null"],
  ...["0190f3d2-0000-7000-8000-00000000000a", "0190F3D2-0000-7000-8000-00000000000A", "0190f3d2"],
  ...['"x"', '{"a": 1}', "[1", "it's", "back\\slash", "line\nbreak", "😀"],
];

const VALUES: Readonly<Record<string, readonly string[]>> = {
  'text COLLATE "C"': [...NUMBERS, ...FRACTIONS, ...DATES, ...ALMOST],
  "character varying(3000)": [...NUMBERS, ...ALMOST],
  bigint: [...NUMBERS, "9223372036854775807", "-9223372036854775808"],
  integer: ["0", "1", "2147483647"],
  "double precision": [...NUMBERS, ...FRACTIONS, "NaN", "Infinity", "-Infinity", "1e308", "5e-324", "-0"],
  numeric: [...NUMBERS, ...FRACTIONS, "NaN", "Infinity", "1e400", "1e-400", "0.1234567890123456789", "1.50"],
  "numeric(10,2)": ["0", "99999999.99", "-1.5"],
  boolean: ["true", "false"],
  date: [...DATES, "infinity", "0044-03-15 BC"],
  timestamptz: ["2024-02-29T00:00:00Z", "2024-02-29T12:30:00.123456Z", "infinity"],
  "timestamp without time zone": ["2024-02-29 00:00:00", "2024-02-29 12:30:00"],
  uuid: ["0190f3d2-0000-7000-8000-00000000000a"],
  jsonb: [
    "null",
    "1",
    "1.5",
    "1e400",
    "9007199254740993",
    "true",
    '"x"',
    '"2024-02-29"',
    '"1"',
    "[1]",
    '{"a": 1}',
  ],
  interval: ["1 day"],
};

const TARGETS = [
  'text COLLATE "C"',
  "bigint",
  "double precision",
  "numeric",
  "numeric(3,1)",
  "numeric(30,10)",
  "boolean",
  "date",
  "timestamptz",
  "uuid",
  "jsonb",
];

let database: Database;

beforeAll(async () => {
  database = (await testDatabase()).database;
});

interface Casted {
  readonly value: string;
  readonly fits: boolean;
  readonly casted: string | null;
}

async function castAll(from: string, to: string): Promise<readonly Casted[]> {
  const cast = findCast(from, to);
  const fits = cast.fits?.("value") ?? "true";
  const rows = (VALUES[from] ?? []).map((value) => `(${quoteLiteral(value)}::${castName(from)})`).join(", ");
  return database.query<Casted & Record<string, unknown>>(
    `SELECT value::text AS value, coalesce(${fits}, false) AS fits,
            (CASE WHEN ${fits} THEN (${cast.using("value")})::${castName(to)} END)::text AS casted
     FROM (VALUES ${rows}) AS list (value)`,
  );
}

describe("no value makes a change of type fail", () => {
  for (const from of Object.keys(VALUES)) {
    test(`from ${from}`, async () => {
      for (const to of TARGETS.filter((type) => type !== from)) {
        for (const { value, fits, casted } of await castAll(from, to)) {
          expect(casted !== null, `${value} from ${from} to ${to}`).toBe(fits);
        }
      }
    });
  }
});

const SURVIVORS: readonly (readonly [from: string, to: string, values: Readonly<Record<string, string>>])[] =
  [
    ['text COLLATE "C"', "bigint", Object.fromEntries(NUMBERS.map((number) => [number, number]))],
    ['text COLLATE "C"', "boolean", { true: "true", false: "false" }],
    [
      'text COLLATE "C"',
      "date",
      {
        "2024-02-29": "2024-02-29",
        "2023-12-31": "2023-12-31",
        "0001-01-01": "0001-01-01",
        "9999-12-31": "9999-12-31",
      },
    ],
    [
      'text COLLATE "C"',
      "timestamptz",
      {
        "2024-01-01T00:00:00Z": "2024-01-01 00:00:00+00",
        "2024-02-29T23:59:59.123456+02:00": "2024-02-29 21:59:59.123456+00",
      },
    ],
    [
      "numeric",
      "numeric(3,1)",
      { "0": "0.0", "1": "1.0", "-1": "-1.0", "42": "42.0", "0.5": "0.5", "0.1": "0.1", "1.50": "1.5" },
    ],
    ["jsonb", "bigint", { "1": "1" }],
    ["jsonb", "date", { '"2024-02-29"': "2024-02-29" }],
    ["bigint", "boolean", { "0": "false", "1": "true" }],
    ["timestamptz", "date", { "2024-02-29 00:00:00+00": "2024-02-29", infinity: "infinity" }],
  ];

describe("exactly these survive", () => {
  for (const [from, to, values] of SURVIVORS) {
    test(`from ${from} to ${to}`, async () => {
      const survivors = (await castAll(from, to)).filter(({ fits }) => fits);
      expect(Object.fromEntries(survivors.map(({ value, casted }) => [value, casted]))).toEqual(values);
    });
  }
});
