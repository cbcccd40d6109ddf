// Passwords that change: whatever writes them stores a hash, and the other sessions of the user end.

import { scryptSync } from "node:crypto";
import { hashSecret, verifySecret } from "@stoa/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApplication } from "../src/index.js";
import { type AuthSite, compileAuth, openAuth, PASSWORD } from "./auth-site.js";

const SOURCE = `
auth { model User, password { identify email, secret password } }
model User {
  field email { type string, unique }
  field password { type string, secret, default "by default 0", validate { minLength(5) and not oneOf("password") } }
  field name { type string, default "nobody" }
  field pin { type string, secret, nullable }
  field balance { type decimal, default 1 }
  field joinedAt { type datetime, default now() }
  relation notes { from Note, through owner }
}
model Note { field text { type string } reference owner { to User, on delete cascade } }
api {
  entrypoint User as user {
    authorize { true }
    response { id, name }
    get endpoint {}
    create endpoint { action { create { deny { password } } } }
    update endpoint { authorize { @auth is not null } }
    delete endpoint {}
    custom endpoint {
      cardinality one method POST path "literal"
      action { update user as changed { set password "a literal 123", input { name { optional } } } }
    }
    custom endpoint {
      cardinality one method POST path "worked-out"
      extra inputs { field fresh { type string } }
      action { update user as changed { set password concat(lower(name), "-", fresh) } }
    }
    custom endpoint {
      cardinality one method POST path "code"
      action { update user as changed { set password hook { arg name user.name, inline "'code ' + name" } } }
    }
    custom endpoint {
      cardinality one method POST path "code-alone"
      action { update user as changed { set password hook { arg name user.name, inline "name" } } }
    }
    custom endpoint {
      cardinality many method POST path "signup"
      extra inputs { field secret { type string } }
      action { create User as made { set email "made@x.org", set password secret } }
    }
    custom endpoint {
      cardinality many method POST path "all"
      extra inputs { field fresh { type string } }
      action { query { update { set password fresh }, from User, filter { name is "many" } } }
    }
  }
}
`;

let site: AuthSite;
const ME = "GET /api/auth/me";

beforeAll(async () => {
  site = await openAuth({ limits: { perAccount: 1000, perAddress: 1000 } }, SOURCE);
});
afterAll(() => site.close());

async function stored(where: string): Promise<string> {
  const [row] = await site.database.query<{ password: string }>(
    `select password from public."user" where ${where}`,
  );
  return row?.password ?? "";
}

async function isGood(token: string): Promise<boolean> {
  return (await site.send(ME, { token })).status === 200;
}

describe("a changed password", () => {
  test("ends the user's other sessions, and nobody else's", async () => {
    const id = await site.addUser("one@x.org");
    await site.addUser("two@x.org");
    const [own, other, stranger] = [
      await site.login("one@x.org"),
      await site.login("one@x.org"),
      await site.login("two@x.org"),
    ];
    const before = site.roundTrips();
    const { status } = await site.send(`PATCH /api/user/${id}`, { token: own, body: { password: "fresh" } });
    // The rules come first: hashing is too costly to be done for those who may not write.
    expect([status, site.roundTrips() - before]).toEqual([200, 2]);
    expect([await isGood(own), await isGood(other), await isGood(stranger)]).toEqual([true, false, true]);
    expect(await verifySecret("fresh", await stored(`id = ${id}`))).toBe(true);
    expect(await site.login("one@x.org")).toBeUndefined();
    expect(await site.login("one@x.org", "fresh")).toMatch(/^stoa_/);
  });

  test("ends all of them where somebody else changes it", async () => {
    const id = await site.addUser("three@x.org");
    await site.addUser("admin@x.org");
    const [token, admin] = [await site.login("three@x.org"), await site.login("admin@x.org")];
    await site.send(`PATCH /api/user/${id}`, { token: admin, body: { password: "by admin" } });
    expect([await isGood(token), await isGood(admin)]).toEqual([false, true]);
  });

  test("is none where other fields change, or where the change fails", async () => {
    const id = await site.addUser("four@x.org");
    const [own, other] = [await site.login("four@x.org"), await site.login("four@x.org")];
    expect((await site.send(`PATCH /api/user/${id}`, { token: own, body: { name: "x" } })).status).toBe(200);
    const clash = { password: "something", email: "admin@x.org" };
    expect((await site.send(`PATCH /api/user/${id}`, { token: own, body: clash })).status).toBe(409);
    expect((await site.send(`PATCH /api/user/${id}`, { body: { password: "x" } })).status).toBe(401);
    expect(
      (await site.send("PATCH /api/user/999999", { token: own, body: { password: "long enough" } })).status,
    ).toBe(404);
    expect([await isGood(own), await isGood(other)]).toEqual([true, true]);
  });

  test("is seen by a login that is under way", async () => {
    const id = await site.addUser("five@x.org");
    const body = { email: "five@x.org", password: PASSWORD };
    const logins = Array.from({ length: 5 }, () => site.send("POST /api/auth/login", { body }));
    const { status } = await site.send(`PATCH /api/user/${id}`, {
      userId: String(id),
      body: { password: "new one" },
    });
    expect(status).toBe(200);
    const tokens = (await Promise.all(logins)).map((answer) => answer.body.token).filter(Boolean);
    const good = await Promise.all(tokens.map(isGood));
    expect(good).not.toContain(true);
  });
});

