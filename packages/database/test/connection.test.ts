import { beforeAll, describe, expect, test } from "vitest";
import { connect, type Database, DatabaseError, type Queryable } from "../src/index.js";
import { testDatabase } from "./server.js";

let database: Database;
let url: string;

beforeAll(async () => {
  ({ database, url } = await testDatabase());
  await database.execute(`
    create table author (id int primary key, name text not null, age int check (age >= 0));
    create table book (id int primary key, author_id int not null references author (id));
    insert into author values (1, 'Ada', 36);
  `);
});

async function* chunksOf(...chunks: string[]): AsyncGenerator<string> {
  for (const chunk of chunks) yield chunk;
}

function textsOf(rows: readonly Uint8Array[]): string[] {
  return rows.map((row) => Buffer.from(row).toString("utf8"));
}

/** Something else may run at the same time; what counts is that it gets there. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 5000;
  while (!(await check())) {
    if (performance.now() > end) throw new Error("it did not come to that within five seconds");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isRunning(part: string): Promise<boolean> {
  const sql =
    "select 1 from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()";
  return database.query(sql, [`%${part}%`]).then((rows) => rows.length > 0);
}

describe("values", () => {
  const cases: [string, unknown][] = [
    ["true", true],
    ["1::int2", 1],
    ["-7::int4", -7],
    ["9007199254740993::int8", "9007199254740993"],
    ["1.10::numeric", "1.10"],
    ["0.1::float8", 0.1],
    ["'NaN'::float8", Number.NaN],
    ["null::int", null],
    ["'ä\u{1F600}'::text", "ä\u{1F600}"],
    ["''::text", ""],
    ["date '2024-02-29'", "2024-02-29"],
    ["timestamptz '2024-02-29 12:00:00.123456+02'", "2024-02-29 10:00:00.123456+00"],
    ["timestamp '2024-02-29 12:00:00'", "2024-02-29 12:00:00"],
    ["interval '1 day 2 hours'", "1 day 02:00:00"],
    ["'{\"a\": [1, null]}'::jsonb", { a: [1, null] }],
    ["'\\xdeadbeef'::bytea", new Uint8Array([0xde, 0xad, 0xbe, 0xef])],
    ["array[1, null, 3]", [1, null, 3]],
    [
      "array[['a', 'b'], ['c', 'd']]",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "array['NULL', null, 'a,b', '{x}', '\"q\"', 'back\\slash', '', ' ']",
      ["NULL", null, "a,b", "{x}", '"q"', "back\\slash", "", " "],
    ],
    ["'{}'::text[]", []],
    ["'[0:1]={5,6}'::int[]", [5, 6]],
    ["array[true, false]", [true, false]],
    ["array[1.5, 2]::numeric[]", ["1.5", "2"]],
  ];
  test.each(cases)("%s comes as expected", async (sql, expected) => {
    expect(await database.query(`select ${sql} as value`)).toEqual([{ value: expected }]);
  });

  test("parameters go in as they are, whatever their type", async () => {
    const rows = await database.query(
      "select $1::int8 a, $2::boolean b, $3::jsonb c, $4::timestamptz d, $5::text[] e, $6::int[] f, $7::text g, $8::bytea h",
      [
        9007199254740993n,
        true,
        '"text"',
        "2024-01-01T00:00:00.123456Z",
        ['a"b', "c\\d", null, ""],
        [1, null, 2],
        null,
        "\\x00ff",
      ],
    );
    expect(rows).toEqual([
      {
        a: "9007199254740993",
        b: true,
        c: "text",
        d: "2024-01-01 00:00:00.123456+00",
        e: ['a"b', "c\\d", null, ""],
        f: [1, null, 2],
        g: null,
        h: new Uint8Array([0, 255]),
      },
    ]);
  });

  test("a value of many megabytes comes back whole", async () => {
    const long = "ä".repeat(3_000_000);
    const [row] = await database.query("select $1::text as value, length($1::text) as length", [long]);
    expect(row?.length).toBe(3_000_000);
    expect(row?.value === long).toBe(true);
  });

  test("an undefined parameter is a mistake of the program, and the connection goes on", async () => {
    await expect(database.query("select $1::text", [undefined as never])).rejects.toThrow(TypeError);
    await expect(database.query("select '\0'")).rejects.toThrow("zero character");
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("statements", () => {
  test("several statements in one text succeed or fail as one", async () => {
    await database.execute("create table several (id int); insert into several values (1)");
    await expect(database.execute("insert into several values (2); select 1 / 0")).rejects.toMatchObject({
      sqlState: "22012",
    });
    expect(await database.query("select id from several")).toEqual([{ id: 1 }]);
  });

  test("query takes one statement only", async () => {
    await expect(database.query("select 1; select 2")).rejects.toMatchObject({ sqlState: "42601" });
  });

  test("a statement without rows gives none", async () => {
    expect(await database.query("create table nothing ()")).toEqual([]);
    expect(await database.query("")).toEqual([]);
  });

  test("COPY in the wrong place fails, and the connection goes on", async () => {
    for (const sql of ["copy author from stdin", "copy author to stdout"]) {
      await expect(database.query(sql)).rejects.toThrow("COPY statement can only be run by copyFrom");
      await expect(database.execute(sql)).rejects.toThrow("COPY statement can only be run by copyFrom");
    }
    expect(await database.query("select 1 as one")).toEqual([{ one: 1 }]);
  });
});

describe("errors", () => {
  const cases: [string, string, object][] = [
    [
      "unique",
      "insert into author values (1, 'Eve', 1)",
      { constraint: "author_pkey", table: "author", sqlState: "23505" },
    ],
    ["foreign-key", "insert into book values (1, 99)", { constraint: "book_author_id_fkey", table: "book" }],
    ["check", "insert into author values (2, 'Eve', -1)", { constraint: "author_age_check" }],
    ["not-null", "insert into author values (2, null, 1)", { column: "name", table: "author" }],
    ["other", "select nonsense", { sqlState: "42703" }],
  ];
  test.each(cases)("of kind %s say what they are about", async (kind, sql, fields) => {
    const failure = await database.query(sql).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseError);
    expect(failure).toMatchObject({ kind, ...fields });
  });

  test("never repeat a parameter in the message", async () => {
    const failure = await database.query("insert into author values (1, $1, 1)", ["hunter2"]).catch(String);
    expect(failure).not.toContain("hunter2");
  });

  test("of the sign-in have their kind; of the address, words without the password", async () => {
    const missing = connect({ url, database: "no_such_database" });
    await expect(missing.query("select 1")).rejects.toMatchObject({ sqlState: "3D000" });
    await missing.close();
    const nobody = connect({ url, user: "no_such_user" });
    await expect(nobody.query("select 1")).rejects.toMatchObject({ kind: "authentication" });
    await nobody.close();
    expect(() => connect({ url: "mysql://u:secret@h/d" })).toThrow("must begin with postgres://");
    expect(() => connect({ url: "postgres://u:secret@h:port/d" })).toThrow(/^(?!.*secret).*cannot be read/);
    expect(() => connect({ url: "postgres://h/d?sslmode=perhaps" })).toThrow("sslmode perhaps");
  });
});

describe("a stream", () => {
  test("gives all rows in batches", async () => {
    const sizes: number[] = [];
    for await (const rows of database.stream("select * from generate_series(1, $1::int) as n", [2500])) {
      sizes.push(rows.length);
    }
    expect(sizes).toEqual([1000, 1000, 500]);
  });

  test("of nothing gives nothing", async () => {
    for await (const _ of database.stream("select 1 where false")) expect.unreachable();
  });

  test("frees its connection when the loop is left, by break or by a failure", async () => {
    const narrow = connect({ url, poolSize: 1 });
    for await (const rows of narrow.stream("select * from generate_series(1, 5000) as n")) {
      expect(rows.length).toBe(1000);
      break;
    }
    const failing = async () => {
      for await (const _ of narrow.stream("select * from generate_series(1, 5000)")) throw new Error("mine");
    };
    await expect(failing()).rejects.toThrow("mine");
    const dividing = async () => {
      for await (const _ of narrow.stream("select 1 / (3000 - n) from generate_series(1, 5000) as n"));
    };
    await expect(dividing()).rejects.toMatchObject({ sqlState: "22012" });
    expect(await narrow.query("select count(*)::int as open from pg_cursors where name <> ''")).toEqual([
      { open: 0 },
    ]);
    await narrow.close();
  });

  test("in a transaction leaves room for other statements", async () => {
    await database.transaction(async (transaction) => {
      const totals: unknown[] = [];
      for await (const rows of transaction.stream("select n from generate_series(1, 2500) as n")) {
        totals.push(...(await transaction.query("select $1::int as size", [rows.length])));
      }
      expect(totals).toEqual([{ size: 1000 }, { size: 1000 }, { size: 500 }]);
    });
  });
});

describe("copy", () => {
  beforeAll(() => database.execute("create table copied (id int primary key, name text)"));

  test("takes chunks that end anywhere", async () => {
    await database.copyFrom(
      "copy copied from stdin",
      chunksOf("1\ton", "e\n2\tt", "wo\n", "3\tthr\u00e9e\n"),
    );
    expect(await database.query("select * from copied order by id")).toEqual([
      { id: 1, name: "one" },
      { id: 2, name: "two" },
      { id: 3, name: "thr\u00e9e" },
    ]);
  });

  test("fails with the row's failure, also when it comes after the last chunk", async () => {
    await expect(database.copyFrom("copy copied from stdin", chunksOf("9\tx\n9\ty\n"))).rejects.toMatchObject(
      {
        kind: "unique",
      },
    );
    expect(await database.query("select 1 from copied where id = 9")).toEqual([]);
  });

  test("takes no more than the network does, and stops its source when the server refuses", async () => {
    let taken = 0;
    let isCleanedUp = false;
    const endless = async function* () {
      try {
        for (;;) yield `${++taken === 50 ? "nonsense" : 1000 + taken}\t${"x".repeat(100_000)}\n`;
      } finally {
        isCleanedUp = true;
      }
    };
    await expect(database.copyFrom("copy copied from stdin", endless())).rejects.toMatchObject({
      sqlState: "22P02",
    });
    await eventually(async () => isCleanedUp);
    expect(taken).toBeLessThan(1000);
  });

  test("does not wait for a source that waits forever when the server has refused", async () => {
    const stuck = async function* () {
      yield "nonsense\tx\n";
      await new Promise(() => {});
    };
    await expect(database.copyFrom("copy copied from stdin", stuck())).rejects.toMatchObject({
      sqlState: "22P02",
    });
  });

  test("fails with the source's failure, and nothing is written", async () => {
    const broken = async function* () {
      yield "77\tx\n";
      throw new Error("the source broke");
    };
    await expect(database.copyFrom("copy copied from stdin", broken())).rejects.toThrow("the source broke");
    expect(await database.query("select 1 from copied where id = 77")).toEqual([]);
  });

  test("refuses a statement that is none", async () => {
    await expect(database.copyFrom("select 1", chunksOf())).rejects.toThrow("not a COPY");
  });

  test("in a transaction holds back statements that come meanwhile", async () => {
    await database.transaction(async (transaction) => {
      const copying = transaction.copyFrom("copy copied from stdin", chunksOf("501\ta\n", "502\tb\n"));
      const counting = transaction.query("select count(*)::int as n from copied where id > 500 and id < 600");
      await copying;
      expect(await counting).toEqual([{ n: 2 }]);
    });
  });
});

describe("a transaction", () => {
  beforeAll(() => database.execute("create table account (id int primary key, amount int not null)"));

  test("is all or nothing", async () => {
    const failing = database.transaction(async (transaction) => {
      await transaction.query("insert into account values (1, 10)");
      throw new Error("mine");
    });
    await expect(failing).rejects.toThrow("mine");
    expect(await database.query("select 1 from account")).toEqual([]);
    const result = await database.transaction(async (transaction) => {
      await transaction.query("insert into account values (1, 10)");
      return "done";
    });
    expect(result).toBe("done");
    expect(await database.query("select amount from account")).toEqual([{ amount: 10 }]);
  });

  test("whose statement failed cannot seem to succeed", async () => {
    const swallowing = database.transaction(async (transaction) => {
      await transaction.query("insert into account values (7, 1)");
      await transaction.query("insert into account values (7, 2)").catch(() => {});
    });
    await expect(swallowing).rejects.toMatchObject({ kind: "unique" });
    expect(await database.query("select 1 from account where id = 7")).toEqual([]);
  });

  test("gives its connection back clean, and its handle is of no use afterwards", async () => {
    let leaked: Queryable | undefined;
    await database.transaction(async (transaction) => {
      leaked = transaction;
    });
    await expect(leaked?.query("select 1")).rejects.toThrow("transaction is over");
    await expect(leaked?.execute("select 1")).rejects.toThrow("transaction is over");
  });

  test("is tried again after a serialization failure", async () => {
    await database.execute("delete from account; insert into account values (1, 0)");
    let attempts = 0;
    const increments = Array.from({ length: 4 }, () =>
      database.transaction(
        async (transaction) => {
          attempts++;
          const [row] = await transaction.query<{ amount: number }>(
            "select amount from account where id = 1",
          );
          await transaction.query("select pg_sleep(0.01)");
          await transaction.query("update account set amount = $1 where id = 1", [(row?.amount ?? 0) + 1]);
        },
        { isolation: "serializable", retries: 50 },
      ),
    );
    await Promise.all(increments);
    expect(await database.query("select amount from account")).toEqual([{ amount: 4 }]);
    expect(attempts).toBeGreaterThan(4);
  });

  test("is tried again after a deadlock", async () => {
    await database.execute("delete from account; insert into account values (1, 0), (2, 0)");
    let attempts = 0;
    const lockBoth = (first: number, second: number) =>
      database.transaction(async (transaction) => {
        attempts++;
        await transaction.execute("set local deadlock_timeout = '20ms'");
        await transaction.query("update account set amount = amount + 1 where id = $1", [first]);
        await transaction.query("select pg_sleep(0.1)");
        await transaction.query("update account set amount = amount + 1 where id = $1", [second]);
      });
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
    expect(await database.query("select sum(amount)::int as total from account")).toEqual([{ total: 4 }]);
    expect(attempts).toBeGreaterThan(2);
  });

  test("gives up after so many attempts", async () => {
    let attempts = 0;
    const hopeless = database.transaction(
      async () => {
        attempts++;
        throw new DatabaseError("serialization", "again and again");
      },
      { retries: 2 },
    );
    await expect(hopeless).rejects.toMatchObject({ kind: "serialization" });
    expect(attempts).toBe(3);
  });
});

describe("cancelling", () => {
  test("ends the statement on the server", async () => {
    const controller = new AbortController();
    const sleeping = database.query("select pg_sleep(60) /* one */", [], { signal: controller.signal });
    await eventually(() => isRunning("/* one */"));
    controller.abort();
    await expect(sleeping).rejects.toMatchObject({ kind: "cancelled" });
    expect(await isRunning("/* one */")).toBe(false);
  });

  test("before it began costs nothing", async () => {
    await expect(database.query("select 1", [], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      kind: "cancelled",
    });
  });

  test("works while waiting for a connection", async () => {
    const narrow = connect({ url, poolSize: 1 });
    const controller = new AbortController();
    const first = narrow.query("select pg_sleep(0.2)");
    const second = narrow.query("select 2", [], { signal: controller.signal });
    controller.abort();
    await expect(second).rejects.toMatchObject({ kind: "cancelled" });
    await first;
    await narrow.close();
  });

  test("works for prepared statements, and spares the neighbours on the connection", async () => {
    const sleep = database.prepare("select pg_sleep($1::float8)::text /* prepared */");
    const echo = database.prepare("select $1::text");
    const controllers = Array.from({ length: 4 }, () => new AbortController());
    const sleeping = controllers.map(({ signal }) =>
      sleep.execute(["30"], signal).catch((error) => error.kind),
    );
    const neighbours = Array.from({ length: 100 }, (_, index) => echo.execute([String(index)]));
    await eventually(() => isRunning("/* prepared */"));
    for (const controller of controllers) controller.abort();
    expect(await Promise.all(sleeping)).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
    expect((await Promise.all(neighbours)).flatMap(textsOf)).toEqual(
      Array.from({ length: 100 }, (_, n) => String(n)),
    );
  });

  test("works for streams, copies and whole transactions", async () => {
    const stop = () => AbortSignal.timeout(100);
    const stream = async () => {
      const sql = "select pg_sleep(0.001) from generate_series(1, 100000)";
      for await (const _ of database.stream(sql, [], { signal: stop() }));
    };
    await expect(stream()).rejects.toMatchObject({ kind: "cancelled" });
    const waiting = async function* () {
      yield "901\tx\n";
      await new Promise(() => {});
    };
    await expect(
      database.copyFrom("copy copied from stdin", waiting(), { signal: stop() }),
    ).rejects.toMatchObject({ kind: "cancelled" });
    const transaction = database.transaction((inner) => inner.query("select pg_sleep(60)"), {
      signal: stop(),
    });
    await expect(transaction).rejects.toMatchObject({ kind: "cancelled" });
  });

  test("leaves no trace on the signal", async () => {
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
    await database.query("select 1", [], { signal });
    await database.query("select 1 / 0", [], { signal }).catch(() => {});
    await database.prepare("select 'x'").execute([], signal);
    expect(listeners).toBe(0);
  });
});

