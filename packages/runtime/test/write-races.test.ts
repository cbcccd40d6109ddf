// Writes that are overtaken while they wait for a row: whoever holds it changes it, and lets go.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSite, type Question, type RawAnswer, type Site } from "./conformance/site.js";

const source = `
model Maker { field name { type string } }
model Item { field stock { type integer } reference maker { to Maker, nullable } }
api {
  entrypoint Item as item {
    get endpoint {}
    update endpoint {}
    delete endpoint {}
    entrypoint maker { create endpoint {} }
    POST one "sell" {
      authorize { item.stock > 0 }
      action {
        update item as sold { set stock stock - 1 }
        respond { body { stock: sold.stock } }
      }
    }
    POST one "log" {
      authorize { item.stock > 0 }
      action { create Maker as entry { set name "logged" } }
    }
  }
}
model Seat { field left { type integer } field isFree { type boolean, default true } }
model Note { field text { type string } field left { type integer } }
api Hall {
  entrypoint Seat as seat {
    authorize { seat.isFree or seat.left < 10 }
    update endpoint { action { update { input { left } } } }
    POST one "take" {
      authorize { seat.left > 0 }
      action {
        create Note as first { set text "seen" set left seat.left }
        update seat as after { set left left - 1 }
        respond { body { seen: first.left, left: after.left } }
      }
    }
  }
}`;

let site: Site;
beforeAll(async () => {
  site = await openSite({ source, setup: [] });
});
afterAll(() => site.close());

function request(method: string, target: string, tag: string | null, body?: string): Question {
  const match = tag === null ? [] : [["If-Match", tag] as const];
  const type = body === undefined ? [] : [["Content-Type", "application/json"] as const];
  return {
    method,
    target,
    headers: [...match, ...type],
    userId: null,
    ...(body === undefined ? {} : { body }),
  };
}

/** The answer to a request that comes while somebody else is changing the record. */
async function overtaken(change: string, question: Question): Promise<RawAnswer> {
  let answer: Promise<RawAnswer> | undefined;
  await site.database.transaction(async (transaction) => {
    await transaction.execute(change);
    answer = site.send(question);
    await waitsForLock();
  });
  if (answer === undefined) throw new Error("Nothing was sent.");
  return answer;
}

async function waitsForLock(): Promise<void> {
  const waiting = "select 1 from pg_locks where not granted";
  while ((await site.database.query(waiting, [])).length === 0)
    await new Promise((done) => setTimeout(done, 5));
}

async function makeItem(id: number): Promise<string> {
  await site.database.execute(`insert into item (id, stock) overriding system value values (${id}, 1)`);
  const { headers } = await site.send(request("GET", `/api/item/${id}`, null));
  return headers.get("etag") ?? "";
}

test.each([
  ["PATCH", '{"stock": 5}'],
  ["DELETE", undefined],
])("%s of a record that has changed meanwhile is no 404", async (method, body) => {
  const id = method === "PATCH" ? 11 : 12;
  const tag = await makeItem(id);
  const change = `update item set stock = 2 where id = ${id}`;
  expect((await overtaken(change, request(method, `/api/item/${id}`, tag, body))).status).toBe(412);
});

test("a record for a reference that was taken meanwhile is not left behind", async () => {
  await makeItem(13);
  const change = `insert into maker (id, name) overriding system value values (501, 'first');
    update item set maker_id = 501 where id = 13`;
  const { status } = await overtaken(
    change,
    request("POST", "/api/item/13/maker", null, '{"name": "second"}'),
  );
  expect(status).toBe(409);
  expect(await site.database.query("select name from maker", [])).toEqual([{ name: "first" }]);
});

test.each(["sell", "log"])(
  "a rule that no longer holds when the record is free refuses: %s",
  async (path) => {
    const id = path === "sell" ? 14 : 15;
    await makeItem(id);
    const change = `update item set stock = 0 where id = ${id}`;
    const { status, body } = await overtaken(change, request("POST", `/api/item/${id}/${path}`, null, "{}"));
    expect([status, body]).toMatchObject([403, expect.stringContaining("forbidden")]);
    expect(await site.database.query(`select stock::int from item where id = ${id}`, [])).toEqual([
      { stock: 0 },
    ]);
    expect(await site.database.query("select name from maker where name = 'logged'", [])).toEqual([]);
  },
);

describe("what one statement does is done to the record as it is once it is free", () => {
  async function makeSeat(id: number): Promise<void> {
    await site.database.execute(
      `delete from note; insert into seat (id, "left", is_free) overriding system value values (${id}, 3, true)`,
    );
  }
  const notes = () => site.database.query('select text, "left"::int as n from note', []);
  const seat = (id: number) =>
    site.database.query(`select "left"::int as n, is_free from seat where id = ${id}`, []);

  test("its actions see the same record", async () => {
    await makeSeat(21);
    const answer = await overtaken(
      'update seat set "left" = 7 where id = 21',
      request("POST", "/api/hall/seat/21/take", null),
    );
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { seen: 7, left: 6 }]);
    expect([await notes(), await seat(21)]).toEqual([[{ text: "seen", n: 7 }], [{ n: 6, is_free: true }]]);
  });

  test("a rule that does not hold any more refuses all of them", async () => {
    await makeSeat(22);
    const answer = await overtaken(
      'update seat set "left" = 0 where id = 22',
      request("POST", "/api/hall/seat/22/take", null),
    );
    expect(answer.status).toBe(404);
    expect([await notes(), await seat(22)]).toEqual([[], [{ n: 0, is_free: true }]]);
  });

  test("and so does a rule about what it would be like", async () => {
    await makeSeat(23);
    const answer = await overtaken(
      "update seat set is_free = false where id = 23",
      request("PATCH", "/api/hall/seat/23", null, '{"left": 20}'),
    );
    expect([answer.status, await seat(23)]).toEqual([403, [{ n: 3, is_free: false }]]);
  });

  test("and a record that is gone", async () => {
    await makeSeat(24);
    const answer = await overtaken(
      "delete from seat where id = 24",
      request("POST", "/api/hall/seat/24/take", null),
    );
    expect([answer.status, await notes()]).toEqual([404, []]);
  });

  test("a hundred at once take each of them what is left", async () => {
    await makeSeat(25);
    await site.database.execute('update seat set "left" = 60 where id = 25; update seat set is_free = true');
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => site.send(request("POST", "/api/hall/seat/25/take", null))),
    );
    const taken = answers.filter(({ status }) => status === 200).map(({ body }) => JSON.parse(body).left);
    expect(taken.sort((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, index) => index));
    expect([(await notes()).length, await seat(25)]).toEqual([60, [{ n: 0, is_free: true }]]);
  });
});