describe("a password that changes while somebody logs in", () => {
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const isWaiting = async (): Promise<boolean> => {
    const waiting = await site.database.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  };

  test("lets nobody in who has the old one: the login waits for the change", async () => {
    const id = await site.addUser("six@x.org");
    const body = { email: "six@x.org", password: PASSWORD };
    const answer = await site.database.transaction(async (change) => {
      await change.query(`update public."user" set password = 'changed' where id = $1`, [id]);
      const pending = site.send("POST /api/auth/login", { body });
      await until(isWaiting);
      return { pending };
    });
    expect((await answer.pending).status).toBe(401);
  });

  test("ends a session that begins meanwhile: the change waits for the login", async () => {
    const id = await site.addUser("seven@x.org");
    const { pending } = await site.database.transaction(async (login) => {
      await login.query(`select 1 from public."user" where id = $1 for share`, [id]);
      await login.query(
        `insert into _stoa.session (token_hash, user_id, expires_at) values ('meanwhile', $1, now() + interval '1 day')`,
        [String(id)],
      );
      const change = { userId: String(id), body: { password: "changed" } };
      const sent = site.send(`PATCH /api/user/${id}`, change);
      await until(isWaiting);
      return { pending: sent };
    });
    expect((await pending).status).toBe(200);
    const left = await site.database.query("select 1 from _stoa.session where token_hash = 'meanwhile'");
    expect(left).toEqual([]);
  });
});

describe("the rules of the field hold for a password that is written by", () => {
  const short = { path: "/password", code: "min-length" };

  test.each<[string, string, object | undefined, string]>([
    ["`set` of an expression", "worked-out", { fresh: "" }, "x"],
    ["code", "code-alone", undefined, "x"],
  ])("%s", async (_, path, body, name) => {
    const email = `short-${path}@x.org`;
    const id = await site.addUser(email);
    await site.database.query(`update public."user" set name = $2 where id = $1`, [id, name]);
    const before = await stored(`id = ${id}`);
    const token = await site.login(email);
    const answer = await site.send(`POST /api/user/${id}/${path}`, body === undefined ? {} : { body });
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining(short)]]);
    expect(await stored(`id = ${id}`)).toBe(before);
    expect(await isGood(token)).toBe(true);
  });

  test("a create and an update of many with `set`", async () => {
    for (const [path, field] of [
      ["signup", "secret"],
      ["all", "fresh"],
    ] as const) {
      const answer = await site.send(`POST /api/user/${path}`, { body: { [field]: "x" } });
      expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining(short)]]);
      const common = await site.send(`POST /api/user/${path}`, { body: { [field]: "password" } });
      expect([common.status, common.body.errors?.[0]?.code]).toEqual([400, "not-one-of"]);
    }
    expect(await site.database.query(`select 1 from public."user" where email = 'made@x.org'`)).toEqual([]);
  });

  test("the default of the field", async () => {
    const weak = await openAuth({}, SOURCE.replace("by default 0", "weak"));
    const answer = await weak.send("POST /api/user", { body: { email: "weak@x.org" } });
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining(short)]]);
    await weak.close();
  });
});

