// Fake values: every kind the checker knows, and the same data for the same source and seed.

import { describe, expect, test } from "vitest";
import { FAKE_KINDS as CHECKED_KINDS } from "../../packages/compiler/src/check/fake.js";
import { FAKE_KINDS } from "../../packages/database/src/populate/fake.js";
import { failureOf, type Program, prepare } from "./populate-run.js";

const ARGUMENTS: Readonly<Record<string, string>> = {
  integer: ", 3, 9",
  float: ", 0.5, 1.5",
  decimal: ", 5, 7.125",
  date: ', "2024-02-28", "2024-03-01"',
  datetime: ', "2024-02-28T23:59:00Z", "2024-02-29T00:01:00Z"',
  words: ", 3",
  oneOf: ', ["a", "b"]',
};

const TYPES: Readonly<Record<string, string>> = {
  boolean: "boolean",
  uuid: "uuid",
  pastDate: "date",
  futureDate: "date",
  pastDatetime: "datetime",
  futureDatetime: "datetime",
  integer: "integer",
  float: "float",
  decimal: "decimal",
  date: "date",
  datetime: "datetime",
};

const ALL = `
  model Everything {
    ${FAKE_KINDS.map((kind) => `field ${kind} { type ${TYPES[kind] ?? "string"} }`).join("\n")}
  }
  populator Dev {
    populate Everything {
      repeat 50
      ${FAKE_KINDS.map((kind) => `set ${kind} fake("${kind}"${ARGUMENTS[kind] ?? ""})`).join("\n")}
    }
  }`;

/** Names of columns are in snake case. */
const column = (kind: string): string => kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

async function dump({ rows }: Program, table: string): Promise<unknown> {
  return rows(`select to_jsonb(t) as row from "${table}" t order by id`);
}

test("the kinds are those of the checker", () => {
  expect([...FAKE_KINDS].sort()).toEqual([...CHECKED_KINDS].sort());
});

test("every kind gives values of its type, in its range", async () => {
  const program = await prepare(ALL);
  await program.run();
  for (const kind of FAKE_KINDS) {
    const distinct = `select count(distinct "${column(kind)}")::int as n from everything`;
    const [row] = await program.rows(distinct);
    expect(row?.n, kind).toBeGreaterThan(1);
  }
  const checks = [
    '"integer" between 3 and 9',
    '"float" between 0.5 and 1.5',
    '"decimal" between 5 and 7.125 and scale("decimal") = 3',
    `"date" between '2024-02-28' and '2024-03-01'`,
    `"datetime" between '2024-02-28T23:59:00Z' and '2024-02-29T00:01:00Z'`,
    `past_date between '2025-01-01' and '2025-12-31'`,
    `future_date between '2026-01-02' and '2027-01-01'`,
    `past_datetime < '2026-01-01T00:00:00Z' and future_datetime > '2026-01-01T00:00:00Z'`,
    `email ~ '@example\\.(com|net|org)$' and url ~ '^https://[^/]+\\.example\\.com$'`,
    `array_length(string_to_array(words, ' '), 1) = 3`,
    `one_of in ('a', 'b')`,
    `full_name ~ '^\\S+ \\S+'`,
  ];
  for (const check of checks) {
    expect(await program.values(`select count(*)::int from everything where not (${check})`), check).toEqual([
      0,
    ]);
  }
});

describe("reproducible", () => {
  const SOURCE = `
    model User {
      id { type uuid }
      field name { type string }
      field bornOn { type date }
      field score { type float }
      field token { type uuid, default uuid() }
      field password { type string, secret }
      field email { type string, unique }
      relation posts { from Post, through user }
    }
    model Post { field text { type string } field at { type datetime } reference user { to User } }
    auth { model User, password { identify email, secret password } }
    populator Dev {
      populate User {
        repeat as i 20
        set name fake("fullName")
        set email "u" + stringify(i.current) + "@example.com"
        set bornOn fake("pastDate")
        set score fake("float", 0, 1)
        set password "secret"
        populate posts { repeat fake("integer", 0, 3), set text fake("sentence"), set at fake("datetime", "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z") }
      }
    }`;

  test("the same source and seed give the same rows", async () => {
    const [first, second] = [await prepare(SOURCE), await prepare(SOURCE)];
    await first.run();
    await second.run();
    expect(await dump(second, "user")).toEqual(await dump(first, "user"));
    expect(await dump(second, "post")).toEqual(await dump(first, "post"));
  });

  test("in any environment: these very rows", async () => {
    const program = await prepare(SOURCE);
    await program.run();
    expect(
      await program.rows(
        `select id::text, name, born_on::text, score::text, token::text from "user" order by id limit 2`,
      ),
    ).toMatchInlineSnapshot(`
      [
        {
          "born_on": "2025-10-25",
          "id": "019b76da-a800-7000-85ff-43ac69a5579d",
          "name": "Aaliyah Bosco",
          "score": "0.34556072704304774",
          "token": "3cc58bde-b206-4d4e-8c78-77149197c2fd",
        },
        {
          "born_on": "2025-08-01",
          "id": "019b76da-a800-7001-9a36-7ce44673601d",
          "name": "Clarabelle Osinski",
          "score": "0.5586898284457517",
          "token": "a7211cf6-f3c5-404a-bb78-9172107270d4",
        },
      ]
    `);
    expect(
      await program.rows("select text, at::text, user_id::text from post order by id limit 2"),
    ).toMatchInlineSnapshot(`
      [
        {
          "at": "2020-07-16 04:57:58.289+00",
          "text": "Nostrum terra arto error thorax cibus arbor thalassinus super tabgo.",
          "user_id": "019b76da-a800-7000-85ff-43ac69a5579d",
        },
        {
          "at": "2020-01-07 16:38:39.221+00",
          "text": "Speculum atque stabilis aggredior audio voluntarius denuo timor corrupti.",
          "user_id": "019b76da-a800-7003-b2c2-f3b8fef88e3c",
        },
      ]
    `);
  });

  test("another seed gives other rows", async () => {
    const [first, second] = [await prepare(SOURCE), await prepare(SOURCE)];
    await first.run({ seed: 1 });
    await second.run({ seed: 2 });
    expect(await second.values(`select name from "user" order by id`)).not.toEqual(
      await first.values(`select name from "user" order by id`),
    );
    expect(await second.values(`select min(id::text) from "user"`)).not.toEqual(
      await first.values(`select min(id::text) from "user"`),
    );
  });
});

test("enum values from a list, and null from null", async () => {
  const { run, values } = await prepare(`
    enum Size { small, large }
    model Thing { field size { type Size } }
    populator Dev { populate Thing { repeat 20, set size fake("oneOf", ["small", "large"]) } }`);
  await run();
  expect((await values("select distinct size from thing order by size")).sort()).toEqual(["large", "small"]);
});

test.each([
  ['fake("integer", 9, 3)', "no value from 9 to 3"],
  ['fake("integer", i.current, i.current - 1)', "no value from 1 to 0"],
])("%s has no value", async (value, wanted) => {
  const { run } = await prepare(`
    model Thing { field n { type integer } }
    populator Dev { populate Thing { repeat as i 2, set n ${value} } }`);
  expect((await failureOf(run())).reason).toContain(wanted);
});
