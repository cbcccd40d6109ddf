import { afterEach, expect, test } from "vitest";
import { connect, type Database, type Queryable } from "../src/index.js";
import { type ServerProxy, startProxy } from "./connection-proxy.js";
import { testDatabase } from "./server.js";

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function behindProxy(
  poolSize = 4,
): Promise<{ database: Database; proxy: ServerProxy; direct: Database }> {
  const { database: direct, url } = await testDatabase();
  const proxy = await startProxy(url);
  const database = connect({ url: proxy.url, poolSize, connectTimeoutMs: 2000 });
  opened.push(database, proxy);
  return { database, proxy, direct };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function kindOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "fine",
    (error) => error.kind ?? String(error),
  );
}

async function runOut(work: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of work);
}

test("everything under way fails as unavailable when the connection is cut", async () => {
  const { database, proxy, direct } = await behindProxy(10);
  await direct.execute("create table t (id int)");
  const waiting = async function* () {
    yield "1\n";
    await new Promise(() => {});
  };
  const work = [
    database.query("select pg_sleep(60)"),
    database.execute("select pg_sleep(60)"),
    database.prepare("select pg_sleep(60)::text").execute([]),
    database.prepare("select pg_sleep(60)::text", { isPipelined: false }).execute([]),
    runOut(database.stream("select pg_sleep(60)")),
    database.copyFrom("copy t from stdin", waiting()),
    database.transaction((transaction) => transaction.query("select pg_sleep(60)")),
  ].map(kindOf);
  await pause(200);
  proxy.cut();
  expect(await Promise.all(work)).toEqual(Array.from(work, () => "unavailable"));
});

test("statements queued behind a lost one fail too, and none of them runs later", async () => {
  const { database, proxy, direct } = await behindProxy();
  await direct.execute("create table t (id int)");
  const slow = database.prepare("select pg_sleep(0.3)::text");
  const insert = database.prepare("insert into t values (1) returning id::text");
  const work = [slow.execute([]), slow.execute([]), insert.execute([]), insert.execute([])].map(kindOf);
  await pause(100);
  proxy.cut();
  expect(await Promise.all(work)).toEqual(["unavailable", "unavailable", "unavailable", "unavailable"]);
  await direct.execute("select pg_sleep(0.5)");
  // The server reads on to the end of what it has received, and notices then. It has run all or nothing.
  expect([0, 1, 2]).toContain((await direct.query("select * from t")).length);
  expect(await kindOf(insert.execute([]))).toBe("fine");
});

test("a stream does not end as if it were complete when the connection is lost between batches", async () => {
  const { database, proxy } = await behindProxy();
  const reading = async () => {
    let count = 0;
    for await (const rows of database.stream("select * from generate_series(1, 100000)")) {
      count += rows.length;
      if (count === 2000) proxy.cut();
      await pause(20);
    }
    return count;
  };
  expect(await kindOf(reading())).toBe("unavailable");
});

test("nothing of a transaction runs outside it when the connection is lost in the middle", async () => {
  const { database, proxy, direct } = await behindProxy(1);
  await direct.execute("create table t (id int)");
  const kinds: string[] = [];
  const work = database.transaction(async (transaction: Queryable) => {
    await transaction.query("insert into t values (1)");
    proxy.cut();
    await pause(50);
    kinds.push(await kindOf(database.prepare("select 'other'", { isPipelined: true }).execute([])));
    kinds.push(await kindOf(transaction.query("insert into t values (2)")));
    kinds.push(await kindOf(transaction.execute("insert into t values (3)")));
  });
  expect(await kindOf(work)).toBe("unavailable");
  expect(kinds).toEqual(["fine", "unavailable", "unavailable"]);
  expect(await direct.query("select * from t")).toEqual([]);
});

test("an idle connection that was cut is replaced without anyone noticing", async () => {
  const { database, proxy } = await behindProxy();
  await Promise.all(Array.from({ length: 4 }, () => database.query("select pg_sleep(0.02)")));
  await database.prepare("select 'x'").execute([]);
  proxy.cut();
  await pause(20);
  expect(await kindOf(database.query("select 1"))).toBe("fine");
  expect(await kindOf(database.prepare("select 'x'").execute([]))).toBe("fine");
});

