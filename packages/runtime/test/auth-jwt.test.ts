// Tokens that somebody else has signed, against an issuer on loopback.

import { createHmac, createSign, KeyObject } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSubjectReader } from "../src/auth/jwt.js";
import type { KeySet } from "../src/auth/key-set.js";
import { type AuthSite, openAuth, PASSWORD } from "./auth-site.js";

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

/** What the issuer publishes just now, and how often it was asked. */
const issuer = { keys: [] as JWK[], status: 200, requests: 0, delayMs: 0 };
let server: Server;
let site: AuthSite;
let first: Pair;
let second: Pair;
let user: number;

const ISSUER = "https://login.example.org/";
const REFETCH_MS = 40;

function sourceOf(jwks: string, subject = "field subject { type string, unique }", password = ""): string {
  return `
auth {
  model User
  ${password}
  jwt { issuer "${ISSUER}", audience "club", jwks "${jwks}", subject subject }
}
model User {
  ${subject}
  field email { type string, unique, nullable }
  field password { type string, secret, nullable }
  field pin { type string, secret, nullable }
  field name { type string, nullable }
  field balance { type decimal, nullable }
  field joinedAt { type datetime, nullable }
}
api {
  entrypoint User as user {
    list endpoint { authorize { @auth is not null } response { id, me: @auth.id } }
    get endpoint { authorize { user is @auth } response { id } }
    update endpoint { authorize { user is @auth } response { id } action { update { input { name } } } }
  }
}
`;
}

async function publicKey({ publicKey: key }: Pair, kid: string): Promise<JWK> {
  return { ...(await exportJWK(key)), kid, use: "sig" };
}

