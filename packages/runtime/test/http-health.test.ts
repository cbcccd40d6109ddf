import { afterEach, describe, expect, test, vi } from "vitest";
import type { Readiness } from "../src/http/index.js";
import { testHttp } from "./http-notation.js";

function probe(checkReady: () => Promise<Readiness>) {
  const check = vi.fn(checkReady);
  const http = testHttp([], { checkReady: check });
  const ask = async (name: string) => {
    const response = await http.fetch(new Request(`http://x/health/${name}`));
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      text: await response.text(),
    };
  };
  return { http, check, ask };
}

const REASON = "connect ECONNREFUSED db.internal:5432 as admin";

describe("health", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("live says so without asking the database", async () => {
    const { ask, check } = probe(() => new Promise(() => {}));
    expect(await ask("live")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    expect(check).not.toHaveBeenCalled();
  });

  test("ready asks, and remembers for a second", async () => {
    vi.useFakeTimers();
    const { ask, check } = probe(async () => ({ ok: true }));
    expect(await ask("ready")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    await ask("ready");
    vi.advanceTimersByTime(900);
    await ask("ready");
    expect(check).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    await ask("ready");
    expect(check).toHaveBeenCalledTimes(2);
  });

  test("probes that come together share one check", async () => {
    let settle = (_: Readiness): void => {};
    const { ask, check } = probe(
      () =>
        new Promise((resolve) => {
          settle = resolve;
        }),
    );
    const all = Promise.all([ask("ready"), ask("ready"), ask("ready")]);
    settle({ ok: true });
    expect((await all).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(check).toHaveBeenCalledTimes(1);
  });

  test("not ready is 503; the reason is in the log alone, once", async () => {
    vi.useFakeTimers();
    const { http, ask } = probe(async () => ({ ok: false, reason: REASON }));
    const answer = await ask("ready");
    expect(answer).toMatchObject({ status: 503, retryAfter: "1" });
    expect(JSON.parse(answer.text)).toMatchObject({ code: "unavailable" });
    expect(answer.text).not.toContain("db.internal");
    vi.advanceTimersByTime(1500);
    await ask("ready");
    const told = http.lines().filter(({ msg }) => msg === "not ready");
    expect(told).toMatchObject([{ level: "warn", reason: REASON }]);
  });

  test("a check that throws, and one that hangs, mean not ready; both recover", async () => {
    vi.useFakeTimers();
    const checks: (() => Promise<Readiness>)[] = [
      () => Promise.reject(new Error(REASON)),
      () => new Promise(() => {}),
      async () => ({ ok: true }),
    ];
    const { http, ask } = probe(() => checks.shift()?.() ?? Promise.resolve({ ok: true }));
    expect(await ask("ready")).toMatchObject({ status: 503 });
    vi.advanceTimersByTime(1500);
    const hanging = ask("ready");
    await vi.advanceTimersByTimeAsync(2100);
    expect(await hanging).toMatchObject({ status: 503 });
    vi.advanceTimersByTime(1500);
    expect(await ask("ready")).toMatchObject({ status: 200 });
    const told = http.lines().filter(({ msg }) => msg !== "request");
    expect(told.map(({ msg, reason }) => [msg, reason])).toEqual([
      ["not ready", REASON],
      ["not ready", "no answer from the database in 2000 ms"],
      ["ready", undefined],
    ]);
  });
});
