// What takes its time: locks that are waited for, and many rows.

import { expect, test } from "vitest";
import { failureOf, prepare } from "./populate-run.js";

const PROGRAM = `
model Author { field name { type string } relation books { from Book, through author } }
model Book { field title { type string } field price { type decimal(8, 2) } reference author { to Author } }
populator Dev {
  populate Author {
    repeat as i 5000
    set name "author " + stringify(i.current)
    populate books { repeat 20, set title fake("sentence"), set price fake("decimal", 1, 9) }
  }
}`;

test("a table that is locked for long", async () => {
  const { run, database } = await prepare(PROGRAM);
  await database.transaction(async (transaction) => {
    await transaction.execute("lock table author in row exclusive mode");
    expect((await failureOf(run())).reason).toBe("The tables are locked by somebody else.");
  });
}, 60_000);

test("a hundred thousand rows, each below its parent", async () => {
  const { run, rows } = await prepare(PROGRAM);
  expect((await run()).rows).toBe(105_000);
  const sql = `select count(*)::int as books, count(distinct b.id)::int as ids, count(distinct a.id)::int as authors
    from book b join author a on a.id = b.author_id and b.id between (a.id - 1) * 20 + 1 and a.id * 20`;
  expect(await rows(sql)).toEqual([{ books: 100_000, ids: 100_000, authors: 5000 }]);
}, 120_000);