beforeAll(async () => {
  [first, second] = await Promise.all([
    generateKeyPair("RS256", { extractable: true }),
    generateKeyPair("ES256", { extractable: true }),
  ]);
  server = createServer((_, answer) => {
    issuer.requests++;
    setTimeout(() => {
      answer.writeHead(issuer.status, { "content-type": "application/json", location: "/elsewhere" });
      answer.end(JSON.stringify({ keys: issuer.keys }));
    }, issuer.delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer.keys = [await publicKey(first, "one")];
  site = await openAuth({ keySetTimes: { refetchMs: REFETCH_MS, retryMs: 1 } }, sourceOf(jwksUrl()));
  const [row] = await site.database.query<{ id: string }>(
    `insert into public."user" (subject) values ('ada'), ('bob') returning id`,
  );
  user = Number(row?.id);
});
beforeEach(() => {
  issuer.status = 200;
  issuer.delayMs = 0;
});
afterAll(async () => {
  server.close();
  await site.close();
});

function jwksUrl(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
}

const now = () => Math.floor(Date.now() / 1000);

interface Signing {
  readonly pair?: Pair;
  readonly header?: { readonly alg: string; readonly kid?: string };
  readonly claims?: JWTPayload;
  readonly without?: string;
}

function sign({ pair = first, header = { alg: "RS256", kid: "one" }, claims, without }: Signing = {}) {
  const payload: JWTPayload = { iss: ISSUER, aud: "club", sub: "ada", exp: now() + 60, ...claims };
  if (without !== undefined) delete payload[without];
  return new SignJWT(payload).setProtectedHeader(header).sign(pair.privateKey);
}

const me = (token: string, to = site) => to.send("GET /api/user", { token });
const BAD = [401, "unauthenticated", 'Bearer error="invalid_token"'];

async function expectBad(token: string, to = site): Promise<void> {
  const { status, body, headers } = await me(token, to);
  expect([status, body.code, headers.get("www-authenticate")]).toEqual(BAD);
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms + 5));

describe("a good token", () => {
  test("is the user that its subject names", async () => {
    const token = await sign();
    const { status, body } = await me(token);
    expect([status, body[0].me]).toEqual([200, user]);
    expect((await site.sendToPort(`GET /api/user/${user}`, { token })).status).toBe(200);
    const bob = await sign({ claims: { sub: "bob" } });
    expect((await me(bob)).body[0].me).toBe(user + 1);
    const body2 = { name: "x" };
    expect((await site.send(`PATCH /api/user/${user}`, { token, body: body2 })).status).toBe(200);
    expect((await site.send(`PATCH /api/user/${user}`, { token: bob, body: body2 })).status).toBe(404);
  });

  test("may be for several, and a little early or late", async () => {
    for (const claims of [
      { aud: ["other", "club"] },
      { exp: now() - 5 },
      { nbf: now() + 15 },
      { iat: now() + 5 },
    ]) {
      expect((await me(await sign({ claims }))).status).toBe(200);
    }
  });

  test("costs one statement, and no request to the issuer", async () => {
    const token = await sign();
    await me(token);
    const asked = issuer.requests;
    site.statements.length = 0;
    await me(token);
    expect([site.statements.length, issuer.requests - asked]).toEqual([1, 0]);
  });

  test("need not name its key", async () => {
    expect((await me(await sign({ header: { alg: "RS256" } }))).status).toBe(200);
  });
});

describe("each way of signing that is taken", () => {
  test.each([
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
    "Ed25519",
  ])("%s", async (alg) => {
    const pair = await generateKeyPair(alg, { extractable: true });
    const before = issuer.keys;
    issuer.keys = [...before, { ...(await publicKey(pair, `of ${alg}`)), alg }];
    await pause(REFETCH_MS);
    expect((await me(await sign({ pair, header: { alg, kid: `of ${alg}` } }))).status).toBe(200);
    issuer.keys = before;
  });
});

describe("a token that does not name its key, where there are several", () => {
  test("is good if any of them has signed it, and is asked everything else all the same", async () => {
    const [one, two, stranger] = await Promise.all(
      [1, 2, 3].map(() => generateKeyPair("RS256", { extractable: true })),
    );
    if (one === undefined || two === undefined || stranger === undefined) throw new Error("No keys.");
    issuer.keys = [await publicKey(one, "a"), await publicKey(two, "b")];
    const several = await openAuth(
      { keySetTimes: { refetchMs: REFETCH_MS, retryMs: 1 } },
      sourceOf(jwksUrl()),
    );
    await several.database.execute(`insert into public."user" (subject) values ('ada')`);
    const header = { alg: "RS256" };
    for (const pair of [one, two]) {
      expect((await me(await sign({ pair, header }), several)).status).toBe(200);
      await expectBad(await sign({ pair, header, claims: { exp: now() - 40 } }), several);
      await expectBad(await sign({ pair, header, claims: { aud: "shop" } }), several);
      await expectBad(await sign({ pair, header, claims: { iss: "https://evil.example.org/" } }), several);
    }
    await expectBad(await sign({ pair: stranger, header }), several);
    // A key that is new at the issuer is found without its name, too; what has expired is no reason to look for one.
    await pause(REFETCH_MS);
    const asked = issuer.requests;
    await expectBad(await sign({ pair: two, header, claims: { exp: now() - 40 } }), several);
    expect(issuer.requests).toBe(asked);
    issuer.keys = [...issuer.keys, await publicKey(stranger, "c")];
    expect((await me(await sign({ pair: stranger, header }), several)).status).toBe(200);
    expect(issuer.requests).toBe(asked + 1);
    await several.close();
    issuer.keys = [await publicKey(first, "one")];
  });
});

describe("a new key is looked for", () => {
  test("when the signature under a known name is another's, and not when something else is wrong", async () => {
    const renewed = await generateKeyPair("RS256", { extractable: true });
    await pause(REFETCH_MS);
    const asked = issuer.requests;
    for (const claims of [{ exp: now() - 40 }, { aud: "shop" }, { nbf: now() + 3600 }]) {
      await expectBad(await sign({ claims }));
    }
    expect(issuer.requests).toBe(asked);
    issuer.keys = [await publicKey(renewed, "one")];
    expect((await me(await sign({ pair: renewed }))).status).toBe(200);
    await pause(REFETCH_MS);
    issuer.keys = [await publicKey(first, "one")];
    expect((await me(await sign())).status).toBe(200);
  });

  test("and what it signs is asked everything else", async () => {
    const renewed = await generateKeyPair("RS256", { extractable: true });
    await pause(REFETCH_MS);
    issuer.keys = [await publicKey(renewed, "one")];
    await expectBad(await sign({ pair: renewed, claims: { aud: "shop" } }));
    issuer.keys = [await publicKey(first, "one")];
    await pause(REFETCH_MS);
    expect((await me(await sign())).status).toBe(200);
  });
});

describe("a token is refused that", () => {
  test.each<[string, Signing]>([
    ["has expired", { claims: { exp: now() - 40 } }],
    ["never expires", { without: "exp" }],
    ["is not valid yet", { claims: { nbf: now() + 3600 } }],
    ["has another issuer", { claims: { iss: "https://evil.example.org/" } }],
    ["has no issuer", { without: "iss" }],
    ["is for others", { claims: { aud: "shop" } }],
    ["is for others, several of them", { claims: { aud: ["shop", "Club"] } }],
    ["is for nobody", { without: "aud" }],
    ["has no subject", { without: "sub" }],
    ["has an empty subject", { claims: { sub: "" } }],
    ["has a subject that nobody is", { claims: { sub: "nobody" } }],
    ["has a subject that no column holds", { claims: { sub: "a\u0000" } }],
    ["has a number for a time", { claims: { exp: "tomorrow" as unknown as number } }],
    ["names another key", { header: { alg: "RS256", kid: "two" } }],
  ])("%s", async (_, signing) => {
    await expectBad(await sign(signing));
  });

  test("is signed by another key under a known name", async () => {
    const other = await generateKeyPair("RS256");
    await expectBad(await sign({ pair: other }));
  });

  test("is not signed", async () => {
    const claims = part({ iss: ISSUER, aud: "club", sub: "ada", exp: now() + 60 });
    for (const alg of ["none", "None", "NONE", ""]) {
      await expectBad(`${part({ alg, typ: "JWT" })}.${claims}.`);
      await expectBad(`${part({ alg, typ: "JWT" })}.${claims}.AAAA`);
    }
  });

  test("is signed with the public key as a shared secret", async () => {
    const claims = part({ iss: ISSUER, aud: "club", sub: "ada", exp: now() + 60 });
    const pem = await exportSPKI(first.publicKey);
    const jwk = JSON.stringify(issuer.keys[0]);
    for (const [alg, digest] of [
      ["HS256", "sha256"],
      ["HS384", "sha384"],
      ["HS512", "sha512"],
    ] as const) {
      for (const secret of [pem, jwk, issuer.keys[0]?.n ?? ""]) {
        const signed = `${part({ alg, kid: "one" })}.${claims}`;
        await expectBad(`${signed}.${createHmac(digest, secret).update(signed).digest("base64url")}`);
      }
    }
  });

  test("brings its own key", async () => {
    const other = await generateKeyPair("ES256", { extractable: true });
    const jwk = await exportJWK(other.publicKey);
    const header = { alg: "ES256", kid: "one", jwk, jku: "http://127.0.0.1:1/jwks" };
    await expectBad(await sign({ pair: other, header }));
  });

  test("was changed", async () => {
    const [head = "", , signature = ""] = (await sign({ claims: { sub: "bob" } })).split(".");
    const claims = part({ iss: ISSUER, aud: "club", sub: "ada", exp: now() + 60 });
    await expectBad(`${head}.${claims}.${signature}`);
    const [first_ = "", claims_ = ""] = (await sign()).split(".");
    await expectBad(`${first_}.${claims_}.${"A".repeat(signature.length)}`);
  });

  test("asks for what nobody knows", async () => {
    const claims = part({ iss: ISSUER, aud: "club", sub: "ada", exp: now() + 60 });
    const signed = (header: object): string => {
      const text = `${part(header)}.${claims}`;
      const key = KeyObject.from(first.privateKey);
      return `${text}.${createSign("sha256").update(text).sign(key, "base64url")}`;
    };
    expect((await me(signed({ alg: "RS256", kid: "one" }))).status).toBe(200);
    await expectBad(signed({ alg: "RS256", kid: "one", crit: ["x"], x: 1 }));
    await expectBad(signed({ alg: "RS256", kid: "one", crit: ["b64"], b64: false }));
    await expectBad(signed({ alg: "RS384", kid: "one" }));
  });

  test("is signed with a secret that stands among the keys", async () => {
    const secret = Buffer.alloc(32, 7);
    issuer.keys = [
      ...issuer.keys,
      { kty: "oct", k: secret.toString("base64url"), kid: "shared", alg: "HS256" },
    ];
    await pause(REFETCH_MS);
    const claims = part({ iss: ISSUER, aud: "club", sub: "ada", exp: now() + 60 });
    const text = `${part({ alg: "HS256", kid: "shared" })}.${claims}`;
    await expectBad(`${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`);
    issuer.keys = issuer.keys.slice(0, 1);
  });

  test.each([
    ["is huge", `${"a".repeat(6000)}.${"b".repeat(6000)}.c`],
    ["has too few parts", "a.b"],
    ["has too many", "a.b.c.d"],
    ["is encrypted", "a.b.c.d.e"],
    ["has other letters", "a.b.ä"],
    ["is no JSON", "AAAA.BBBB.CCCC"],
    ["is of a session, which this program has not", `stoa_${"A".repeat(43)}`],
  ])("%s", async (_, token) => {
    const { status } = await site.send("GET /api/user", {
      headers: { authorization: Buffer.from(`Bearer ${token}`).toString("latin1") },
    });
    expect(status).toBe(401);
  });
});

describe("keys", () => {
  test("may be exchanged; unknown ones do not make us ask all the time", async () => {
    const fresh = { pair: second, header: { alg: "ES256", kid: "rotated" } };
    await pause(REFETCH_MS);
    await expectBad(await sign(fresh));
    issuer.keys = [await publicKey(first, "one"), await publicKey(second, "rotated")];
    await pause(REFETCH_MS);
    const asked = issuer.requests;
    const answers = await Promise.all(Array.from({ length: 5 }, async () => me(await sign(fresh))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(issuer.requests - asked).toBe(1);
    for (let attempt = 0; attempt < 5; attempt++) {
      await expectBad(await sign({ ...fresh, header: { alg: "ES256", kid: `unknown${attempt}` } }));
    }
    issuer.keys = [await publicKey(second, "rotated")];
    await pause(REFETCH_MS);
    await expectBad(await sign({ header: { alg: "RS256", kid: "unknown" } }));
    await expectBad(await sign());
    issuer.keys = [await publicKey(first, "one")];
  });

  test("that cannot be had mean 503, not 401", async () => {
    for (const status of [500, 404, 302]) {
      issuer.status = status;
      const fresh = await openAuth({ keySetTimes: { retryMs: 1 } }, sourceOf(jwksUrl()));
      const { status: answered, body, headers } = await me(await sign(), fresh);
      expect([answered, body.code, headers.get("retry-after")]).toEqual([503, "unavailable", "5"]);
      expect(fresh.logged()).toContain("cannot be loaded");
      expect(body.detail).not.toContain("127.0.0.1");
      issuer.status = 200;
      await pause(5);
      await fresh.database.execute(`insert into public."user" (subject) values ('ada')`);
      expect((await me(await sign(), fresh)).status).toBe(200);
      await fresh.close();
    }
  });

  test("that do not come in time mean 503", async () => {
    issuer.delayMs = 2_000;
    const fresh = await openAuth({ keySetTimes: { timeoutMs: 20 } }, sourceOf(jwksUrl()));
    expect((await me(await sign(), fresh)).status).toBe(503);
    await fresh.close();
    const nobody = await openAuth({}, sourceOf("http://127.0.0.1:1/jwks"));
    expect((await me(await sign(), nobody)).status).toBe(503);
    expect((await me("AAAA.BBBB.CCCC", nobody)).status).toBe(503);
    expect((await nobody.send("GET /api/user")).status).toBe(401);
    await nobody.close();
  });
});

describe("subjects", () => {
  test.each<[string, string, string, string[]]>([
    ["integer", "7", "7", ["07", "7.0", "+7", " 7", "seven", "99999999999999999999"]],
    [
      "uuid",
      "0190a6b2-0000-7000-8000-000000000001",
      "0190A6B2-0000-7000-8000-000000000001",
      ["0190a6b2", "{0190a6b2-0000-7000-8000-000000000001}", "'; drop table user; --"],
    ],
  ])("of the type %s must be of that type", async (type, stored, good, bad) => {
    const field = `field subject { type ${type}, unique }`;
    const typed = await openAuth({}, sourceOf(jwksUrl(), field));
    await typed.database.query(`insert into public."user" (subject) values ($1)`, [stored]);
    expect((await me(await sign({ claims: { sub: good } }), typed)).status).toBe(200);
    for (const sub of bad) await expectBad(await sign({ claims: { sub } }), typed);
    await typed.close();
  });
});

test("no secret is a key, even if it were among the keys", async () => {
  const secret = new Uint8Array(32).fill(7);
  // The library takes no secrets from key sets; these rules must not rely on it.
  const keys = { current: async () => async () => secret, newer: async () => null };
  const read = createSubjectReader(
    { issuer: ISSUER, audience: "club", jwks: "k", subject: "subject" },
    keys as unknown as KeySet,
    (text) => text,
  );
  for (const alg of ["HS256", "HS384", "HS512"]) {
    const payload = { iss: ISSUER, aud: "club", sub: "ada", exp: now() + 60 };
    const token = await new SignJWT(payload).setProtectedHeader({ alg }).sign(secret);
    expect(await read(token)).toBeUndefined();
  }
});

describe("a subject that is no text", () => {
  test("is nobody's, whatever it looks like", async () => {
    const numbered = await openAuth({}, sourceOf(jwksUrl(), "field subject { type integer, unique }"));
    await numbered.database.execute(`insert into public."user" (subject) values (7)`);
    for (const sub of [7, ["7"], { "0": "7" }, true] as unknown as string[]) {
      await expectBad(await sign({ claims: { sub } }), numbered);
    }
    await numbered.close();
  });

  test("or that is empty, is nobody's, even where somebody has none", async () => {
    const blank = await openAuth({}, sourceOf(jwksUrl()));
    await blank.database.execute(`insert into public."user" (subject) values ('')`);
    await expectBad(await sign({ claims: { sub: "" } }), blank);
    await blank.close();
  });
});

describe("password and jwt", () => {
  test("are told apart by their form", async () => {
    const password = "password { identify email, secret password }";
    const both = await openAuth({}, sourceOf(jwksUrl(), undefined, password));
    await both.database.execute(`alter table public."user" alter subject set default 'ada'`);
    const id = await both.addUser("ada@x.org");
    const session = await both.login("ada@x.org", PASSWORD);
    for (const token of [session, await sign()]) {
      expect((await both.send("GET /api/auth/me", { token })).body).toMatchObject({ id, subject: "ada" });
    }
    await expectBad(`stoa_${"A".repeat(43)}`, both);
    await expectBad(await sign({ claims: { sub: "nobody" } }), both);
    await expectBad("neither", both);
    expect((await both.send("POST /api/auth/logout", { token: await sign() })).status).toBe(204);
    expect((await both.send("GET /api/auth/me", { token: session })).status).toBe(200);
    await both.close();
  });

  test("routes for sessions exist with a password only", async () => {
    for (const line of ["POST /api/auth/login", "POST /api/auth/logout", "GET /api/auth/me"]) {
      expect((await site.send(line)).status).toBe(404);
    }
  });
});
