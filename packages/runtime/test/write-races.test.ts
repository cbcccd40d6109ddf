// Writes that are overtaken while they wait for a row: whoever holds it changes it, and lets go.

import { afterAll, beforeAll, expect, test } from "vitest";
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
