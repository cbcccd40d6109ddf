// Populators on a real server: what ends up in the tables.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emptyTables } from "../../packages/database/src/populate/index.js";
import { prepare } from "./populate-run.js";

const LIBRARY = `
model Author {
  field name { type string }
  relation books { from Book, through author }
  computed shout { upper(name) + "!" }
}
model Book {
  field title { type string }
  reference author { to Author, on delete cascade }
  relation reviews { from Review, through book }
}
model Review {
  field text { type string }
  reference book { to Book, on delete cascade }
}
`;

describe("repeat and nesting", () => {
  test("a block without repeat makes one record", async () => {
    const { run, values } = await prepare(`${LIBRARY} populator Dev { populate Author { set name "A" } }`);
    const summary = await run();
    expect(await values("select name from author")).toEqual(["A"]);
    expect(summary).toMatchObject({ populator: "Dev", rows: 1, models: [{ model: "Author", rows: 1 }] });
  });

  test("counts and ranges, with the iterator's current and total", async () => {
    const { run, values } = await prepare(`${LIBRARY}
      populator Dev {
        populate Author { repeat as i 3, set name stringify(i.current) + "/" + stringify(i.total) }
        populate Author { repeat as i { start 5, end 7 }, set name stringify(i.current) + "/" + stringify(i.total) }
        populate Author { repeat 0, set name "never" }
        populate Author { repeat 2, set name "plain" }
      }`);
    await run();
    const names = ["1/3", "2/3", "3/3", "5/3", "6/3", "7/3", "plain", "plain"];
    expect(await values("select name from author order by id")).toEqual(names);
  });

  test("nested blocks see the records and iterators above them, and set the reference", async () => {
    const { run, rows } = await prepare(`${LIBRARY}
      populator Dev {
        populate Author as author {
          repeat as i 2
          set name "A" + stringify(i.current)
          populate books as book {
            repeat as j i.current
            set title author.name + "-B" + stringify(j.current)
            populate reviews {
              repeat as k { start 1, end i.total }
              set text author.shout + " " + book.title + " " + stringify(k.current) + " " + book.author.name + " " + stringify(book.author_id)
            }
          }
        }
      }`);
    const summary = await run();
    const found = await rows(`select a.name, b.title, r.text from review r
      join book b on b.id = r.book_id join author a on a.id = b.author_id order by r.id`);
    expect(found.map((row) => Object.values(row).join(" | "))).toEqual([
      "A1 | A1-B1 | A1! A1-B1 1 A1 1",
      "A1 | A1-B1 | A1! A1-B1 2 A1 1",
      "A2 | A2-B1 | A2! A2-B1 1 A2 2",
      "A2 | A2-B1 | A2! A2-B1 2 A2 2",
      "A2 | A2-B2 | A2! A2-B2 1 A2 2",
      "A2 | A2-B2 | A2! A2-B2 2 A2 2",
    ]);
    expect(summary.models).toEqual([
      { model: "Author", rows: 2 },
      { model: "Book", rows: 3 },
      { model: "Review", rows: 6 },
    ]);
  });

  test("a single relation", async () => {
    const { run, rows } = await prepare(`
      model User { field name { type string } relation profile { from Profile, through user } }
      model Profile { field bio { type string } reference user { to User, unique } }
      populator Dev {
        populate User as user { repeat 2, set name "u", populate profile { set bio "of " + stringify(user.id) } }
      }`);
    await run();
    expect(await rows("select user_id, bio from profile order by id")).toEqual([
      { user_id: "1", bio: "of 1" },
      { user_id: "2", bio: "of 2" },
    ]);
  });

  test("eight levels deep", async () => {
    const models = Array.from({ length: 8 }, (_, n) =>
      n === 0
        ? "model M0 { relation next { from M1, through up } }"
        : `model M${n} { reference up { to M${n - 1} } ${n < 7 ? `relation next { from M${n + 1}, through up }` : ""} }`,
    );
    const blocks = (n: number): string => (n === 8 ? "" : `populate next { repeat 2 ${blocks(n + 1)} }`);
    const { run, values } = await prepare(`${models.join("\n")}
      populator Dev { populate M0 { repeat 2 ${blocks(1)} } }`);
    const summary = await run();
    expect(summary.rows).toBe(2 + 4 + 8 + 16 + 32 + 64 + 128 + 256);
    expect(await values("select count(distinct up_id)::int from m7")).toEqual([128]);
  });
});

