// Code within a write: it runs in the request's transaction, and whatever it does, that ends one way or the other, its
// connection goes back, and the server goes on.

import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HttpError } from "../src/index.js";
import { type Answer, eventually, type Ground, oneValue, openGround, times } from "./write-ground.js";

const SOURCE = `
model Item {
  field name { type string, unique }
  field stock { type integer, default 0 }
  field facts { type json, nullable }
  hook label { arg name name, source label from "./h.ts" }
}
validator isGood {
  arg value { type string }
  assert { hook { arg name value, source isGood from "./h.ts" } }
  error { code "bad" }
}
api {
  entrypoint Item as item {
    get endpoint {}
    create endpoint {
      action { create { set stock hook { arg name name, source stock from "./h.ts" } } }
    }
    POST many "run" {
      extra inputs { field text { type string } }
      action {
        create Item as made { set name text, set stock 1, set facts null }
        execute as done { hook { arg name text, source run from "./h.ts" } }
        create Log as log { set text made.name }
        respond { body { done: done, log: log.id } }
      }
    }
    POST many "last" {
      extra inputs { field text { type string } }
      action {
        create Item as made { set name text, set stock 1, set facts null }
        execute { responds, hook { arg name text, source run from "./h.ts" } }
      }
    }
    POST many "valid" {
      extra inputs { field text { type string } }
      action {
        create Item as made { set name text, set stock 1, set facts null }
        validate with key "text" { isGood(made.name) }
      }
    }
  }
  entrypoint Item as shown { path "shown", response { id, label }, create endpoint { action { create { deny { stock } } } } }
}
model Log { field text { type string } }
`;

interface Context {
  readonly db: {
    sql(texts: TemplateStringsArray, ...values: unknown[]): Promise<readonly Record<string, unknown>[]>;
  };
  readonly signal: AbortSignal;
  readonly response: Response;
}

interface Response {
  status(code: number): Response;
  header(name: string, value: string): Response;
  send(body: unknown): void;
}

type Code = (args: { name: string }, context: Context) => unknown;

/** What the hooks do in this test. */
let code: Code = () => null;
const act: Code = (args, context) => code(args, context);
const hooks = { "h.ts#run": act, "h.ts#stock": act, "h.ts#isGood": act, "h.ts#label": act };

let ground: Ground;
const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeAll(async () => {
  // One connection: whatever is not given back is missed at once.
  ground = await openGround({ source: SOURCE, hooks, poolSize: 1 });
  process.on("unhandledRejection", note);
});
afterAll(async () => {
  process.off("unhandledRejection", note);
  await ground.close();
});
beforeEach(async () => {
  code = () => null;
  ground.logged.length = 0;
  await ground.database.execute("truncate item, log restart identity");
});

const bodyFor = (path: string) => (path.includes("item/") ? { text: "x" } : { name: "x" });
const run = (path = "/api/item/run") => ground.send("POST", path, { body: bodyFor(path) });
const rows = () =>
  oneValue(ground.database, "select ((select count(*) from item) + (select count(*) from log))::int");
const inTransaction = () =>
  oneValue(
    ground.database,
    "select count(*)::int from pg_stat_activity where datname = current_database() and state like 'idle in%'",
  );

/** Nothing was kept, nothing is open, the one connection is there for the next request. */
async function expectUndone(answer: Answer, status: number): Promise<void> {
  expect([answer.status, answer.headers["content-type"]]).toEqual([status, "application/problem+json"]);
  await eventually(async () => (await inTransaction()) === 0);
  expect(await rows()).toBe(0);
  code = () => 7;
  expect((await run()).json()).toEqual({ done: 7, log: expect.anything() });
}

/** Where code may stand. */
const PLACES = ["/api/item/run", "/api/item/last", "/api/item/valid", "/api/item", "/api/shown"];

describe("whatever the place", () => {
  test.each(PLACES)("%s: code that throws undoes all", async (path) => {
    code = () => {
      throw new Error("secret /srv/h.ts:1");
    };
    const answer = await run(path);
    expect(answer.body).not.toContain("secret");
    expect(ground.logged.join()).toContain("secret");
    await expectUndone(answer, 500);
  });

  test.each(PLACES)("%s: code that rejects with an answer of its own undoes all", async (path) => {
    code = () => Promise.reject(new HttpError(402, "pay", "First the money"));
    const answer = await run(path);
    expect(answer.json()).toMatchObject({ code: "pay", detail: "First the money" });
    await expectUndone(answer, 402);
  });

  test.each(PLACES)("%s: a client that leaves takes its request with it", async (path) => {
    const leaving = new AbortController();
    let signal: AbortSignal | undefined;
    code = (_, context) => {
      signal = context.signal;
      leaving.abort();
      return new Promise(() => {});
    };
    const sent = ground.send("POST", path, { body: bodyFor(path), signal: leaving.signal });
    await expect(sent).rejects.toThrow();
    await eventually(() => signal?.aborted === true);
    await eventually(async () => (await inTransaction()) === 0);
    expect(await rows()).toBe(0);
    code = () => 7;
    expect((await run()).status).toBe(200);
    expect(ground.logged).toEqual([]);
  });
});

