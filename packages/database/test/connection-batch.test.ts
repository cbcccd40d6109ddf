import { beforeEach, describe, expect, test } from "vitest";
import type { BatchOutcome, BatchStatement, Queryable } from "../src/index.js";
import {
  COUNT,
  INSERT,
  prepareGround,
  step,
  takeTypes,
  textsFrom,
  textsOf,
} from "./connection-batch-ground.js";

const ground = prepareGround();
const { connectNarrow, behindProxy, idsKept } = ground;

describe("a batch", () => {
  test("gives the rows of each statement, in order", async () => {
    const answer = connectNarrow().batch([
      step("select n::text from generate_series(1, $1::int) as n", "3"),
      step("update item set name = 'none'"),
      step(""),
      step("select unnest($1::text[])", '{"ä",NULL,""}'),
      step("select 'none' where false"),
    ]);
    expect(await textsFrom(answer)).toEqual([["1", "2", "3"], [], [], ["ä", "", ""], []]);
  });

  test("of nothing gives nothing", async () => {
    expect(await connectNarrow().batch([])).toEqual({ rows: [], failure: null });
  });

  test("is one write and one round trip, and prepares each text once", async () => {
    const { database, proxy } = await behindProxy();
    const statements = [step("select $1", "a"), step("select $1 || '!'", "b"), step("select $1", "c")];
    for (const types of ["PBEPBEBES", "BEBEBES"]) {
      expect(await textsFrom(database.batch(statements))).toEqual([["a"], ["b!"], ["c"]]);
      expect(takeTypes(proxy)).toEqual([types]);
    }
    const prepared = "select count(*)::text from pg_prepared_statements where statement like 'select $1%'";
    expect(await textsFrom(database.batch([step(prepared)]))).toEqual([["2"]]);
  });

  test("of many statements and much text comes to its end", async () => {
    const long = "ä".repeat(20_000);
    const statements = Array.from({ length: 300 }, (_, index) => step("select $1", `${index}${long}`));
    const texts = await textsFrom(connectNarrow().batch(statements));
    expect(texts.map(([text]) => text === undefined || text.length)).toEqual(
      statements.map((_, index) => 20_000 + String(index).length),
    );
    expect(texts[299]?.[0]).toBe(`299${long}`);
  });

  test("sees what its earlier statements did, tables included", async () => {
    const answer = connectNarrow().batch([
      step("create temp table made (id int)"),
      step("insert into made values (7)"),
      step("select id::text from made"),
    ]);
    expect(await textsFrom(answer)).toEqual([[], [], ["7"]]);
  });

  test("takes connections of the pool, and waits for one", async () => {
    const database = connectNarrow();
    const runs = Array.from({ length: 50 }, (_, index) =>
      database.batch([step(INSERT, String(index), "x"), step("select $1", String(index))]),
    );
    expect((await Promise.all(runs)).map(textsOf)).toEqual(runs.map((_, n) => [[`${n}`], [`${n}`]]));
    expect(await idsKept()).toHaveLength(50);
  });

  test("takes nothing any more once the database is closed, and finishes what is under way", async () => {
    const database = connectNarrow();
    const answer = database.batch([step("select pg_sleep(0.05)::text"), step("select 'x'")]);
    const closing = database.close();
    await expect(database.batch([step("select 'y'")])).rejects.toThrow("are closed");
    expect(await textsFrom(answer)).toEqual([[""], ["x"]]);
    await closing;
  });
});

describe("a local setting", () => {
  const SET = step("select set_config('stoa.who', $1, true)", "ada");
  const GET = step("select coalesce(current_setting('stoa.who', true), '')");

  test("lasts for the batch, outside a transaction", async () => {
    const database = connectNarrow();
    expect(await textsFrom(database.batch([GET, SET, GET]))).toEqual([[""], ["ada"], ["ada"]]);
    expect(await textsFrom(database.batch([GET]))).toEqual([[""]]);
    const failed = await database.batch([SET, step("select 1 / 0")]);
    expect(failed.failure).toMatchObject({ sqlState: "22012" });
    expect(await textsFrom(database.batch([GET]))).toEqual([[""]]);
  });

  test("lasts for the transaction, inside one", async () => {
    const database = connectNarrow();
    await database.transaction(async (transaction) => {
      expect(await textsFrom(transaction.batch([SET, GET]))).toEqual([["ada"], ["ada"]]);
      expect(await textsFrom(transaction.batch([GET]))).toEqual([["ada"]]);
    });
    expect(await textsFrom(database.batch([GET]))).toEqual([[""]]);
  });
});