describe("limits", () => {
  test("a statement that takes too long fails with the kind timeout", async () => {
    const impatient = connect({ url, statementTimeoutMs: 50 });
    await expect(impatient.query("select pg_sleep(10)")).rejects.toMatchObject({ kind: "timeout" });
    await expect(impatient.prepare("select pg_sleep(10)::text").execute([])).rejects.toMatchObject({
      kind: "timeout",
    });
    expect(await impatient.query("select 1 as one")).toEqual([{ one: 1 }]);
    await impatient.close();
  });

  test("no more connections are opened than the pool may have", async () => {
    const narrow = connect({ url, poolSize: 2, applicationName: "narrow" });
    await Promise.all(Array.from({ length: 20 }, () => narrow.query("select pg_sleep(0.01)")));
    const count = "select count(*)::int as n from pg_stat_activity where application_name = 'narrow'";
    expect(await database.query(count)).toEqual([{ n: 2 }]);
    await narrow.close();
    await eventually(async () => (await database.query<{ n: number }>(count))[0]?.n === 0);
  });

  test("closing finishes what is under way and takes nothing new", async () => {
    const closing = connect({ url, poolSize: 1 });
    const queries = [closing.query("select pg_sleep(0.1)"), closing.query("select 2 as n")];
    const bytes = closing.prepare("select 'x'").execute([]);
    const closed = closing.close();
    await expect(closing.query("select 3")).rejects.toThrow("are closed");
    await expect(closing.prepare("select 'y'").execute([])).rejects.toThrow("are closed");
    expect((await Promise.all(queries))[1]).toEqual([{ n: 2 }]);
    expect(textsOf(await bytes)).toEqual(["x"]);
    await closed;
    await closing.close();
  });
});