test("requests fail quickly while the server is away, and work once it is back", async () => {
  const { database, proxy } = await behindProxy();
  const prepared = database.prepare("select 'x'");
  expect(await kindOf(database.query("select 1"))).toBe("fine");
  await proxy.goDown();
  for (let round = 0; round < 3; round++) {
    const startedAt = performance.now();
    const many = Array.from({ length: 50 }, () =>
      [database.query("select 1"), prepared.execute([])].map(kindOf),
    );
    expect(new Set(await Promise.all(many.flat()))).toEqual(new Set(["unavailable"]));
    expect(performance.now() - startedAt).toBeLessThan(3000);
  }
  await proxy.comeBack();
  expect(await kindOf(database.query("select 1"))).toBe("fine");
  expect(await kindOf(prepared.execute([]))).toBe("fine");
});

test("a server that does not answer is given up after the time limit", async () => {
  const { database, proxy } = await behindProxy();
  proxy.goSilent();
  const startedAt = performance.now();
  const failure = await database.query("select 1").catch((error) => error);
  expect(failure).toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("did not answer within 2"),
  });
  expect(performance.now() - startedAt).toBeLessThan(4000);
  await pause(20);
  expect(proxy.connectionCount).toBe(0);
});

test("under constant losses nothing leaks, hangs or goes wrong", async () => {
  const { database, proxy, direct } = await behindProxy(8);
  await direct.execute("create table counted (id int primary key)");
  const outcomes = { fine: 0, unavailable: 0, wrong: [] as string[] };
  let isOver = false;
  let id = 0;
  const committed: number[] = [];
  const works = [
    () => database.query("select 1"),
    () => database.prepare("select $1::text").execute(["x"]),
    () => runOut(database.stream("select * from generate_series(1, 2500)")),
    async () => {
      const mine = ++id;
      await database.transaction(async (transaction) => {
        await transaction.query("insert into counted values ($1)", [mine]);
        await transaction.query("select pg_sleep(0.002)");
      });
      committed.push(mine);
    },
  ];
  const loop = async (index: number) => {
    for (let round = index; !isOver; round++) {
      const kind = await kindOf(works[round % works.length]?.() ?? Promise.resolve());
      if (kind === "fine" || kind === "unavailable") outcomes[kind]++;
      else outcomes.wrong.push(kind);
    }
  };
  const loops = Array.from({ length: 12 }, (_, index) => loop(index));
  for (let round = 0; round < 20; round++) {
    await pause(Math.random() * 300);
    proxy.cut();
  }
  isOver = true;
  await Promise.all(loops);
  expect(outcomes.wrong).toEqual([]);
  expect(outcomes.fine).toBeGreaterThan(0);
  expect(outcomes.unavailable).toBeGreaterThan(0);
  expect(proxy.connectionCount).toBeLessThanOrEqual(8 + 2);
  const rows = await direct.query<{ id: number }>("select id from counted");
  const present = new Set(rows.map((row) => row.id));
  expect(committed.filter((each) => !present.has(each))).toEqual([]);
  await database.close();
  expect(proxy.connectionCount).toBe(0);
}, 30_000);

test("a backend that the server ends is reported as unavailable", async () => {
  const { database, direct } = await behindProxy();
  const work = kindOf(database.query("select pg_sleep(60) /* ended */"));
  await pause(100);
  await direct.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like '%/* ended */%' and pid <> pg_backend_pid()",
  );
  expect(await work).toBe("unavailable");
  expect(await kindOf(database.query("select 1"))).toBe("fine");
});

test("a cancellation that the server has overheard is sent again", async () => {
  const { database, proxy } = await behindProxy();
  const controller = new AbortController();
  const sleep = database.prepare("select pg_sleep($1::float8)::text");
  await sleep.execute(["0"]);
  const work = kindOf(sleep.execute(["60"], controller.signal));
  await pause(100);
  proxy.overhearNext();
  controller.abort();
  expect(await work).toBe("cancelled");
});

test("cancelling when the server is gone does no harm", async () => {
  const { database, proxy } = await behindProxy();
  const controller = new AbortController();
  const work = kindOf(database.query("select pg_sleep(60)", [], { signal: controller.signal }));
  await pause(100);
  const down = proxy.goDown();
  controller.abort();
  await down;
  expect(["unavailable", "cancelled"]).toContain(await work);
});
