// Idempotency-Key: a request is done once, and whoever asks again gets the same answer.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HttpError } from "../src/index.js";
import { type Answer, eventually, type Ground, oneValue, openGround } from "./write-ground.js";

const SOURCE = `
auth { model User, password { identify email, secret password } }
model User {
  field email { type string, unique }
  field password { type string, secret }
}
model Item {
  field name { type string, unique }
  field stock { type integer, default 0 }
  field note { type string, nullable }
  relation parts { from Part, through item }
  hook shout { arg name name, source shout from "./hooks.ts" }
}
model Part { field name { type string } reference item { to Item, on delete cascade } }
api {
  entrypoint Item as item {
    authorize { true }
    get endpoint {}
    create endpoint {}
    update endpoint { action { update { set stock item.stock + 1 } } }
    entrypoint parts { create endpoint {} }
    POST one "add" {
      extra inputs { field by { type integer } }
      action { update item as after { set stock stock + by } respond { body { stock: after.stock }, httpStatus 202, httpHeaders { "X-A" ["1", "2"] } } }
    }
    POST one "quiet" { action { update item { set stock stock + 1 } } }
    POST one "code" {
      extra inputs { field by { type integer } }
      action {
        execute as done { responds, hook { arg by by, source code from "./hooks.ts" } }
        update item { set stock stock + by }
      }
    }
    POST one "refused" {
      action { update item { set stock stock + 1 } respond { body { error: "no" }, httpStatus 422 } }
    }
  }
  entrypoint Item as shown { path "shown", authorize { true }, response { name, shout }, create endpoint {} }
}
api Members {
  entrypoint Item as item { authorize { @auth is not null }, create endpoint {} }
}
`;

let fails = 0;
const hooks = {
  "hooks.ts#shout": ({ name }: { name: string }) => {
    if (fails-- > 0) throw new HttpError(418, "teapot", "Not today");
    return `${name.toUpperCase()} 😀`;
  },
  "hooks.ts#code": (
    { by }: { by: number },
    { response }: { response: { status(code: number): { send(body: unknown): void } } },
  ) => response.status(201).send(`by ${by} \u2028 "é"`),
};

let ground: Ground;
let count = 0;

beforeAll(async () => {
  ground = await openGround({ source: SOURCE, hooks });
});
afterAll(() => ground.close());
beforeEach(async () => {
  fails = 0;
  ground.logged.length = 0;
  await ground.database.execute(
    `truncate item, part, _stoa.idempotent_request; insert into item (id, name, stock) overriding system value values (7, 'seven', 0); select setval(pg_get_serial_sequence('item', 'id'), 100)`,
  );
});

function freshKey(): string {
  return `key-${count++}`;
}

function post(path: string, body: unknown, key: string): Promise<Answer> {
  return ground.send("POST", path, { body, headers: { "Idempotency-Key": key } });
}

/** What a replay has in common with the first answer: all but the id of the request. */
function essence({ status, headers, body }: Answer): unknown {
  const kept = ["location", "etag", "content-type", "content-length", "x-a"];
  return { status, body, headers: kept.map((name) => [name, headers[name]]) };
}

async function expectOnce(path: string, body: unknown, key = freshKey()): Promise<Answer> {
  const first = await post(path, body, key);
  const second = await post(path, body, key);
  expect(first.headers["idempotent-replayed"], first.body).toBeUndefined();
  expect(second.headers["idempotent-replayed"], second.body).toBe("true");
  expect(essence(second)).toEqual(essence(first));
  expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
  return first;
}

const stock = () => oneValue(ground.database, "select stock::int from item where id = 7");
const items = () => oneValue(ground.database, "select count(*)::int from item");
const stored = () => oneValue(ground.database, "select count(*)::int from _stoa.idempotent_request");