describe("code that hangs", () => {
  const patient = { ground: undefined as Ground | undefined };
  beforeAll(async () => {
    patient.ground = ground;
    ground = await openGround({ source: SOURCE, hooks, poolSize: 1, requestTimeoutMs: 300 });
  });
  afterAll(async () => {
    await ground.close();
    if (patient.ground !== undefined) ground = patient.ground;
  });

  test.each(PLACES)("%s: is cut off, and what it does later is nobody's", async (path) => {
    const later = { isOver: false, promise: Promise.resolve() };
    code = () => {
      later.promise = pause(800).then(() => {
        later.isOver = true;
        throw new Error("late");
      });
      return later.promise;
    };
    const answer = await run(path);
    expect(later.isOver).toBe(false);
    expect(answer.headers["retry-after"]).toBe("1");
    await expectUndone(answer, 503);
    await expect(later.promise).rejects.toThrow("late");
    await pause(20);
    expect(unhandled).toEqual([]);
  });

  test("in a statement is cut off there", async () => {
    code = (_, { db }) => db.sql`select pg_sleep(100)`;
    await expectUndone(await run(), 503);
  });
});

describe("statements of code", () => {
  test("are part of the transaction, and see what was written before them", async () => {
    code = async ({ name }, { db }) => {
      await db.sql`update item set stock = stock + ${41} where name = ${name}`;
      const [row] = await db.sql`select stock::int as stock from item where name = ${name}`;
      return row?.stock;
    };
    expect((await run()).json().done).toBe(42);
    expect(await oneValue(ground.database, "select stock::int from item")).toBe(42);
  });

  test("are undone with the rest", async () => {
    code = async (_, { db }) => {
      await db.sql`insert into log (text) values (${"from code"})`;
      throw new HttpError(409, "no", "No");
    };
    await expectUndone(await run(), 409);
  });

  test("whose failing is caught doom the transaction all the same", async () => {
    code = async (_, { db }) => {
      await db.sql`select 1 / 0`.catch(() => {});
      await db.sql`select 1`.catch(() => {});
      return "fine";
    };
    const answer = await run();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain("fine");
    expect(await rows()).toBe(0);
    expect((await run("/api/item/last")).status).toBeGreaterThanOrEqual(400);
    expect(await rows()).toBe(0);
  });

  test("whose collision is caught are tried again with all the rest", async () => {
    let attempts = 0;
    code = async (_, { db }) => {
      if (attempts++ > 0) return attempts;
      const collide = db.sql`do $$ begin raise exception using errcode = '40P01'; end $$`;
      await collide.catch(() => {});
      throw new Error("something followed from it");
    };
    expect((await run()).json().done).toBe(2);
    expect(await rows()).toBe(2);
  });

  test("that nobody waits for, and that fail, doom it as well, and nothing else", async () => {
    code = (_, { db, response }) => {
      void db.sql`select no_such_column`;
      response.send("done");
    };
    await expectUndone(await run("/api/item/last"), 503);
    expect(unhandled).toEqual([]);
  });

  test("can be saved by a savepoint", async () => {
    code = async (_, { db }) => {
      await db.sql`savepoint s`;
      await db.sql`insert into item (name) values ('x')`.catch(() => {});
      await db.sql`rollback to savepoint s`;
      return "saved";
    };
    expect((await run()).json().done).toBe("saved");
    expect(await rows()).toBe(2);
  });

  test("that violate a constraint are told as that", async () => {
    code = (_, { db }) => db.sql`insert into item (name) values ('x')`;
    await expectUndone(await run(), 409);
  });

  test("come too late when the transaction is over, and say so", async () => {
    const kept: Context[] = [];
    code = (_, context) => {
      kept.push(context);
    };
    expect((await run()).status).toBe(200);
    const late = kept.map(({ db }) => db.sql`insert into log (text) values ('late')`);
    await expect(late[0]).rejects.toThrow(/transaction is over/);
    expect(await rows()).toBe(2);
  });

  test("never get behind the commit, where they would be kept by themselves", async () => {
    const said: unknown[] = [];
    code = (_, { db }) => {
      const again = async (): Promise<void> => {
        for (let turn = 0; turn < 200; turn++) {
          await db.sql`insert into log (text) values ('loose')`.catch((error) => said.push(String(error)));
          if (said.length > 0) throw new HttpError(418, "no", "Nobody hears this");
        }
      };
      again().catch(() => {});
      throw new HttpError(400, "undo", "Undo it");
    };
    expect((await run()).status).toBe(400);
    await eventually(() => said.length > 0);
    expect(await rows()).toBe(0);
    code = (_, { db, response }) => {
      response.send("done");
      let count = 0;
      const again = (): void => {
        if (count++ < 50) db.sql`insert into log (text) values ('loose')`.then(again, () => {});
      };
      again();
    };
    const answers = await times(20, (index) =>
      ground.send("POST", "/api/item/last", { body: { text: `n${index}` } }),
    );
    // Each is kept or not together with its item: there is no statement outside of a transaction.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const apart =
      "select count(distinct xmin::text)::int from (select xmin from log union all select xmin from item) t";
    expect(await oneValue(ground.database, apart)).toBe(20);
  });

  test("take values of all kinds", async () => {
    const date = new Date("2024-02-29T12:34:56.789Z");
    code = async (_, { db }) => {
      const [row] = await db.sql`select
        ${date}::timestamptz = '2024-02-29 12:34:56.789Z' as date, ${2n ** 62n}::int8::text as large,
        ${{ a: [1, "x'\"", null] }}::jsonb as object, ${null}::text is null as nothing, ${undefined}::int is null as none,
        ${[1, 2, 3]}::int[] as numbers, 2 = any(${[1, 2]}) as found, ${[]}::text[] as empty,
        ${['a "b"', "c\\d", null, "", "NULL", "{x}", "1,2"]}::text[] as texts, ${[[1, 2], [3, 4]]}::int[] as grid,
        ${[{ a: 1 }, { b: '"' }]}::jsonb[] as objects, ${[date]}::timestamptz[] as dates, ${[1n]}::int8[] as larges,
        ${true}::boolean as yes, ${1.5}::float8 as float, ${Number.NaN}::float8::text as nan,
        ${new Uint8Array([0, 255])}::bytea as bytes, ${"'; drop table item; --"}::text as text`;
      return { ...row, bytes: Array.from((row?.bytes ?? []) as Uint8Array) };
    };
    expect((await run()).json().done).toEqual({
      ...{
        date: true,
        large: "4611686018427387904",
        object: { a: [1, "x'\"", null] },
        nothing: true,
        none: true,
      },
      ...{
        numbers: [1, 2, 3],
        found: true,
        empty: [],
        grid: [
          [1, 2],
          [3, 4],
        ],
        objects: [{ a: 1 }, { b: '"' }],
      },
      texts: ['a "b"', "c\\d", null, "", "NULL", "{x}", "1,2"],
      ...{ dates: ["2024-02-29 12:34:56.789+00"], larges: ["1"], yes: true, float: 1.5, nan: "NaN" },
      ...{ bytes: [0, 255], text: "'; drop table item; --" },
    });
  });

  test("do not take code for a value", async () => {
    code = (_, { db }) => db.sql`select ${() => 1}`;
    await expectUndone(await run(), 500);
  });
});

