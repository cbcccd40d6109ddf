import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ConnectOptions, connect, type Database } from "../src/index.js";
import { startProxy } from "./connection-proxy.js";
import { testDatabase } from "./server.js";

const MANY = "select repeat('x', 200) from generate_series(1, 1000000)";
/** Comes to nobody's end, and begins at once. */
const ENDLESS = "select repeat('x', 200) from generate_series(1, 100000) a, generate_series(1, 100000) b";
const opened: { close(): Promise<void> }[] = [];
let watcher: Database;
let url: string;

beforeAll(async () => {
  ({ database: watcher, url } = await testDatabase());
});

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** With one connection in its pool, so that one that is not given back is missed. */
function connectNarrow(options: ConnectOptions = {}): Database {
  const database = connect({ url, poolSize: 1, ...options });
  opened.push(database);
  return database;
}

async function readAll(rows: AsyncIterable<readonly Uint8Array[]>): Promise<string[]> {
  const texts: string[] = [];
  for await (const batch of rows) for (const row of batch) texts.push(Buffer.from(row).toString());
  return texts;
}

/** The letters of the messages in what a client has sent. */
function typesOf(sent: Buffer): string {
  let types = "";
  for (let at = 0; at < sent.length; at += 1 + sent.readInt32BE(at + 1)) {
    types += String.fromCharCode(sent[at] as number);
  }
  return types;
}

function kindOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "fine",
    (error) => error.kind ?? String(error),
  );
}

async function pidOf(database: Database): Promise<unknown> {
  const [row] = await database.query("select pg_backend_pid() as pid");
  return row?.pid;
}

/** How many statements with this mark run on the server. */
async function countRunning(mark: string): Promise<number> {
  const sql =
    "select 1 from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()";
  return (await watcher.query(sql, [`%${mark}%`])).length;
}

async function eventually(check: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 5000;
  while (!(await check())) {
    if (performance.now() > end) throw new Error("it did not come to that within five seconds");
    await pause(20);
  }
}