describe("the same request again", () => {
  test("a create gives the same record, with its Location and ETag", async () => {
    const first = await expectOnce("/api/item", { name: 'Grüße "x" \\ 😀', note: "\n\u2028" });
    expect(first.status).toBe(201);
    expect(first.headers.location).toMatch(/^\/api\/item\/\d+$/);
    expect(first.headers.etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(await items()).toBe(2);
  });

  test("a nested create", async () => {
    await expectOnce("/api/item/7/parts", { name: "wheel" });
    expect(await oneValue(ground.database, "select count(*)::int from part")).toBe(1);
  });

  test("actions and what they respond", async () => {
    const first = await expectOnce("/api/item/7/add", { by: 3 });
    expect([first.status, first.body, first.headers["x-a"]]).toEqual([202, '{"stock":3}', "1, 2"]);
    expect(await stock()).toBe(3);
  });

  test("an endpoint that answers nothing", async () => {
    const first = await expectOnce("/api/item/7/quiet", undefined);
    expect([first.status, first.body]).toEqual([204, ""]);
    expect(await stock()).toBe(1);
  });

  test("code that answers by itself", async () => {
    const first = await expectOnce("/api/item/7/code", { by: 2 });
    expect([first.status, first.body]).toEqual([201, 'by 2 \u2028 "é"']);
    expect(first.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(await stock()).toBe(2);
  });

  test("a response with code in it, which is not called again", async () => {
    const first = await expectOnce("/api/shown", { name: "loud" });
    expect(first.json()).toEqual({ name: "loud", shout: "LOUD 😀" });
    expect(await items()).toBe(2);
  });

  test("an answer that was meant to be an error, and was kept", async () => {
    expect((await expectOnce("/api/item/7/refused", undefined)).status).toBe(422);
    expect(await stock()).toBe(1);
  });

  test("also while the record has changed meanwhile: it is the answer of then", async () => {
    const key = freshKey();
    const first = await post("/api/item", { name: "a" }, key);
    await ground.database.execute("update item set stock = 99; delete from item where name = 'a'");
    expect(essence(await post("/api/item", { name: "a" }, key))).toEqual(essence(first));
  });
});

describe("what is another request", () => {
  test("another body is a conflict", async () => {
    const key = freshKey();
    await post("/api/item/7/add", { by: 3 }, key);
    const other = await post("/api/item/7/add", { by: 4 }, key);
    expect(other.status).toBe(409);
    expect(other.json()).toMatchObject({
      code: "conflict",
      detail: expect.stringContaining("Idempotency-Key"),
    });
    expect(await stock()).toBe(3);
  });

  test("another key, another address, or none are requests of their own", async () => {
    const key = freshKey();
    await ground.database.execute("insert into item (id, name) overriding system value values (8, 'eight')");
    await post("/api/item/7/add", { by: 1 }, key);
    expect((await post("/api/item/7/add", { by: 1 }, freshKey())).json()).toEqual({ stock: 2 });
    expect((await post("/api/item/8/add", { by: 1 }, key)).json()).toEqual({ stock: 1 });
    expect((await post("/api/item/7/code", { by: 1 }, key)).status).toBe(201);
    expect((await ground.send("POST", "/api/item/7/add", { body: { by: 1 } })).json()).toEqual({ stock: 4 });
  });

  test("every caller has keys of their own, and a stranger gets nobody's answer", async () => {
    const insert =
      "insert into \"user\" (id, email, password) overriding system value values (1, 'a', ''), (2, 'b', '')";
    await ground.database.execute(insert);
    const ask = async (userId: string | null) => {
      const headers = { "content-type": "application/json", "idempotency-key": "shared" };
      const init = { method: "POST", headers, body: JSON.stringify({ name: "mine" }) };
      const request = new Request("http://x/api/members/item", init);
      const { status, headers: got } = await ground.application.fetch(request, { userId });
      return [status, got.get("idempotent-replayed")];
    };
    expect(await ask("1")).toEqual([201, null]);
    expect(await ask("1")).toEqual([201, "true"]);
    expect(await ask("2")).toEqual([409, null]);
    expect(await ask(null)).toEqual([401, null]);
    await ground.database.execute('delete from "user"');
    expect((await ask("1"))[0]).toBe(401);
  });
});

describe("failures are not kept", () => {
  test("neither what the client got wrong", async () => {
    const key = freshKey();
    expect((await post("/api/item", { nmae: "x" }, key)).status).toBe(400);
    expect((await post("/api/item", { name: "seven" }, key)).status).toBe(409);
    expect((await post("/api/item/9/add", { by: 1 }, key)).status).toBe(404);
    expect(await stored()).toBe(0);
    expect((await post("/api/item", { name: "x" }, key)).status).toBe(201);
  });

  test("nor what code did: it can be tried again", async () => {
    const key = freshKey();
    fails = 1;
    expect((await post("/api/shown", { name: "x" }, key)).status).toBe(418);
    expect([await items(), await stored()]).toEqual([1, 0]);
    expect((await post("/api/shown", { name: "x" }, key)).status).toBe(201);
    expect((await post("/api/shown", { name: "x" }, key)).headers["idempotent-replayed"]).toBe("true");
  });
});

test.each(["", " ", "a b", "a\tb", "é", "x".repeat(256)])("the key %j cannot be read", async (key) => {
  const headers = { "Idempotency-Key": Buffer.from(key).toString("latin1") };
  const answer = await ground.send("POST", "/api/item", { body: { name: "x" }, headers });
  expect([answer.status, answer.json().code]).toEqual([400, "malformed"]);
  expect(await items()).toBe(1);
});

test("a key of 255 letters can, and one that stands twice cannot", async () => {
  expect((await post("/api/item", { name: "x" }, "~".repeat(255))).status).toBe(201);
  const request = {
    method: "POST",
    headers: [
      ["idempotency-key", "a"],
      ["idempotency-key", "b"],
    ],
    body: "{}",
  };
  const answer = await ground.application.fetch(new Request("http://x/api/item", request as RequestInit));
  expect(answer.status).toBe(400);
});

test("other methods take no notice of it", async () => {
  for (const wanted of [1, 2]) {
    const headers = { "Idempotency-Key": "same" };
    const answer = await ground.send("PATCH", "/api/item/7", { body: {}, headers });
    expect([answer.status, answer.json().stock]).toEqual([200, wanted]);
  }
  expect(await stored()).toBe(0);
});

test("an answer is of use for a day", async () => {
  const key = freshKey();
  await post("/api/item/7/add", { by: 1 }, key);
  await ground.database.execute(
    "update _stoa.idempotent_request set created_at = now() - interval '23 hours'",
  );
  expect((await post("/api/item/7/add", { by: 1 }, key)).headers["idempotent-replayed"]).toBe("true");
  await ground.database.execute(
    "update _stoa.idempotent_request set created_at = now() - interval '25 hours'",
  );
  const again = await post("/api/item/7/add", { by: 5 }, key);
  expect([again.json(), again.headers["idempotent-replayed"]]).toEqual([{ stock: 6 }, undefined]);
  expect((await post("/api/item/7/add", { by: 5 }, key)).headers["idempotent-replayed"]).toBe("true");
});

test("expired answers are removed, some at a time", async () => {
  const other = await openGround({ source: "model A {} api { entrypoint A { create endpoint {} } }" });
  await other.database.execute(
    `insert into _stoa.idempotent_request select 'old' || n, '', '{}', now() - interval '25 hours' from generate_series(1, 1200) n`,
  );
  const left = () => oneValue(other.database, "select count(*)::int from _stoa.idempotent_request");
  for (const [index, expected] of [701, 202, 3, 4].entries()) {
    const headers = { "Idempotency-Key": `k${index}` };
    expect((await other.send("POST", "/api/a", { headers })).status).toBe(201);
    await eventually(async () => (await left()) === expected);
  }
  await other.close();
});

test("without the table it is said that the database is not up to date", async () => {
  await ground.database.execute("alter table _stoa.idempotent_request rename to away");
  const answer = await post("/api/item", { name: "x" }, "k");
  const without = await ground.send("POST", "/api/item", { body: { name: "x" } });
  await ground.database.execute("alter table _stoa.away rename to idempotent_request");
  expect([answer.status, without.status]).toEqual([503, 201]);
});
