// Parts of accounts that need no database: the queue of hashes, addresses, and sets of keys.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, describe, expect, test } from "vitest";
import { addressOf } from "../src/auth/address.js";
import { KEY_SET_TIMES, KeySet } from "../src/auth/key-set.js";
import { KeySetError } from "../src/auth/key-set-error.js";
import { WorkQueue } from "../src/hashing.js";
import { explainFailure } from "../src/http/failure.js";
import { OverloadError } from "../src/overload-error.js";

describe("the queue", () => {
  test("does a few at a time, in order, and goes on after failures", async () => {
    const queue = new WorkQueue({ atOnce: 2, mostWaiting: 10 });
    const events: string[] = [];
    let running = 0;
    let most = 0;
    const work = (name: string) => async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      events.push(name);
      running--;
      if (name === "b") throw new Error("b fails");
      return name;
    };
    const all = await Promise.allSettled(["a", "b", "c", "d", "e"].map((name) => queue.run(work(name))));
    expect(all.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, true, true]);
    expect([events.join(""), most]).toEqual(["abcde", 2]);
    expect(await queue.run(async () => 1)).toBe(1);
  });

  test("turns away what is too much, with 503", async () => {
    const queue = new WorkQueue({ atOnce: 1, mostWaiting: 2 });
    const settled = await Promise.allSettled(Array.from({ length: 5 }, () => queue.run(async () => "done")));
    const reasons = settled.map((each) => (each.status === "rejected" ? each.reason : each.value));
    expect(reasons.slice(0, 3)).toEqual(["done", "done", "done"]);
    expect(reasons.slice(3)).toEqual([expect.any(OverloadError), expect.any(OverloadError)]);
    expect(explainFailure(reasons[3]).problem).toMatchObject({
      code: "unavailable",
      headers: { "Retry-After": "1" },
    });
  });

  test("does not begin what nobody waits for", async () => {
    const queue = new WorkQueue({ atOnce: 1, mostWaiting: 10 });
    const gone = new AbortController();
    const first = queue.run(() => new Promise((resolve) => setTimeout(resolve, 5)));
    let hasBegun = false;
    const second = queue.run(async () => {
      hasBegun = true;
    }, gone.signal);
    gone.abort();
    await first;
    await expect(second).rejects.toThrow(DOMException);
    expect(hasBegun).toBe(false);
    expect(await queue.run(async () => 1)).toBe(1);
  });
});

describe("an address", () => {
  test.each<[string | null, string | undefined, string | null]>([
    [null, undefined, null],
    ["10.0.0.1", undefined, "10.0.0.1"],
    ["::ffff:10.0.0.1", undefined, "10.0.0.1"],
    ["::1", undefined, "0:0:0:0::/64"],
    ["fe80::1%eth0", undefined, "fe80:0:0:0::/64"],
    ["2001:db8:a:b:c:d:e:f", undefined, "2001:db8:a:b::/64"],
    ["10.0.0.1", "1.1.1.1", "1.1.1.1"],
    ["10.0.0.1", "9.9.9.9, 1.1.1.1:8080", "1.1.1.1"],
    ["10.0.0.1", "[2001:db8:a:b::1]", "2001:db8:a:b::/64"],
    ["10.0.0.1", "unknown", "10.0.0.1"],
    ["10.0.0.1", "1.1.1.1,", "10.0.0.1"],
    [null, "1.1.1.1", "1.1.1.1"],
  ])("%s, forwarded for %s, is %s", (remoteAddress, forwarded, counted) => {
    const call = { remoteAddress, headers: { "x-forwarded-for": forwarded } };
    expect(addressOf(call, true)).toBe(counted);
    if (forwarded !== undefined) expect(addressOf(call, false)).toBe(remoteAddress);
  });
});

describe("a key set", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stoa-keys-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const { publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  const times = { ...KEY_SET_TIMES, lifetimeMs: 100, graceMs: 1000, refetchMs: 10, retryMs: 5 };

  function keySetOf(file: string) {
    const clock = { now: 0 };
    const failures: Error[] = [];
    const keySet = new KeySet({
      ...{ source: file, baseFolder: folder, times, now: () => clock.now },
      onFailure: (error) => failures.push(error),
    });
    return { keySet, clock, failures };
  }

  const write = (file: string, kid: string) =>
    writeFileSync(join(folder, file), JSON.stringify({ keys: [{ ...jwk, kid }] }));
  const kidOf = (keys: Awaited<ReturnType<KeySet["current"]>> | null) => keys?.jwks().keys[0]?.kid;

  test("is kept for its time, and looked at again after it", async () => {
    write("kept.json", "1");
    const { keySet, clock } = keySetOf("kept.json");
    expect(kidOf(await keySet.current())).toBe("1");
    write("kept.json", "2");
    clock.now = 99;
    expect(kidOf(await keySet.current())).toBe("1");
    clock.now = 100;
    expect(kidOf(await keySet.current())).toBe("2");
  });

  test("is loaded again for an unknown key, but not too soon", async () => {
    write("new.json", "1");
    const { keySet, clock } = keySetOf("new.json");
    const keys = await keySet.current();
    write("new.json", "2");
    clock.now = 9;
    expect(await keySet.newer(keys)).toBeNull();
    clock.now = 10;
    const [first, second] = await Promise.all([keySet.newer(keys), keySet.newer(keys)]);
    expect([kidOf(first), first === second]).toEqual(["2", true]);
    expect(await keySet.newer(keys)).toBe(first);
    expect(await keySet.newer(first as NonNullable<typeof first>)).toBeNull();
  });

  test("outlives a failure for a while, and is not asked for all the time then", async () => {
    write("lost.json", "1");
    const { keySet, clock, failures } = keySetOf("lost.json");
    await keySet.current();
    rmSync(join(folder, "lost.json"));
    clock.now = 500;
    expect(kidOf(await keySet.current())).toBe("1");
    expect(kidOf(await keySet.current())).toBe("1");
    expect(failures).toHaveLength(1);
    clock.now = 1100;
    await expect(keySet.current()).rejects.toThrow(KeySetError);
    await expect(keySet.current()).rejects.toThrow(KeySetError);
    expect(failures).toHaveLength(2);
    write("lost.json", "2");
    clock.now = 1105;
    expect(kidOf(await keySet.current())).toBe("2");
  });

  test.each([["[]"], ["{}"], ['{"keys":{}}'], ["not json"]])("is none where it holds %s", async (text) => {
    writeFileSync(join(folder, "odd.json"), text);
    await expect(keySetOf("odd.json").keySet.current()).rejects.toThrow(KeySetError);
  });
});
