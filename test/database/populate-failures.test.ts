// A row that fails: everything is rolled back, and the report has the row, the place and the reason.

import { describe, expect, test } from "vitest";
import { emptyTables, type Progress } from "../../packages/database/src/populate/index.js";
import { testDatabase } from "../../packages/database/test/server.js";
import { compileSource, failureOf, prepare, programIn } from "./populate-run.js";

describe("what the database refuses", () => {
  test("a value that must be unique", async () => {
    const { run, values, database } = await prepare(`
model User { field email { type string, unique } field pin { type string, secret } }
populator Dev {
  populate User {
    repeat as i 5
    set email "u" + stringify(i.current % 4)
    set pin "1234"
  }
}`);
    const error = await failureOf(run());
    expect(error.message).toBe(
      "app.stoa:6:5: A record of `User` could not be populated: `User.email` must be unique, and `u1` is there already.",
    );
    expect(error.values).toEqual({ id: 5, email: "u1", pin: "(secret)" });
    expect(error.hint).toContain("number of the iteration");
    expect(await values(`select count(*)::int from "user"`)).toEqual([0]);
    await database.execute(`insert into "user" (email, pin) values ('a', 'b')`);
    expect(await values(`select id from "user"`)).toEqual(["1"]);
  });

  test("two members that must be unique together, one of them a reference", async () => {
    const { run } = await prepare(`
model A { relation bs { from B, through a } }
model B { field n { type integer } reference a { to A } unique { a, n } }
populator Dev { populate A { populate bs { repeat 2, set n 7 } } }`);
    const error = await failureOf(run());
    expect(error.reason).toBe("`B.n` and `B.a_id` must be unique, and `7, 1` is there already.");
    expect(error.values).toEqual({ id: 2, n: 7, a_id: 1 });
  });

  test("a secret that must be unique is not shown", async () => {
    const { run } = await prepare(`
model User { field token { type string, secret, unique } }
populator Dev { populate User { repeat 2, set token "hush" } }`);
    const error = await failureOf(run());
    expect(error.reason).toBe("`User.token` must be unique, and that value is there already.");
    expect(JSON.stringify([error.message, error.values, error.hint])).not.toContain("hush");
  });

  test("a reference to nothing", async () => {
    const { run } = await prepare(`
model A { reference other { to A, nullable } field n { type integer } }
populator Dev {
  populate A { repeat as i 4, set n i.current, set other_id i.current % 3 * 7 + 1 }
}`);
    const error = await failureOf(run());
    expect(error.reason).toBe("`A.other_id` refers to a record that is not there: 8.");
    expect(error.values).toEqual({ id: 1, other_id: 8, n: 1 });
    expect(error.place).toEqual({ file: "app.stoa", line: 4, column: 48 });
  });

  test("a decimal with too many digits", async () => {
    const { run } = await prepare(`
model A { field price { type decimal(4, 2) } }
populator Dev { populate A { repeat as i 3, set price i.current * 60 } }`);
    const error = await failureOf(run());
    expect(error.reason).toContain("numeric field overflow");
    expect(error.values).toEqual({ id: 2, price: "120.00" });
    expect(error.place?.line).toBe(3);
  });

  test("a row in a later batch", async () => {
    const { run, values } = await prepare(`
model A { field n { type integer, unique } field text { type string } relation bs { from B, through a } }
model B { field n { type integer, unique } field text { type string } reference a { to A } }
populator Dev {
  populate A {
    repeat as i 20
    set n i.current
    set text fake("words", 1000)
    populate bs { repeat as j 20, set n coalesce(null, (i.current - 1) * 20 + j.current) % 399, set text fake("words", 1000) }
  }
}`);
    const error = await failureOf(run());
    expect(error.values).toMatchObject({ id: 400, n: 1, a_id: 20 });
    expect(await values("select count(*)::int from a")).toEqual([0]);
  });
});

describe("what has no value", () => {
  test.each([
    ["integer", "9007199254740991 + i.current", "The result is not an integer"],
    ["float", "1 / (i.current - 1)", "The divisor is zero"],
    ["integer", "5 % (i.current - 1)", "The divisor is zero"],
  ])("%s %s", async (type, expression, wanted) => {
    const { run, values } = await prepare(`
model A { field before { type integer } field x { type ${type} } }
populator Dev {
  populate A { set before 1, set x 1 }
  populate A { repeat as i 2
    set before 7
    set x ${expression} }
}`);
    const error = await failureOf(run());
    expect(error.reason).toContain(wanted);
    expect(error).toMatchObject({ model: "A", values: { before: 7 }, place: { line: 7, column: 5 } });
    expect(await values("select count(*)::int from a")).toEqual([0]);
  });

  test("a number of repeats", async () => {
    const { run } = await prepare(`
model A { field n { type integer } }
populator Dev { populate A { repeat 9007199254740991 * 2, set n 1 } }`);
    const error = await failureOf(run());
    expect(error.message).toBe(`app.stoa:3:17: ${error.reason}`);
  });
});