describe("answers of code", () => {
  test("that cannot be sent undo all", async () => {
    for (const wrong of [
      (response: Response) => response.status(99),
      (response: Response) => response.header("X Y", "1"),
      (response: Response) => response.header("X", "a\r\nSet-Cookie: b"),
      (response: Response) => response.send(1n),
      (response: Response) => response.send(() => 1),
    ]) {
      code = (_, { response }) => void wrong(response);
      const answer = await run("/api/item/last");
      expect([answer.status, await rows()]).toEqual([500, 0]);
    }
  });

  test("have the status, the headers and the body that it says", async () => {
    code = (_, { response }) => response.status(203).header("content-type", "text/csv").send("a;b");
    const answer = await run("/api/item/last");
    expect([answer.status, answer.headers["content-type"], answer.body]).toEqual([203, "text/csv", "a;b"]);
    code = (_, { response }) => response.status(204).send({ not: "sent" });
    const request = new Request("http://x/api/item/last", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"text":"y"}',
    });
    const empty = await ground.application.fetch(request);
    expect([empty.status, await empty.text()]).toEqual([204, ""]);
  });
});

test("a result that cannot be stored undoes all", async () => {
  for (const wrong of ["text", 1.5, null, { a: 1 }]) {
    code = () => wrong;
    expect([(await run("/api/item")).status, await rows()]).toEqual([500, 0]);
  }
  code = () => 5;
  expect((await run("/api/item")).json().stock).toBe(5);
});