describe("a hash that was made in another way", () => {
  /** With a quarter of the cost of today's. */
  function oldHash(secret: string): string {
    const salt = Buffer.alloc(16, 3);
    const hash = scryptSync(secret, salt, 32, { N: 2 ** 12, r: 8, p: 5 });
    const text = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
    return `$scrypt$ln=12,r=8,p=5$${text(salt)}$${text(hash)}`;
  }

  test("is replaced by a login, which ends no session", async () => {
    const id = await site.addUser("old@x.org");
    const earlier = await site.login("old@x.org");
    await site.database.query(`update public."user" set password = $2 where id = $1`, [
      id,
      oldHash(PASSWORD),
    ]);
    const wrong = { body: { email: "old@x.org", password: "something else" } };
    expect((await site.send("POST /api/auth/login", wrong)).status).toBe(401);
    expect(await stored(`id = ${id}`)).toBe(oldHash(PASSWORD));
    const token = await site.login("old@x.org");
    const fresh = await stored(`id = ${id}`);
    expect(fresh.split("$").slice(0, 3)).toEqual((await hashSecret("any")).split("$").slice(0, 3));
    expect(await verifySecret(PASSWORD, fresh)).toBe(true);
    expect([await isGood(earlier), await isGood(token)]).toEqual([true, true]);
    await site.login("old@x.org");
    expect(await stored(`id = ${id}`)).toBe(fresh);
  });
});

describe("a password is hashed when it is written by", () => {
  test.each<[string, string, object | undefined, string]>([
    ["`set` of a literal", "literal", {}, "a literal 123"],
    ["`set` of an expression", "worked-out", { fresh: "X" }, "ada-X"],
    ["code", "code", undefined, "code Ada"],
  ])("%s", async (_, path, body, password) => {
    const email = `${path}@x.org`;
    const id = await site.addUser(email);
    await site.database.query(`update public."user" set name = 'Ada' where id = $1`, [id]);
    const token = await site.login(email);
    const { status, text } = await site.send(
      `POST /api/user/${id}/${path}`,
      body === undefined ? {} : { body },
    );
    expect([status, text]).toEqual([204, ""]);
    const hash = await stored(`id = ${id}`);
    expect(hash).toMatch(/^\$scrypt\$/);
    expect(await verifySecret(password, hash)).toBe(true);
    expect(await isGood(token)).toBe(false);
  });

  test("a create with `set`, and by the default of the field", async () => {
    expect((await site.send("POST /api/user/signup", { body: { secret: "made up" } })).status).toBe(204);
    expect(await verifySecret("made up", await stored("email = 'made@x.org'"))).toBe(true);
    expect((await site.send("POST /api/user", { body: { email: "default@x.org" } })).status).toBe(201);
    expect(await verifySecret("by default 0", await stored("email = 'default@x.org'"))).toBe(true);
  });

  test("an update of many", async () => {
    const ids = [await site.addUser("many1@x.org"), await site.addUser("many2@x.org")];
    const tokens = [await site.login("many1@x.org"), await site.login("many2@x.org")];
    await site.database.execute(`update public."user" set name = 'many' where id in (${ids.join()})`);
    expect((await site.send("POST /api/user/all", { body: { fresh: "for all" } })).status).toBe(204);
    for (const id of ids) expect(await verifySecret("for all", await stored(`id = ${id}`))).toBe(true);
    expect(await Promise.all(tokens.map(isGood))).toEqual([false, false]);
  });

  test("nothing that cannot be hashed: that is told at the start", () => {
    const wrong = SOURCE.replace("set password fresh", "set password name");
    const create = () => createApplication({ definition: compileAuth(wrong), database: site.database });
    expect(create).toThrow("one password for each of many records cannot be hashed");
  });
});