describe("a batch that fails", () => {
  const cases: [string, BatchStatement, object][] = [
    ["a mistake in the text", step("select nonsense"), { kind: "other", sqlState: "42703" }],
    [
      "two rows of one id",
      step(INSERT, "1", "again"),
      { kind: "unique", constraint: "item_pkey", table: "item", sqlState: "23505" },
    ],
    ["a division by zero", step("select (1 / $1::int)::text", "0"), { kind: "other", sqlState: "22012" }],
    ["a number that is none", step("select ($1::int)::text", "x"), { kind: "other", sqlState: "22P02" }],
    ["a number too large", step("select ($1::int)::text", "9999999999"), { sqlState: "22003" }],
    ["too few parameters", step("select $1"), { kind: "other", sqlState: "08P01" }],
    ["a statement that wants no transaction", step("vacuum item"), { kind: "other", sqlState: "25001" }],
    ["two statements in one text", step("select 1; select 2"), { kind: "other", sqlState: "42601" }],
  ];
  test.each(cases)("by %s keeps nothing, and tells what ran before", async (_, bad, failure) => {
    const { database, proxy } = await behindProxy();
    const outcome = await database.batch([
      step(INSERT, "1", "a"),
      step("select 'between'"),
      bad,
      step(INSERT, "3", "c"),
      step("select 'behind'"),
    ]);
    expect(outcome.failure).toMatchObject(failure);
    expect(textsOf(outcome)).toEqual([["1"], ["between"]]);
    expect(takeTypes(proxy)).toHaveLength(1);
    expect(await idsKept()).toEqual([]);
    const again = database.batch([step("select 'behind'"), step(INSERT, "2", "b"), step(COUNT)]);
    expect(await textsFrom(again)).toEqual([["behind"], ["2"], ["1"]]);
  });

  test("only when all of it is to be kept has the rows of all", async () => {
    const database = connectNarrow();
    const orphan = "insert into item (id, after_id) values (1, 99) returning id::text";
    const outcome = await database.batch([step(orphan), step(COUNT)]);
    expect(outcome.failure).toMatchObject({ kind: "foreign-key", constraint: "item_after_id_fkey" });
    expect(textsOf(outcome)).toEqual([["1"], ["1"]]);
    expect(await idsKept()).toEqual([]);
    expect(await textsFrom(database.batch([step(COUNT)]))).toEqual([["0"]]);
  });

  test("drops the rows of the statement that failed half-way", async () => {
    const outcome = await connectNarrow().batch([
      step("select 'x'"),
      step("select (1 / (3 - n))::text from generate_series(1, 5) as n"),
    ]);
    expect(outcome.failure).toMatchObject({ sqlState: "22012" });
    expect(textsOf(outcome)).toEqual([["x"]]);
  });

  test("by its time limit, too", async () => {
    const database = connectNarrow({ statementTimeoutMs: 50 });
    const outcome = await database.batch([step(INSERT, "1", "a"), step("select pg_sleep(10)::text")]);
    expect(outcome.failure).toMatchObject({ kind: "timeout" });
    expect(textsOf(outcome)).toEqual([["1"]]);
    expect(await idsKept()).toEqual([]);
    expect(await textsFrom(database.batch([step("select 'x'")]))).toEqual([["x"]]);
  });

  test("by a mistake of the program sends nothing at all", async () => {
    const { database, proxy } = await behindProxy();
    const good = step("select 'good'");
    const mistakes = [step("select '\0'"), step("select $1", undefined as never)];
    for (const bad of mistakes) {
      await expect(database.batch([good, bad, step("select 'unseen'")])).rejects.toThrow(TypeError);
    }
    expect(takeTypes(proxy)).toEqual([]);
    expect(await textsFrom(database.batch([good, step("select 'unseen'")]))).toEqual([["good"], ["unseen"]]);
    expect(takeTypes(proxy)).toEqual(["PBEPBES"]);
  });
});

