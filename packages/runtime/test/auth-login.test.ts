// Logging in, being known, logging out.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clean } from "../src/auth/clean-up.js";
import { type AuthSite, median, openAuth, PASSWORD } from "./auth-site.js";

let site: AuthSite;
let ada: number;

beforeAll(async () => {
  // The limits have tests of their own.
  site = await openAuth({ limits: { perAccount: 1000, perAddress: 1000 } });
  ada = await site.addUser("ada@x.org");
  await site.addUser("bob@x.org");
});
afterAll(() => site.close());

const TOKEN = /^stoa_[\w-]{43}$/;
const LOGIN = "POST /api/auth/login";
const credentials = { email: "ada@x.org", password: PASSWORD };

describe("login", () => {
  test("gives a token, its end, and the user without secrets", async () => {
    for (const send of [site.send, site.sendToPort]) {
      const { status, body, headers } = await send(LOGIN, { body: credentials });
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(body).toEqual({
        token: expect.stringMatching(TOKEN),
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        user: {
          ...{ id: ada, email: "ada@x.org", name: "ada", balance: "1.50", friend_id: null },
          joinedAt: expect.stringMatching(/Z$/),
        },
      });
      const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000;
      expect(days).toBeGreaterThan(29.9);
      expect(days).toBeLessThan(30.1);
    }
  });

  test("takes nothing from the query string", async () => {
    const { status, body } = await site.send(`${LOGIN}?stray=1`, { body: credentials });
    expect([status, body.errors]).toMatchObject([400, [{ path: "/stray", code: "unknown" }]]);
  });

  test("keeps the hash of a token and not the token", async () => {
    const token = await site.login("ada@x.org");
    const rows = await site.database.query<{ token_hash: string }>("select * from _stoa.session");
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ token_hash }) => /^[0-9a-f]{64}$/.test(token_hash))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(token.slice(5));
  });

  test("takes as many statements for one user as for another: two, and one if it fails", async () => {
    const count = async (body: object) => {
      // The first login of an application cleans up.
      await site.send(LOGIN, { body: credentials });
      site.statements.length = 0;
      const { status } = await site.send(LOGIN, { body });
      return [status, site.statements.length];
    };
    expect(await count(credentials)).toEqual([200, 2]);
    expect(await count({ ...credentials, password: "wrong" })).toEqual([401, 1]);
    expect(await count({ ...credentials, email: "nobody@x.org" })).toEqual([401, 1]);
  });

  test.each<[string, object | string, unknown[]]>([
    ["no secret", { email: "a" }, [["/password", "required"]]],
    [
      "nothing",
      {},
      [
        ["/email", "required"],
        ["/password", "required"],
      ],
    ],
    [
      "an object for a scalar",
      { email: { $ne: "" }, password: ["x"] },
      [
        ["/email", "type"],
        ["/password", "type"],
      ],
    ],
    ["a null", { email: null, password: "x" }, [["/email", "null"]]],
    ["unknown fields", { ...credentials, isAdmin: true }, [["/isAdmin", "unknown"]]],
    ["prototype keys", `{"email":"a","password":"b","__proto__":{"id":1}}`, [["/__proto__", "unknown"]]],
    ["duplicates", `{"email":"a","email":"b","password":"b"}`, [["/email", "duplicate"]]],
    ["what no column holds", { email: "a\u0000", password: "b" }, [["/email", "invalid-text"]]],
  ])("refuses %s", async (_, sent, errors) => {
    const { status, body } = await site.send(LOGIN, { body: sent });
    expect(status).toBe(400);
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual(errors);
  });

  test("refuses what is no JSON, or too much of it", async () => {
    expect((await site.send(LOGIN, { body: `{"email":` })).body.code).toBe("malformed");
    expect((await site.send(LOGIN, { body: "x", headers: { "content-type": "text/plain" } })).status).toBe(
      415,
    );
    const huge = { email: "a", password: "x".repeat(20_000) };
    expect((await site.send(LOGIN, { body: huge })).status).toBe(413);
  });

  test("does not mind old credentials", async () => {
    const { status } = await site.send(LOGIN, { body: credentials, token: "nonsense" });
    expect(status).toBe(200);
  });

  test("finds users by the name as it is stored", async () => {
    for (const email of ["ADA@x.org", " ada@x.org", "ada@x.org "]) {
      expect((await site.send(LOGIN, { body: { ...credentials, email } })).status).toBe(401);
    }
  });

  test("fails for users without a hash", async () => {
    await site.database.execute(
      `insert into public."user" (email, password, name, balance, joined_at) values ('plain@x.org', 'plain text', 'p', 1, now())`,
    );
    const body = { email: "plain@x.org", password: "plain text" };
    expect((await site.send(LOGIN, { body })).status).toBe(401);
  });

  test("refuses old and new secrets while the secret changes", async () => {
    await site.addUser("late@x.org");
    const pending = site.send(LOGIN, { body: { email: "late@x.org", password: PASSWORD } });
    await site.database.execute(`update public."user" set password = 'changed' where email = 'late@x.org'`);
    expect((await pending).status).toBe(401);
  });
});

