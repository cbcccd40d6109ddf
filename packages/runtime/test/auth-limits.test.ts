// Attempts to log in are limited, and many of them do not slow down the others.

import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createApplication } from "../src/index.js";
import { type AuthSite, median, openAuth, PASSWORD } from "./auth-site.js";

const LOGIN = "POST /api/auth/login";
const limits = { perAccount: 3, perAddress: 6, windowMs: 3_600_000 };

let site: AuthSite;
const opened: AuthSite[] = [];

async function open(...options: Parameters<typeof openAuth>): Promise<AuthSite> {
  const fresh = await openAuth(...options);
  opened.push(fresh);
  return fresh;
}

beforeEach(async () => {
  site ??= await open({ limits });
  await site.database.execute(`delete from _stoa.login_attempt; delete from public."user"`);
});
afterAll(async () => {
  for (const each of opened) await each.close();
});

async function statuses(logins: readonly Promise<{ readonly status: number }>[]): Promise<number[]> {
  return (await Promise.all(logins)).map(({ status }) => status).sort();
}

function guess(email: string, remoteAddress?: string) {
  const body = { email, password: "a wrong guess" };
  return site.send(LOGIN, { body, ...(remoteAddress === undefined ? {} : { remoteAddress }) });
}

describe("attempts per account", () => {
  test("end with 429, for users who exist and for others alike", async () => {
    await site.addUser("ada@x.org");
    for (const email of ["ada@x.org", "nobody@x.org"]) {
      for (let attempt = 0; attempt < 3; attempt++) expect((await guess(email)).status).toBe(401);
      const { status, body, headers } = await guess(email);
      expect([status, body.code]).toEqual([429, "rate-limited"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(1800);
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(3600);
    }
    const right = { email: "ada@x.org", password: PASSWORD };
    expect((await site.send(LOGIN, { body: right })).status).toBe(429);
  });

  test("cannot slip through at the same time", async () => {
    await site.addUser("ada@x.org");
    const guesses = Array.from({ length: 12 }, () => guess("ada@x.org"));
    const answers = await statuses(guesses);
    expect(answers.filter((status) => status === 401)).toHaveLength(3);
    expect(answers.filter((status) => status === 429)).toHaveLength(9);
  });

  test("are not evaded by case, spaces or other spellings", async () => {
    for (const email of ["ada@x.org", "ADA@x.org", " ada@x.org "]) await guess(email);
    for (const email of ["Ada@X.org", "\tada@x.org", "ａｄａ@x.org", "a da@x.org"]) {
      expect((await guess(email)).status).toBe(429);
    }
  });

  test("begin anew after a success, and after their time", async () => {
    await site.addUser("ada@x.org");
    await guess("ada@x.org");
    await guess("ada@x.org");
    expect(await site.login("ada@x.org")).toMatch(/^stoa_/);
    for (let attempt = 0; attempt < 3; attempt++) expect((await guess("ada@x.org")).status).toBe(401);
    expect((await guess("ada@x.org")).status).toBe(429);
    await site.database.execute("update _stoa.login_attempt set ends_at = now()");
    expect((await guess("ada@x.org")).status).toBe(401);
  });

  test("are shared by all instances", async () => {
    const { definition, database } = site;
    const other = createApplication({ definition, database, auth: { limits } });
    for (let attempt = 0; attempt < 3; attempt++) await guess("ada@x.org");
    const body = JSON.stringify({ email: "ada@x.org", password: "x" });
    const init = { method: "POST", body, headers: { "content-type": "application/json" } };
    expect((await other.fetch(new Request("http://x/api/auth/login", init))).status).toBe(429);
  });

  test("do not keep names", async () => {
    await guess("ada@x.org");
    const rows = await site.database.query("select key from _stoa.login_attempt");
    expect(rows).toEqual([{ key: expect.stringMatching(/^account:[0-9a-f]{64}$/) }]);
  });
});

describe("attempts per address", () => {
  test("end with 429, and then count against no account", async () => {
    for (let user = 0; user < 6; user++) expect((await guess(`${user}@x.org`, "10.0.0.1")).status).toBe(401);
    for (let attempt = 0; attempt < 4; attempt++) {
      expect((await guess("victim@x.org", "10.0.0.1")).status).toBe(429);
    }
    expect((await guess("victim@x.org", "10.0.0.2")).status).toBe(401);
  });

  test("are not used up by those who succeed", async () => {
    for (let user = 0; user < 8; user++) await site.addUser(`${user}@x.org`);
    for (let user = 0; user < 8; user++) {
      const body = { email: `${user}@x.org`, password: PASSWORD };
      expect((await site.send(LOGIN, { body, remoteAddress: "10.0.0.1" })).status).toBe(200);
    }
  });

  test("count a network of IPv6 as one, and an address in another form as the same", async () => {
    const same = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:0db8:0001:0002::3"];
    for (const [index, address] of same.entries()) await guess(`${index}@x.org`, address);
    await guess("a@x.org", "::ffff:10.0.0.9");
    await guess("b@x.org", "10.0.0.9");
    const rows = await site.database.query<{ key: string; attempts: number }>(
      "select key, attempts from _stoa.login_attempt where key like 'address:%' order by key",
    );
    expect(rows).toEqual([
      { key: "address:10.0.0.9", attempts: 2 },
      { key: "address:2001:db8:1:2::/64", attempts: 3 },
    ]);
  });

  test("take the address of the socket, and that of a proxy only where it is trusted", async () => {
    const keys = async (of: AuthSite): Promise<string[]> => {
      await of.database.execute("delete from _stoa.login_attempt");
      const body = { email: "a@x.org", password: "x" };
      for (const forwarded of ["6.6.6.6, 1.2.3.4", "nonsense", "6.6.6.6, [2001:db8::1]:443"]) {
        const headers = { "x-forwarded-for": forwarded };
        await of.sendToPort(LOGIN, { body: { ...body, email: forwarded }, headers });
      }
      const rows = await of.database.query<{ key: string }>(
        "select key from _stoa.login_attempt where key like 'address:%' order by key",
      );
      return rows.map(({ key }) => key);
    };
    expect(await keys(site)).toEqual(["address:127.0.0.1"]);
    const trusting = await open({ limits, trustProxy: true });
    expect(await keys(trusting)).toEqual([
      "address:1.2.3.4",
      "address:127.0.0.1",
      "address:2001:db8:0:0::/64",
    ]);
  });
});

describe("a burst of logins", () => {
  test("does not keep others waiting, and is over when nobody waits for it", async () => {
    const busy = await open({ limits: { perAccount: 1000, perAddress: 1000 } });
    await busy.addUser("ada@x.org");
    const body = { email: "ada@x.org", password: PASSWORD };
    const time = async (line: string, sent = {}): Promise<number> => {
      const start = performance.now();
      expect((await busy.sendToPort(line, sent)).status).toBe(200);
      return performance.now() - start;
    };
    const logins = [await time(LOGIN, { body }), await time(LOGIN, { body }), await time(LOGIN, { body })];
    const loginMs = median(logins);
    for (let run = 0; run < 20; run++) await time("GET /api/note");
    const gone = new AbortController();
    const burst = Array.from({ length: 50 }, () => logInUntil(busy, gone.signal));
    const times: number[] = [];
    for (let run = 0; run < 60; run++) times.push(await time("GET /api/note"));
    // Were it to wait for a hash, let alone for all of them, it would take as long as one.
    expect(median(times)).toBeLessThan(loginMs / 2);
    gone.abort();
    await Promise.all(burst);
    expect(await time(LOGIN, { body })).toBeLessThan(loginMs * 10);
  });
});

async function logInUntil({ server }: AuthSite, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ email: "ada@x.org", password: PASSWORD });
  const headers = { "content-type": "application/json" };
  await fetch(`${server.url}/api/auth/login`, { method: "POST", headers, body, signal }).catch(
    () => undefined,
  );
}