describe("what nothing is said about", () => {
  const MODELS = `
    enum Size { small, large }
    model Thing {
      field code { type uuid, default uuid() }
      field size { type Size, default "large" }
      field count { type integer, default 2 * 3 }
      field price { type decimal(8, 2), default "1.5" }
      field ratio { type float, default 1 }
      field madeAt { type datetime, default now() }
      field madeOn { type date, default today() }
      field data { type json, default { tags: ["a", "b"], n: 1 } }
      field note { type string, nullable }
      reference other { to Thing, nullable }
      timestamps
    }
    populator Dev { populate Thing { repeat 2 } }`;

  test("defaults, timestamps and null", async () => {
    const { run, rows } = await prepare(MODELS);
    await run({ now: "2026-03-04T06:06:07.123456+01:00" });
    const [first, second] =
      await rows(`select code::text, size, count::text, price::text, ratio::text, note, other_id,
      made_at::text, made_on::text, data::text, created_at::text, updated_at::text from thing order by id`);
    expect(first).toMatchObject({
      size: "large",
      count: "6",
      price: "1.50",
      ratio: "1",
      note: null,
      other_id: null,
      made_at: "2026-03-04 05:06:07.123456+00",
      made_on: "2026-03-04",
      data: '{"n": 1, "tags": ["a", "b"]}',
      created_at: "2026-03-04 05:06:07.123456+00",
      updated_at: "2026-03-04 05:06:07.123456+00",
    });
    expect(first?.code).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(second?.code).not.toBe(first?.code);
  });

  test("now is the time of the transaction", async () => {
    const { run, values } = await prepare(MODELS);
    await run();
    const sql =
      "select (now() - made_at < interval '1 minute' and made_at <= now() and made_at = created_at)::text from thing";
    expect(await values(sql)).toEqual(["true", "true"]);
  });
});