describe("unknown users and wrong secrets", () => {
  const unknown = { email: "nobody@x.org", password: PASSWORD };
  const wrong = { email: "ada@x.org", password: "not the right one" };

  test("get the same answer, byte for byte", async () => {
    const headers = { "x-request-id": "same" };
    const answers = [unknown, wrong].map((body) => site.send(LOGIN, { body, headers }));
    const [first, second] = await Promise.all(answers);
    expect(first?.status).toBe(401);
    expect(first?.headers.get("www-authenticate")).toBe("Bearer");
    expect(second).toEqual(first);
  });

  test("take the same time", async () => {
    const time = async (body: object) => {
      const start = performance.now();
      await site.send(LOGIN, { body });
      return performance.now() - start;
    };
    const times = { unknown: [] as number[], wrong: [] as number[] };
    for (let run = 0; run < 20; run++) {
      times.unknown.push(await time(unknown));
      times.wrong.push(await time(wrong));
    }
    const ratio = median(times.unknown) / median(times.wrong);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe("sessions", () => {
  test("me tells the user, in one statement", async () => {
    const token = await site.login("ada@x.org");
    site.statements.length = 0;
    const { status, body } = await site.sendToPort("GET /api/auth/me", { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: ada, email: "ada@x.org", balance: "1.50" });
    expect(Object.keys(body)).toEqual(["id", "email", "name", "balance", "joinedAt", "friend_id"]);
    expect(site.statements).toHaveLength(1);
  });

  test("me and logout need a user, and take no parameters", async () => {
    for (const line of ["GET /api/auth/me", "POST /api/auth/logout"]) {
      const nobody = await site.send(line);
      expect([nobody.status, nobody.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      const { status } = await site.send(`${line}?x=1`, { userId: String(ada) });
      expect(status).toBe(400);
    }
    expect((await site.send("GET /api/auth/me", { userId: String(ada) })).body.id).toBe(ada);
    expect((await site.send("POST /api/auth/logout", { userId: String(ada) })).status).toBe(204);
  });

  test("logout ends this session and no other", async () => {
    const [first, second] = [await site.login("ada@x.org"), await site.login("ada@x.org")];
    const { status, text } = await site.sendToPort("POST /api/auth/logout", { token: first });
    expect([status, text]).toEqual([204, ""]);
    const after = await site.send("GET /api/auth/me", { token: first });
    expect([after.status, after.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    expect((await site.send("POST /api/auth/logout", { token: first })).status).toBe(401);
    expect((await site.send("GET /api/auth/me", { token: second })).status).toBe(200);
  });

  test("expire", async () => {
    const token = await site.login("bob@x.org");
    await site.database.execute("update _stoa.session set expires_at = now() where user_id <> '1'");
    expect((await site.send("GET /api/auth/me", { token })).status).toBe(401);
    expect((await site.send("GET /api/user", { token })).status).toBe(401);
  });

  test("end with their user", async () => {
    const id = await site.addUser("gone@x.org");
    const token = await site.login("gone@x.org");
    expect((await site.send(`GET /api/user/${id}`, { token })).status).toBe(200);
    expect((await site.send(`DELETE /api/user/${id}`, { token })).status).toBe(204);
    expect((await site.send("GET /api/auth/me", { token })).status).toBe(401);
    expect((await site.send("GET /api/note", { token })).status).toBe(401);
  });

  test("are cleaned up when they are over", async () => {
    await site.database.execute(`
      insert into _stoa.session (token_hash, user_id, expires_at)
        select 'old' || n, '1', now() - interval '1 day' from generate_series(1, 501) n;
      insert into _stoa.login_attempt (key, attempts, ends_at)
        select 'old' || n, 1, now() - interval '1 day' from generate_series(1, 3) n`);
    expect(await clean(site.database)).toBe(true);
    expect(await clean(site.database)).toBe(false);
    const [left] = await site.database.query<{ count: string }>(
      `select (select count(*) from _stoa.session where token_hash like 'old%')
            + (select count(*) from _stoa.login_attempt where key like 'old%') as count`,
    );
    expect(Number(left?.count)).toBe(0);
  });
});

describe("secrets", () => {
  test("are in no answer and no line of the log", async () => {
    const token = await site.login("ada@x.org");
    const secret = "s3cret-that-nobody-sees";
    const answers = [
      await site.send(LOGIN, { body: { email: "ada@x.org", password: secret } }),
      await site.send(LOGIN, { body: `{"email":"ada@x.org","password":"${secret}",` }),
      await site.send(LOGIN, { body: { email: 1, password: secret, other: secret } }),
      await site.send(`GET /api/note?token=${secret}`, { token }),
      await site.send("GET /api/auth/me", { token: `${token}x` }),
      await site.send("GET /api/auth/me", { token }),
      await site.send("POST /api/user", { body: { email: "ada@x.org", password: secret } }),
      await site.send("POST /api/user", { body: { email: "new@x.org", password: secret } }),
      await site.send(`PATCH /api/user/${ada}`, { token, body: { password: PASSWORD } }),
      await site.send("POST /api/auth/logout", { token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 400, 400, 400, 401, 200, 409, 201, 200, 204]);
    const all = JSON.stringify(answers.map(({ text, headers }) => [text, [...headers]])) + site.logged();
    for (const hidden of [secret, PASSWORD, token, token.slice(5), "4711-pin", "$scrypt$"]) {
      expect(all).not.toContain(hidden);
    }
    expect(site.logged().length).toBeGreaterThan(1000);
  });
});
