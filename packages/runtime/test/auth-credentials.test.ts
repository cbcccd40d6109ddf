// What the Authorization header may say, and what it costs.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthSite, openAuth } from "./auth-site.js";

let site: AuthSite;
let plain: AuthSite;
let id: number;
let token: string;

const WITHOUT_USERS = `
model Note { field text { type string } }
api { entrypoint Note { list endpoint {} get endpoint {} } }
`;

beforeAll(async () => {
  site = await openAuth();
  plain = await openAuth({}, WITHOUT_USERS);
  id = await site.addUser("ada@x.org");
  await site.database.query(`insert into public.note (text, owner_id) values ('hello', $1)`, [id]);
  await plain.database.execute(`insert into public.note (text) values ('hello')`);
  token = await site.login("ada@x.org");
});
afterAll(async () => {
  await site.close();
  await plain.close();
});

const BAD = [401, "unauthenticated", 'Bearer error="invalid_token"'];
const unknown = `stoa_${"A".repeat(43)}`;

describe("the header", () => {
  test.each<[string, string]>([
    ["another scheme", "Basic YWRhOnNlY3JldA=="],
    ["no token", "Bearer"],
    ["an empty one", "Bearer "],
    ["no scheme", unknown],
    ["two tokens", `Bearer ${unknown} ${unknown}`],
    ["a list", `Bearer ${unknown}, Bearer ${unknown}`],
    ["a short token", "Bearer stoa_abc"],
    ["a long token", `Bearer ${unknown}A`],
    ["letters that no token has", `Bearer stoa_${"=".repeat(43)}`],
    ["a signed token, which this program does not take", "Bearer e30.e30.c2ln"],
    ["a token of nobody", `Bearer ${unknown}`],
    ["a huge token", `Bearer ${"x".repeat(14_000)}`],
  ])("is refused with %s, also by what is public", async (_, authorization) => {
    const headers = { authorization };
    for (const send of [site.send, site.sendToPort]) {
      for (const line of ["GET /api/note", "GET /api/note/1", "GET /api/auth/me", "POST /api/auth/logout"]) {
        const answer = await send(line, { headers });
        const { status, body } = answer;
        expect([status, body.code, answer.headers.get("www-authenticate")]).toEqual(BAD);
      }
      const written = await send("POST /api/note", { headers, body: { text: "x" } });
      expect([written.status, written.body.code, written.headers.get("www-authenticate")]).toEqual(BAD);
    }
  });

  test("is taken in any case of its scheme", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer  "]) {
      const { status } = await site.send("GET /api/note/1", {
        headers: { authorization: `${scheme} ${token}` },
      });
      expect(status).toBe(200);
    }
  });

  test("says nothing where there are no users", async () => {
    for (const authorization of ["Basic x", "Bearer x", ""]) {
      expect((await plain.send("GET /api/note", { headers: { authorization } })).status).toBe(200);
    }
  });

  test("is not looked at where the caller vouches for a user", async () => {
    const headers = { authorization: "Basic YWRhOnNlY3JldA==" };
    const { status } = await site.send("GET /api/note/1", { headers, userId: String(id) });
    expect(status).toBe(200);
  });

  test("does not matter for addresses that do not exist", async () => {
    const headers = { authorization: "Basic x" };
    expect((await site.send("GET /api/nothing", { headers })).status).toBe(404);
    expect((await site.send("GET /health/live", { headers })).status).toBeLessThan(405);
  });
});

describe("a session", () => {
  test("is the user of reads and writes", async () => {
    expect((await site.sendToPort("GET /api/note/1", { token })).status).toBe(200);
    expect((await site.sendToPort("GET /api/note/1")).status).toBe(404);
    const { status, body } = await site.sendToPort("POST /api/note", { token, body: { text: "mine" } });
    expect([status, body.owner_id]).toEqual([201, id]);
  });

  test("costs no further statement", async () => {
    const cost = async (of: AuthSite, line: string, sent: object) => {
      of.statements.length = 0;
      const before = of.roundTrips();
      const { status } = await of.send(line, sent);
      return [status, of.statements.length, of.roundTrips() - before];
    };
    for (const line of ["GET /api/note", "GET /api/note/1"]) {
      const without = await cost(plain, line, {});
      expect(without).toEqual([200, 1, 1]);
      expect(await cost(site, line, { token })).toEqual(without);
    }
  });
});