describe("values", () => {
  test("of every type", async () => {
    const { run, rows } = await prepare(
      `
      enum Size { small, large }
      model Thing {
        field string { type string }
        field integer { type integer }
        field float { type float }
        field decimal { type decimal }
        field money { type decimal(10, 2) }
        field boolean { type boolean }
        field date { type date }
        field datetime { type datetime }
        field uuid { type uuid }
        field json { type json }
        field size { type Size }
      }
      populator Dev {
        populate Thing {
          set string "text"
          set integer -9007199254740991
          set float 0.1
          set decimal "123456789012345678901234567890.123456789"
          set money 3
          set boolean true
          set date "2024-02-29"
          set datetime "2026-01-01T00:00:00.5+02:00"
          set uuid "018F4E6E-7C5B-7A57-9D3E-2F7A1C0B9E44"
          set json { a: [1, 2.5, null], b: { c: "x" } }
          set size "small"
        }
      }`.replace("1.5e0", "0.1"),
    );
    await run();
    expect(
      await rows(`select string, integer::text, float::text, decimal::text, money::text, boolean::text, date::text,
      datetime::text, uuid::text, json::text, size from thing`),
    ).toEqual([
      {
        string: "text",
        integer: "-9007199254740991",
        float: "0.1",
        decimal: "123456789012345678901234567890.123456789",
        money: "3.00",
        boolean: "true",
        date: "2024-02-29",
        datetime: "2025-12-31 22:00:00.5+00",
        uuid: "018f4e6e-7c5b-7a57-9d3e-2f7a1c0b9e44",
        json: '{"a": [1, 2.5, null], "b": {"c": "x"}}',
        size: "small",
      },
    ]);
  });

  test("a decimal is read back as it is stored", async () => {
    const { run, values } = await prepare(
      `
      model Item { field price { type decimal(10, 2) } relation notes { from Note, through item } }
      model Note { field text { type string } reference item { to Item } }
      populator Dev {
        populate Item as item { set price fake("decimal", 3.3333, 3.3333), populate notes { set text stringify(item.price) } }
      }`.replace("10 / 3.000", '"10" * 0.3333'),
    );
    await run();
    expect(await values("select text from note")).toEqual(["3.33"]);
  });

  test("references to records above, and by id", async () => {
    const { run, rows } = await prepare(`
      model User { field name { type string } relation tasks { from Task, through owner } }
      model Task {
        field title { type string }
        reference owner { to User }
        reference helper { to User, nullable }
        reference parent { to Task, nullable }
        relation parts { from Task, through parent }
      }
      populator Dev {
        populate User as boss {
          set name "boss"
          populate tasks as task {
            set title "t"
            set helper_id boss.id
            populate parts as part { set title "p of " + task.owner.name, set owner boss, set helper task.owner }
          }
        }
      }`);
    await run();
    expect(await rows("select title, owner_id, helper_id, parent_id from task order by id")).toEqual([
      { title: "t", owner_id: "1", helper_id: "1", parent_id: null },
      { title: "p of boss", owner_id: "1", helper_id: "1", parent_id: "1" },
    ]);
  });

  test("members may have any name", async () => {
    const { run, rows } = await prepare(`
      model Odd {
        field constructor { type string } field __proto__ { type string } field hasOwnProperty { type string }
        relation more { from Odd2, through odd }
      }
      model Odd2 { field text { type string } reference odd { to Odd } }
      populator Dev {
        populate Odd as odd {
          set constructor "c" set __proto__ "p" set hasOwnProperty "h"
          populate more { set text odd.constructor + odd.__proto__ + odd.hasOwnProperty }
        }
      }`);
    await run();
    expect(await rows("select text from odd2")).toEqual([{ text: "cph" }]);
  });

  test("field rules are not run", async () => {
    const { run } = await prepare(`
      model User { field name { type string, validate { minLength(20) } } }
      populator Dev { populate User { set name "short" } }`);
    expect((await run()).rows).toBe(1);
  });
});

describe("ids", () => {
  const PROGRAM = `${LIBRARY}
    populator Dev {
      populate Author { repeat 3, set name "a", populate books { repeat 2, set title "b" } }
    }`;

  test("are distinct, and the sequences go on after them", async () => {
    const { run, values, database } = await prepare(PROGRAM);
    await run();
    expect(await values("select id from author order by id")).toEqual(["1", "2", "3"]);
    expect(await values("select author_id from book order by id")).toEqual(["1", "1", "2", "2", "3", "3"]);
    await database.execute("insert into author (name) values ('next')");
    await database.execute("insert into book (title, author_id) values ('next', 1)");
    expect(await values("select id from author where name = 'next'")).toEqual(["4"]);
    expect(await values("select id from book where title = 'next'")).toEqual(["7"]);
    await run();
    expect(await values("select max(id) from author")).toEqual(["7"]);
  });

  test("begin after the greatest one, also where the sequence is behind", async () => {
    const { run, values, database } = await prepare(PROGRAM);
    await database.execute("insert into author (id, name) overriding system value values (40, 'by hand')");
    await run();
    expect(await values("select id from author order by id")).toEqual(["40", "41", "42", "43"]);
    await database.execute("insert into author (name) values ('next')");
    expect(await values("select id from author where name = 'next'")).toEqual(["44"]);
  });

  test("of type uuid are ordered, and differ from run to run", async () => {
    const { run, values } = await prepare(`
      model Event { id { type uuid } field n { type integer } relation parts { from Part, through event } }
      model Part { id { type uuid } reference event { to Event } }
      populator Dev { populate Event { repeat as i 5000, set n i.current, populate parts {} } }`);
    await run();
    await run();
    expect(await values("select n::int from event order by id")).toEqual(
      [1, 2].flatMap(() => Array.from({ length: 5000 }, (_, index) => index + 1)),
    );
    expect(await values("select count(distinct event_id)::int from part")).toEqual([10000]);
    expect(await values("select distinct substr(id::text, 15, 1) from event")).toEqual(["7"]);
  });
});