/** What is in use, without what is only waiting to be collected. */
function measureMemory(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("a stream of bytes", () => {
  test("gives all rows in their order, in batches, whatever their lengths", async () => {
    const sql = "select repeat(chr(97 + n % 26), n * 7 % 3000) from generate_series(1, $1::int) as n";
    const prepared = connectNarrow().prepare(sql);
    let batches = 0;
    const kept: Uint8Array[] = [];
    for await (const batch of prepared.stream(["5000"])) {
      expect(batch.length).toBeGreaterThan(0);
      batches++;
      kept.push(...batch);
    }
    expect(batches).toBeGreaterThan(10);
    // Compared at the end: what the network brought later must not have been written over it.
    const expected = Array.from({ length: 5000 }, (_, index) => {
      const n = index + 1;
      return String.fromCharCode(97 + (n % 26)).repeat((n * 7) % 3000);
    });
    expect(kept.map((row) => Buffer.from(row).toString())).toEqual(expected);
  });

  test("gives null as no bytes, and of nothing gives nothing", async () => {
    const prepared = connectNarrow().prepare("select unnest($1::text[])");
    expect(await readAll(prepared.stream(['{"ä",NULL,""}']))).toEqual(["ä", "", ""]);
    for await (const _ of prepared.stream(["{}"])) expect.unreachable();
  });

  test("is one statement in one piece: prepared once, in no transaction, without a cursor", async () => {
    const proxy = await startProxy(url);
    const database = connectNarrow({ url: proxy.url });
    opened.push(proxy);
    await database.query("select 1");
    const prepared = database.prepare("select n::text from generate_series(1, $1::int) as n");
    const exchanges: string[][] = [];
    for (const count of [3, 20_000]) {
      proxy.sent.length = 0;
      expect(await readAll(prepared.stream([String(count)]))).toHaveLength(count);
      exchanges.push(proxy.sent.map(typesOf));
    }
    expect(exchanges).toEqual([["PBES"], ["BES"]]);
  });

  test("runs beside pipelined statements, on a connection of the pool", async () => {
    const database = connectNarrow();
    for await (const _ of database.prepare(MANY).stream([])) {
      expect(await readAll([await database.prepare("select 'x'").execute([])] as never)).toEqual(["x"]);
      const signal = AbortSignal.timeout(50);
      expect(await kindOf(database.query("select 1", [], { signal }))).toBe("cancelled");
      break;
    }
  });

  test("of one row that is larger than the buffer leaves the connection reading", async () => {
    const database = connectNarrow();
    const [row] = await readAll(database.prepare("select repeat('y', 3000000)").stream([]));
    expect(row).toHaveLength(3_000_000);
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("gives its connection back when the server is done, though the reader is not", async () => {
    const database = connectNarrow();
    const rows = database.prepare("select n::text from generate_series(1, 10) as n").stream([]);
    for await (const batch of rows) {
      expect(batch).toHaveLength(10);
      expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
    }
  });
});

describe("a slow reader", () => {
  test("makes the server wait: a million rows leave the memory as it is", async () => {
    const before = measureMemory();
    let most = 0;
    let count = 0;
    let batches = 0;
    for await (const batch of connectNarrow().prepare(MANY).stream([])) {
      count += batch.length;
      // Long enough at first for all rows to come, if somebody took them.
      await pause(batches === 0 ? 2000 : 1);
      if (batches++ % 50 === 0) most = Math.max(most, measureMemory() - before);
    }
    expect(count).toBe(1_000_000);
    expect(most).toBeLessThan(30_000_000);
  });

  test("holds up closing, as every statement under way does", async () => {
    const database = connectNarrow();
    const prepared = database.prepare("select repeat('x', 200) from generate_series(1, 20000)");
    let closing: Promise<string> | undefined;
    let isClosed = false;
    let count = 0;
    for await (const batch of prepared.stream([])) {
      count += batch.length;
      closing ??= database.close().then(() => {
        isClosed = true;
        return "closed";
      });
      await pause(5);
      if (count < 10_000) expect(isClosed).toBe(false);
    }
    expect(count).toBe(20_000);
    expect(await closing).toBe("closed");
    await expect(readAll(prepared.stream([]))).rejects.toThrow("are closed");
  });
});

describe("leaving a stream", () => {
  test("before it began needs no connection", async () => {
    const database = connectNarrow({ applicationName: "untouched" });
    const iterator = database.prepare(MANY).stream([])[Symbol.asyncIterator]();
    await iterator.return?.();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    const sql = "select 1 from pg_stat_activity where application_name = 'untouched'";
    expect(await watcher.query(sql)).toEqual([]);
  });

  const ways: [string, (rows: AsyncIterable<unknown>) => Promise<void>][] = [
    [
      "by break",
      async (rows) => {
        for await (const _ of rows) break;
      },
    ],
    [
      "by a failure",
      async (rows) => {
        for await (const _ of rows) throw new Error("mine");
      },
    ],
    [
      "after a while, with the server waiting",
      async (rows) => {
        for await (const _ of rows) {
          await pause(300);
          return;
        }
      },
    ],
  ];
  test.each(ways)("%s ends the statement and gives the connection back", async (way, leave) => {
    const database = connectNarrow();
    const pid = await pidOf(database);
    const prepared = database.prepare(`${ENDLESS} /* ${way} */`);
    expect(await kindOf(leave(prepared.stream([])))).toBe(way === "by a failure" ? "Error: mine" : "fine");
    expect(await countRunning(way)).toBe(0);
    expect(await pidOf(database)).toBe(pid);
  });

  test("again and again never hits the statement that comes next", async () => {
    const database = connectNarrow();
    const prepared = database.prepare("select repeat('x', 200) from generate_series(1, 20000)");
    const kinds = new Set<string>();
    for (let round = 0; round < 100; round++) {
      for await (const _ of prepared.stream([])) break;
      kinds.add(await kindOf(database.query("select count(*) from generate_series(1, 1000)")));
    }
    expect(kinds).toEqual(new Set(["fine"]));
  });

  test("closes the connection when the cancellation does not get through", async () => {
    const proxy = await startProxy(url);
    opened.push(proxy);
    const database = connect({ url: proxy.url, poolSize: 1, connectTimeoutMs: 60_000 });
    const startedAt = performance.now();
    for await (const _ of database.prepare(`${ENDLESS} /* unheard */`).stream([])) {
      proxy.goSilent();
      break;
    }
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await eventually(async () => (await countRunning("/* unheard */")) === 0);
    await database.close();
  });
});

describe("the signal of a stream", () => {
  test("that has come before it began needs no connection", async () => {
    const database = connectNarrow({ applicationName: "signalled" });
    const rows = database.prepare(MANY).stream([], AbortSignal.abort());
    await expect(readAll(rows)).rejects.toMatchObject({ kind: "cancelled" });
    const sql = "select 1 from pg_stat_activity where application_name = 'signalled'";
    expect(await watcher.query(sql)).toEqual([]);
  });

  test("ends the wait for a connection, for the first row, and for a later one", async () => {
    const database = connectNarrow();
    const busy = database.query("select pg_sleep(0.3)");
    const first = database.prepare("select pg_sleep(60)::text /* first */");
    await expect(readAll(first.stream([], AbortSignal.timeout(50)))).rejects.toMatchObject({
      kind: "cancelled",
    });
    await busy;
    await expect(readAll(first.stream([], AbortSignal.timeout(100)))).rejects.toMatchObject({
      kind: "cancelled",
    });
    const later = database.prepare(
      "select repeat('x', 9000) || pg_sleep(case n when 50 then 60 else 0 end) from generate_series(1, 100) n /* later */",
    );
    await expect(readAll(later.stream([], AbortSignal.timeout(300)))).rejects.toMatchObject({
      kind: "cancelled",
    });
    expect((await countRunning("/* first */")) + (await countRunning("/* later */"))).toBe(0);
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("frees the connection also when the reader never comes back", async () => {
    const database = connectNarrow();
    const controller = new AbortController();
    const iterator = database
      .prepare(`${MANY} /* stalled */`)
      .stream([], controller.signal)
      [Symbol.asyncIterator]();
    await iterator.next();
    await pause(100);
    expect(await countRunning("/* stalled */")).toBe(1);
    controller.abort();
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
    expect(await countRunning("/* stalled */")).toBe(0);
    await expect(iterator.next()).rejects.toMatchObject({ kind: "cancelled" });
  });

  test("holds back rows that wait, though the server is done", async () => {
    const controller = new AbortController();
    const sql = "select repeat('x', 9000) from generate_series(1, 100)";
    const reading = async () => {
      for await (const _ of connectNarrow().prepare(sql).stream([], controller.signal)) {
        await pause(100);
        controller.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ kind: "cancelled" });
  });

  test("keeps no trace of it", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const database = connectNarrow();
    await pidOf(database);
    await readAll(database.prepare("select 'x'").stream([], signal));
    await readAll(database.prepare("select (1 / 0)::text").stream([], signal)).catch(() => {});
    for await (const _ of database.prepare(MANY).stream([], signal)) break;
    expect(listeners).toBe(0);
  });
});

describe("a stream that fails", () => {
  test("before the first row or in the middle has the statement's own failure", async () => {
    const database = connectNarrow();
    const pid = await pidOf(database);
    await expect(readAll(database.prepare("select nonsense").stream([]))).rejects.toMatchObject({
      kind: "other",
      sqlState: "42703",
    });
    const dividing = database.prepare(
      "select repeat('x', 200) || 1 / (5000 - n) from generate_series(1, $1::int) as n",
    );
    let count = 0;
    const reading = async () => {
      for await (const batch of dividing.stream(["9000"])) count += batch.length;
    };
    await expect(reading()).rejects.toMatchObject({ kind: "other", sqlState: "22012" });
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(5000);
    expect(await readAll(dividing.stream(["4000"]))).toHaveLength(4000);
    expect(await pidOf(database)).toBe(pid);
  });

  test("with a parameter that cannot be sent leaves nothing half prepared", async () => {
    const database = connectNarrow();
    const prepared = database.prepare("select $1::text");
    await expect(readAll(prepared.stream([undefined as never]))).rejects.toThrow(TypeError);
    expect(await readAll(prepared.stream(["x"]))).toEqual(["x"]);
  });

  test("for a reason that is not its own runs again", async () => {
    const database = connectNarrow();
    await database.execute("create table changing (id int); insert into changing values (1)");
    const star = database.prepare("select changing.* from changing");
    expect(await readAll(star.stream([]))).toEqual(["1"]);
    await database.execute("alter table changing alter column id type text");
    expect(await readAll(star.stream([]))).toEqual(["1"]);
    await database.execute("deallocate all");
    expect(await readAll(star.stream([]))).toEqual(["1"]);
  });

  test.each([0, 300])("is unavailable when the connection is cut, %s ms after a batch", async (waitMs) => {
    const proxy = await startProxy(url);
    const database = connectNarrow({ url: proxy.url });
    opened.push(proxy);
    const reading = async () => {
      let batches = 0;
      for await (const _ of database.prepare(MANY).stream([])) {
        if (++batches !== 5) continue;
        await pause(waitMs);
        proxy.cut();
      }
    };
    expect(await kindOf(reading())).toBe("unavailable");
    expect(await kindOf(database.query("select 1"))).toBe("fine");
  });

  test("by taking too long on the server has the kind timeout", async () => {
    const impatient = connectNarrow({ statementTimeoutMs: 50 });
    const slow = impatient.prepare("select pg_sleep(10)::text");
    await expect(readAll(slow.stream([]))).rejects.toMatchObject({ kind: "timeout" });
    expect(await impatient.query("select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("because it is a COPY does not hang, and the connection goes on", async () => {
    const database = connectNarrow();
    await database.execute("create table copied (id int)");
    const copy = database.prepare("copy copied from stdin");
    await expect(readAll(copy.stream([]))).rejects.toThrow("COPY statement can only be run by copyFrom");
    await expect(copy.execute([])).rejects.toThrow("COPY statement can only be run by copyFrom");
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  });
});