describe("COPY in a batch", () => {
  const mistake = "COPY statement can only be run by copyFrom";

  test.each(["copy item from stdin", "copy item to stdout", " -- why\n/* not */ COPY item TO STDOUT"])(
    "is refused before anything is sent: %s",
    async (sql) => {
      const { database, proxy } = await behindProxy();
      for (const steps of [[step(sql)], [step(INSERT, "1", "a"), step(sql), step("select 'x'")]]) {
        await expect(database.batch(steps)).rejects.toThrow(mistake);
      }
      expect(takeTypes(proxy)).toEqual([]);
      expect(await textsFrom(database.batch([step(INSERT, "2", "b")]))).toEqual([["2"]]);
    },
  );

  test("is refused by the server where we do not see it, and nothing hangs", async () => {
    const database = connectNarrow();
    const hidden = step("/* * */ copy item from stdin");
    for (const behind of [[], [step("select 'x'")]]) {
      await expect(database.batch([step(INSERT, "1", "a"), hidden, ...behind])).rejects.toThrow(mistake);
      expect(await textsFrom(database.batch([step(COUNT)]))).toEqual([["0"]]);
    }
  });
});

describe("what a connection has prepared", () => {
  test("does not include what stood behind a failure", async () => {
    const { database, proxy } = await behindProxy();
    const [first, behind, last] = [step("select 'first'"), step("select 'behind'"), step("select 'last'")];
    const failed = await database.batch([first, step("select nonsense"), behind, behind, last]);
    expect(failed.failure).toMatchObject({ sqlState: "42703" });
    expect(takeTypes(proxy)).toEqual(["PBEPBEPBEBEPBES"]);
    const divided = await database.batch([behind, step("select (1 / $1::int)::text", "0"), last]);
    expect(divided.failure).toMatchObject({ sqlState: "22012" });
    expect(takeTypes(proxy)).toEqual(["PBEPBEPBES"]);
    // Preparing survives what was undone, up to the statement that failed.
    const all = [first, behind, step("select (1 / $1::int)::text", "1"), last];
    expect(await textsFrom(database.batch(all))).toEqual([["first"], ["behind"], ["1"], ["last"]]);
    expect(takeTypes(proxy)).toEqual(["BEBEBEPBES"]);
  });

  test("serves single statements and batches alike", async () => {
    const { database, proxy } = await behindProxy();
    await database.batch([step("select $1", "a")]);
    const prepared = database.prepare("select $1", { isPipelined: false });
    expect((await prepared.execute(["b"])).map((row) => Buffer.from(row).toString())).toEqual(["b"]);
    expect(takeTypes(proxy)).toEqual(["PBES", "BES"]);
  });

  const many = Array.from({ length: 6 }, (_, index) =>
    step(`select changing.* /* ${index} */ from changing`),
  );

  test("is prepared again when somebody dropped it all", async () => {
    const database = connectNarrow();
    await database.batch(many);
    await database.execute("deallocate all");
    const answer = database.batch([step(INSERT, "1", "a"), ...many]);
    expect(await textsFrom(answer)).toEqual([["1"], ...many.map(() => [])]);
    expect(await idsKept()).toEqual([1]);
  });

  test("is prepared again when the tables have changed", async () => {
    const database = connectNarrow();
    for (const type of ["text", "varchar"]) {
      await textsFrom(database.batch(many));
      await ground.watcher.execute(`alter table changing alter column id type ${type}`);
      const answer = database.batch([step(INSERT, type.length.toString(), "a"), ...many]);
      expect((await textsFrom(answer)).slice(1)).toEqual(many.map(() => []));
    }
    expect(await idsKept()).toEqual([4, 7]);
  });

  test("is prepared again inside a transaction, which is tried again for it", async () => {
    const database = connectNarrow();
    await textsFrom(database.batch(many));
    await ground.watcher.execute("alter table changing alter column id type bigint using id::bigint");
    let attempts = 0;
    const work = async (transaction: Queryable) => {
      attempts++;
      const outcome = await transaction.batch([step(INSERT, "1", "a"), ...many]);
      if (outcome.failure !== null) throw outcome.failure;
    };
    await database.transaction(work);
    expect(attempts).toBe(2);
    expect(await idsKept()).toEqual([1]);
  });
});

