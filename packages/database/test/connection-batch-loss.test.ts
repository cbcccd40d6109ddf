import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  COUNT,
  eventually,
  INSERT,
  prepareGround,
  step,
  takeTypes,
  textsFrom,
} from "./connection-batch-ground.js";

const { connectNarrow, behindProxy, idsKept } = prepareGround();

describe("cancelling a batch", () => {
  test("ends it on the server, and keeps nothing", async () => {
    const database = connectNarrow();
    const pid = await database.query("select pg_backend_pid()");
    const signal = AbortSignal.timeout(100);
    const answer = database.batch([step(INSERT, "1", "a"), step("select pg_sleep(60)::text")], { signal });
    await expect(answer).rejects.toMatchObject({ kind: "cancelled", isOutcomeUnknown: false });
    expect(await idsKept()).toEqual([]);
    expect(await database.query("select pg_backend_pid()")).toEqual(pid);
  });

  test("works in a transaction, by its own signal and by the transaction's", async () => {
    const database = connectNarrow();
    const sleep = [step(INSERT, "1", "a"), step("select pg_sleep(60)::text")];
    const own = database.transaction((transaction) =>
      transaction.batch(sleep, { signal: AbortSignal.timeout(100) }),
    );
    await expect(own).rejects.toMatchObject({ kind: "cancelled" });
    const whole = database.transaction((transaction) => transaction.batch(sleep), {
      signal: AbortSignal.timeout(100),
    });
    await expect(whole).rejects.toMatchObject({ kind: "cancelled" });
    expect(await idsKept()).toEqual([]);
  });

  test("before it began, or while it waits for a connection, costs nothing", async () => {
    const { database, proxy } = await behindProxy();
    const batch = [step(INSERT, "1", "a")];
    const early = database.batch(batch, { signal: AbortSignal.abort() });
    await expect(early).rejects.toMatchObject({ kind: "cancelled" });
    expect(takeTypes(proxy)).toEqual([]);
    const sleeping = database.query("select pg_sleep(0.2)");
    const waiting = database.batch(batch, { signal: AbortSignal.timeout(50) });
    await expect(waiting).rejects.toMatchObject({ kind: "cancelled" });
    await sleeping;
    expect(await idsKept()).toEqual([]);
  });

  test("gets through at any time, also between two of its statements", async () => {
    const database = connectNarrow();
    const short = Array.from({ length: 2000 }, () => step("select 'x'"));
    for (let round = 0; round < 20; round++) {
      const signal = AbortSignal.timeout(round);
      const startedAt = performance.now();
      const answer = database.batch([...short, step("select pg_sleep(60)::text")], { signal });
      await expect(answer).rejects.toMatchObject({ kind: "cancelled" });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    }
    expect(await textsFrom(database.batch([step("select 'x'")]))).toEqual([["x"]]);
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
    const database = connectNarrow();
    await database.batch([step("select 'x'")], { signal });
    await database.batch([step("select 1 / 0")], { signal });
    expect(listeners).toBe(0);
  });
});

describe("a connection that is lost", () => {
  const steps = [step(INSERT, "1", "a"), step(INSERT, "2", "b"), step(COUNT)];
  const lost = { kind: "unavailable", isOutcomeUnknown: true };

  // Parse, bind, execute, bind, execute, parse, bind, execute, sync.
  test.each(Array.from({ length: 10 }, (_, sent) => sent))(
    "after %i messages have got to the server leaves all or nothing",
    async (sent) => {
      const { database, proxy } = await behindProxy();
      proxy.cutAfter("client", sent);
      await expect(database.batch(steps)).rejects.toMatchObject(lost);
      await eventually(async () => proxy.connectionCount === 0);
      // Its end comes with "sync".
      expect(await idsKept()).toEqual(sent === 9 ? [1, 2] : []);
      expect(await textsFrom(database.batch([step(COUNT)]))).toEqual([[sent === 9 ? "2" : "0"]]);
    },
  );

  // Parsed, bound, a row, complete, bound, a row, complete, parsed, bound, a row, complete.
  test.each(Array.from({ length: 12 }, (_, received) => received))(
    "after %i messages of the answer tells that it does not know",
    async (received) => {
      const { database, proxy } = await behindProxy();
      proxy.cutAfter("server", received);
      await expect(database.batch(steps)).rejects.toMatchObject(lost);
      expect(await idsKept()).toEqual([1, 2]);
      expect(await textsFrom(database.batch([step(COUNT)]))).toEqual([["2"]]);
    },
  );

  test("after the whole answer has been heard is no loss", async () => {
    const { database, proxy } = await behindProxy();
    proxy.cutAfter("server", 12);
    expect(await textsFrom(database.batch(steps))).toEqual([["1"], ["2"], ["2"]]);
  });

  test("after the server has refused is as good as an answer: nothing was kept", async () => {
    const { database, proxy } = await behindProxy();
    // Parsed, bound, a row, complete, bound, refused.
    proxy.cutAfter("server", 6);
    const outcome = await database.batch([step(INSERT, "1", "a"), step(INSERT, "1", "b"), step(COUNT)]);
    expect(outcome).toMatchObject({ failure: { kind: "unique" }, rows: [[expect.anything()]] });
    expect(await idsKept()).toEqual([]);
    expect(await textsFrom(database.batch([step(COUNT)]))).toEqual([["0"]]);
  });

  test("because the server ended it in the middle of a statement leaves no doubt", async () => {
    const database = connectNarrow();
    const end = step("select pg_terminate_backend(pg_backend_pid())::text");
    const answer = database.batch([step(INSERT, "1", "a"), end, step("select pg_sleep(1)::text")]);
    await expect(answer).rejects.toMatchObject({ kind: "unavailable", isOutcomeUnknown: false });
    expect(await idsKept()).toEqual([]);
    expect(await textsFrom(database.batch([step(COUNT)]))).toEqual([["0"]]);
  });

  test("before the batch has left leaves no doubt", async () => {
    const { database, proxy } = await behindProxy();
    const answer = database.transaction(async (transaction) => {
      proxy.cut();
      await pause(50);
      return transaction.batch(steps);
    });
    await expect(answer).rejects.toMatchObject({ kind: "unavailable", isOutcomeUnknown: false });
    await proxy.goDown();
    await expect(database.batch(steps)).rejects.toMatchObject({
      kind: "unavailable",
      isOutcomeUnknown: false,
    });
    await proxy.comeBack();
    expect(await textsFrom(database.batch([step(COUNT)]))).toEqual([["0"]]);
  });

  test("in a transaction leaves doubt only about its commit", async () => {
    const { database, proxy } = await behindProxy();
    const inBatch = database.transaction(async (transaction) => {
      await transaction.query("select 1");
      proxy.cutAfter("server", 3);
      return transaction.batch(steps);
    });
    await expect(inBatch).rejects.toMatchObject({ kind: "unavailable", isOutcomeUnknown: false });
    const inCommit = database.transaction(async (transaction) => {
      await textsFrom(transaction.batch(steps));
      proxy.cutAfter("server", 0);
    });
    await expect(inCommit).rejects.toMatchObject(lost);
    expect(await idsKept()).toEqual([1, 2]);
  });
});