describe("references in circles", () => {
  test("tables that refer to each other", async () => {
    const { run, rows } = await prepare(`
      model A { reference b { to B, nullable } relation bs { from B, through a } }
      model B { reference a { to A, nullable } relation as { from A, through b } }
      populator Dev {
        populate A { repeat 2, populate bs { populate as { populate bs {} } } }
      }`);
    await run();
    expect(
      await rows("select (select count(*)::int from a) as a, (select count(*)::int from b) as b"),
    ).toEqual([{ a: 4, b: 4 }]);
    expect(await rows("select id, b_id from a order by id")).toEqual([
      { id: "1", b_id: null },
      { id: "2", b_id: "1" },
      { id: "3", b_id: null },
      { id: "4", b_id: "3" },
    ]);
  });

  test("a required reference of a record to itself, by id", async () => {
    const { run, values } = await prepare(`
      model Person { reference chief { to Person } }
      populator Dev { populate Person { repeat as i 5, set chief_id i.current } }`);
    await run();
    expect(await values("select chief_id from person order by id")).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("many levels of one table, over several batches", async () => {
    const { run, values } = await prepare(`
      model Node { field text { type string } reference up { to Node, nullable } relation down { from Node, through up } }
      populator Dev {
        populate Node { repeat 30, set text fake("words", 100)
          populate down { repeat 5, set text fake("words", 100)
            populate down { repeat 5, set text fake("words", 100) } } }
      }`);
    const summary = await run();
    expect(summary.rows).toBe(30 + 150 + 750);
    expect(await values("select count(*)::int from node where up_id is not null")).toEqual([900]);
  });
});

describe("emptyTables", () => {
  test("empties all tables of the definition, and ids begin again", async () => {
    const { run, values, database, definition } = await prepare(`${LIBRARY}
      populator Dev { populate Author { set name "a", populate books { set title "b" } } }`);
    await run();
    await emptyTables(database, definition);
    expect(await values("select count(*)::int from author")).toEqual([0]);
    await run();
    expect(await values("select id from book")).toEqual(["1"]);
  });

  test("with `empty`, before the run and in its transaction", async () => {
    const { run, values } = await prepare(`${LIBRARY}
      populator Dev { populate Author { repeat 2, set name "a" } }
      populator Bad { populate Author { repeat as i 2, set name stringify(1 / (i.current - 2)) } }`);
    await run({ empty: true });
    await run({ empty: true });
    await expect(run({ name: "Bad", empty: true })).rejects.toThrow("The divisor is zero");
    expect(await values("select id from author order by id")).toEqual(["1", "2"]);
    await run();
    expect(await values("select id from author order by id")).toEqual(["1", "2", "3", "4"]);
  });

  test("leaves the tables of others alone", async () => {
    const { run, values, database, definition } = await prepare(`${LIBRARY}
      populator Dev { populate Author { set name "a" } }`);
    await run();
    await database.execute("create table theirs (author_id bigint references author (id))");
    await database.execute("insert into theirs values (1)");
    await expect(emptyTables(database, definition)).rejects.toThrow("theirs");
    expect(await values("select count(*)::int from theirs")).toEqual([1]);
  });
});

test("the example's populator", async () => {
  const folder = new URL("../../examples/bookstore/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".stoa"));
  const { run, values } = await prepare(
    files.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n"),
  );
  expect(await run()).toMatchObject({ rows: 10 + 50 + 150 });
  expect(await values("select title from book where id = 2")).toEqual([
    expect.stringMatching(/^Book 2 of \S+ \S+/),
  ]);
});