describe("batches in each other's way", () => {
  /** Waits until both have come here once: then each has a lock that the other one wants. */
  const MEET = `do $$ begin
    while (select last_value from attempt) < 2 loop perform pg_sleep(0.002); end loop;
  end $$`;
  /** Locks two rows in an order; counts its attempts, which is not undone. */
  const lockBoth = (first: string, second: string) => [
    step("select set_config('deadlock_timeout', '20ms', true)"),
    step("update item set name = name || '+' where id = $1::int returning name", first),
    step("select nextval('attempt')::text"),
    step(MEET),
    step("update item set name = name || '+' where id = $1::int returning name", second),
  ];
  const attempts = async () =>
    Number((await ground.watcher.query("select last_value from attempt"))[0]?.last_value);

  beforeEach(() => ground.watcher.execute("insert into item values (1, ''), (2, '')"));

  test("are tried again after a deadlock", async () => {
    const [one, other] = [connectNarrow(), connectNarrow()];
    const outcomes = await Promise.all([one.batch(lockBoth("1", "2")), other.batch(lockBoth("2", "1"))]);
    expect(outcomes.map((outcome) => outcome.failure)).toEqual([null, null]);
    expect(outcomes.map((outcome) => outcome.rows.length)).toEqual([5, 5]);
    expect(await ground.watcher.query("select name from item")).toEqual([{ name: "++" }, { name: "++" }]);
    expect(await attempts()).toBeGreaterThan(2);
  });

  test("give up after so many attempts", async () => {
    const database = connectNarrow({ poolSize: 2 });
    const orders = [lockBoth("1", "2"), lockBoth("2", "1")];
    const outcomes = await Promise.all(orders.map((each) => database.batch(each, { retries: 0 })));
    const failed = outcomes.filter((outcome) => outcome.failure !== null);
    expect(failed).toHaveLength(1);
    expect(failed[0]?.failure).toMatchObject({ kind: "serialization", sqlState: "40P01" });
    expect(failed[0]?.rows).toHaveLength(4);
    expect(await attempts()).toBe(2);
    expect(await ground.watcher.query("select name from item")).toEqual([{ name: "+" }, { name: "+" }]);
  });

  const collide = [
    step("select nextval('attempt')::text"),
    step("do $$ begin raise exception 'again' using errcode = '40001'; end $$"),
  ];

  test("are tried again ten times after serialization failures", async () => {
    const outcome = await connectNarrow().batch(collide);
    expect(outcome.failure).toMatchObject({ kind: "serialization", sqlState: "40001" });
    expect(await attempts()).toBe(11);
  });

  test("are not tried again inside a transaction, which is tried again itself", async () => {
    const database = connectNarrow();
    const failing = database.transaction((transaction) => transaction.batch(collide), { retries: 2 });
    await expect(failing).rejects.toMatchObject({ kind: "serialization" });
    expect(await attempts()).toBe(3);
  });
});

describe("a batch in a transaction", () => {
  test("runs with the rest of it, and leaves together with its beginning", async () => {
    const { database, proxy } = await behindProxy();
    await database.transaction(async (transaction) => {
      const [first, second] = await Promise.all([
        transaction.batch([step(INSERT, "1", "a"), step(COUNT)]),
        transaction.batch([step(INSERT, "2", "b"), step(COUNT)]),
      ]);
      expect([textsOf(first), textsOf(second)]).toEqual([
        [["1"], ["1"]],
        [["2"], ["2"]],
      ]);
      expect(await transaction.query("select count(*)::int as n from item")).toEqual([{ n: 2 }]);
      expect(await idsKept()).toEqual([]);
    });
    expect(takeTypes(proxy)).toEqual(["QPBEPBESBEBES", "PBDES", "Q"]);
    expect(await idsKept()).toEqual([1, 2]);
  });

  test("that fails undoes it, whether or not anybody cares", async () => {
    const database = connectNarrow();
    let outcome: BatchOutcome | undefined;
    const swallowing = database.transaction(async (transaction) => {
      await transaction.query("insert into item values (1)");
      outcome = await transaction.batch([step(INSERT, "2", "b"), step(INSERT, "1", "a"), step(COUNT)]);
      const after = await transaction.batch([step("select 'after'")]);
      expect(after).toMatchObject({ rows: [], failure: { sqlState: "25P02" } });
    });
    await expect(swallowing).rejects.toMatchObject({ kind: "unique", constraint: "item_pkey" });
    expect(outcome).toMatchObject({ failure: { kind: "unique" }, rows: [[expect.anything()]] });
    expect(await idsKept()).toEqual([]);
    expect(await textsFrom(database.batch([step("select 'after'")]))).toEqual([["after"]]);
  });

  test("does not commit it", async () => {
    const database = connectNarrow();
    const undone = database.transaction(async (transaction) => {
      await textsFrom(transaction.batch([step(INSERT, "1", "a")]));
      throw new Error("mine");
    });
    await expect(undone).rejects.toThrow("mine");
    expect(await idsKept()).toEqual([]);
  });

  test("is of no use afterwards", async () => {
    let leaked: Queryable | undefined;
    await connectNarrow().transaction(async (transaction) => {
      leaked = transaction;
    });
    await expect(leaked?.batch([step("select 'x'")])).rejects.toThrow("transaction is over");
  });
});