describe("the URL", () => {
  test("can carry the name of the application and settings of the session", async () => {
    const named = connect({ url: `${url}&application_name=named&options=-c%20search_path%3Dpg_catalog` });
    const sql = "select current_setting('application_name') as name, current_setting('search_path') as path";
    expect(await named.query(sql)).toEqual([{ name: "named", path: "pg_catalog" }]);
    await named.close();
  });

  test("may leave out the host, as libpq allows", async () => {
    const { searchParams, pathname, username } = new URL(url);
    const short = connect({ url: `postgres://${username}@${pathname}?${searchParams}` });
    expect(await short.query("select 1 as one")).toEqual([{ one: 1 }]);
    await short.close();
  });
});

describe("a prepared statement", () => {
  test("gives the bytes of its column as they came", async () => {
    const prepared = database.prepare(
      "select v from unnest($1::text[]) with ordinality as u (v, n) order by n",
    );
    expect(textsOf(await prepared.execute(['{"ä",NULL,"","{\\"a\\": 1}"}']))).toEqual([
      "ä",
      "",
      "",
      '{"a": 1}',
    ]);
    expect(await prepared.execute(["{}"])).toEqual([]);
  });

  test("runs many at once, in the pipeline and in the pool", async () => {
    for (const isPipelined of [true, false]) {
      const prepared = database.prepare("select $1::text || $2::text", { isPipelined });
      const runs = Array.from({ length: 500 }, (_, index) => prepared.execute([String(index), "!"]));
      expect((await Promise.all(runs)).flatMap(textsOf)).toEqual(
        Array.from({ length: 500 }, (_, n) => `${n}!`),
      );
    }
  });

  test("fails alone: those before and behind it in the pipeline do not notice", async () => {
    const prepared = database.prepare("select (10 / $1::int)::text");
    const outcomes = await Promise.allSettled(
      ["1", "0", "2", "x", "5"].map((value) => prepared.execute([value])),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  });

  test("that cannot be prepared fails for everyone with the reason", async () => {
    const broken = database.prepare("select nonsense");
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => broken.execute([]).catch((error) => error.sqlState)),
    );
    expect(outcomes).toEqual(["42703", "42703", "42703"]);
  });

  test("survives a change of its tables, and being dropped on the server", async () => {
    await database.execute("create table changing (id int); insert into changing values (1)");
    const prepared = database.prepare("select to_json(c)::text from (select * from changing) as c");
    const star = database.prepare("select changing.* from changing");
    expect(textsOf(await prepared.execute([]))).toEqual(['{"id":1}']);
    expect(textsOf(await star.execute([]))).toEqual(["1"]);
    await database.execute("alter table changing alter column id type text");
    expect(textsOf(await star.execute([]))).toEqual(["1"]);
    const forget = database.prepare("deallocate all");
    for (let round = 0; round < 4; round++) await forget.execute([]);
    expect(textsOf(await star.execute([]))).toEqual(["1"]);
  });

  test("is prepared once per connection", async () => {
    const prepared = database.prepare("select 'counted'");
    await Promise.all(Array.from({ length: 50 }, () => prepared.execute([])));
    const count = database.prepare(
      "select count(*)::text from pg_prepared_statements where statement like '%counted%'",
    );
    expect(Number(textsOf(await count.execute([]))[0])).toBeLessThanOrEqual(2);
  });
});