describe("what can never work is found before anything runs", () => {
  const MODELS = `
model Author {
  field name { type string }
  relation books { from Book, through author }
  computed total { count(books) }
  query first { from books, limit 3 }
}
model Book {
  field n { type integer }
  reference author { to Author }
  relation notes { from Note, through book }
}
model Note { field text { type string } reference book { to Book } }
`;
  const block = (set: string): string =>
    `${MODELS}populator Dev { populate Author as author { set name "a", populate books as book { ${set} } } }`;

  test.each([
    ["set n count(author.books)", "`author.books` cannot be read here: it is a relation"],
    ["set n count(author.first)", "`author.first` cannot be read here: it is a query"],
    ["set n author.total", "`books` cannot be read here: it is a relation"],
    ["repeat count(author.books), set n 1", "`author.books` cannot be read here"],
  ])("%s", async (set, wanted) => {
    const { run, rows } = await prepare(block(set));
    const error = await failureOf(run());
    expect(error.reason).toContain(wanted);
    expect(error.place?.line).toBe(14);
    expect(await rows("select id from author")).toEqual([]);
  });

  test("a record that is only known by its id", async () => {
    const { run } = await prepare(`${MODELS}
populator Dev {
  populate Author { set name "a" }
  populate Book as book { set n 1, set author_id 1, populate notes { set text book.author.name } }
}`);
    expect((await failureOf(run())).reason).toBe("`book.author` cannot be read here: only its id was set.");
  });

  test("an unknown populator", async () => {
    const { run } = await prepare(
      `${MODELS} populator Dev { populate Author { set name "a" } } populator Big {}`,
    );
    const error = await failureOf(run({ name: "Bog" }));
    expect([error.reason, error.hint]).toEqual(["There is no populator `Bog`.", "there is `Big`, `Dev`"]);
  });

  test("a database without the tables", async () => {
    const { database } = await testDatabase();
    const definition = compileSource(`${MODELS} populator Dev { populate Author { set name "a" } }`);
    const { run } = programIn(database, definition);
    expect((await failureOf(run())).hint).toBe("push the schema first");
    expect((await failureOf(emptyTables(database, definition))).hint).toBe("push the schema first");
  });

  test("a table without one of the columns", async () => {
    const { run, database } = await prepare(`${MODELS} populator Dev { populate Author { set name "a" } }`);
    await database.execute("alter table author drop column name");
    expect((await failureOf(run())).hint).toBe("push the schema first");
  });
});

describe("progress", () => {
  const MODELS = `
model A { field text { type string } relation bs { from B, through a } }
model B { field text { type string } reference a { to A } relation cs { from C, through b } }
model C { reference b { to B } }
`;

  test("rows, total and estimate", async () => {
    const { run } = await prepare(`${MODELS}
populator Dev {
  populate A { repeat 10, set text fake("words", 500)
    populate bs { repeat 100, set text fake("words", 500) } }
}`);
    const seen: Progress[] = [];
    const summary = await run({ onProgress: (progress) => seen.push(progress) });
    expect(seen.length).toBeGreaterThan(4);
    expect(seen.every(({ total }) => total === 1010)).toBe(true);
    expect(seen.at(-1)).toMatchObject({ rows: 1010, remainingMs: 0 });
    expect(seen.map(({ rows }) => rows)).toEqual(seen.map(({ rows }) => rows).sort((a, b) => a - b));
    expect(seen[0]?.rowsPerSecond).toBeGreaterThan(0);
    expect(summary.rows).toBe(1010);
    expect(summary.durationMs).toBeGreaterThan(0);
  });

  test.each([
    ['repeat 3, set text ""', 3],
    ['repeat as i 4, set text "", populate bs { repeat i.current, set text "" }', 4 + 10],
    [
      'repeat as i { start 3, end 5 }, set text "", populate bs { repeat as j i.total, set text "", populate cs { repeat j.current % 2 } }',
      3 + 9 + 6,
    ],
    ['repeat fake("integer", 2, 2), set text ""', null],
    ['set text "abc", populate bs { repeat length(a.text), set text "" }', null],
    ['set text ""', 1],
  ])("%s: %s", async (body, total) => {
    const { run } = await prepare(`${MODELS} populator Dev { populate A as a { ${body} } }`);
    const seen: Progress[] = [];
    const summary = await run({ onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)?.total).toBe(total);
    if (total !== null) expect(summary.rows).toBe(total);
  });
});

describe("giving up", () => {
  test("rolls everything back", async () => {
    const { run, values } = await prepare(`
model A { field text { type string } }
populator Dev { populate A { repeat 100000, set text "some text that is not so very short, so that batches fill" } }`);
    const controller = new AbortController();
    const running = run({
      signal: controller.signal,
      onProgress: () => controller.abort(new Error("stopped")),
    });
    await expect(running).rejects.toThrow("stopped");
    expect(await values("select count(*)::int from a")).toEqual([0]);
  });

  test("an empty populator does nothing", async () => {
    const { run } = await prepare("model A { field n { type integer } } populator Dev {}");
    expect(await run()).toMatchObject({ rows: 0, models: [] });
  });
});

test("other writers wait, and get later ids", async () => {
  const { run, values, database } = await prepare(`
model A { field n { type integer } }
populator Dev { populate A { repeat 20000, set n 1 } }`);
  let other: Promise<void> | undefined;
  await run({
    onProgress: () => {
      other ??= database.execute("insert into a (n) values (2)");
    },
  });
  await other;
  expect(await values("select id from a where n = 2")).toEqual(["20001"]);
});
