import { DatabaseError, type DatabaseErrorKind } from "@stoa/database";
import { describe, expect, test } from "vitest";
import type { Problem } from "../src/exchange.js";
import { renderProblem } from "../src/http/problem.js";
import { type Handle, json, route, testHttp } from "./http-notation.js";

const BASE = "http://test";

function fails(error: unknown): Handle {
  return async () => {
    throw error;
  };
}

function answers(problem: Omit<Problem, "kind">): Handle {
  return async () => ({ kind: "problem", ...problem });
}

async function ask(handle: Handle, init: RequestInit = {}, options: Parameters<typeof testHttp>[1] = {}) {
  const http = testHttp([route("GET /api/x", handle)], options);
  const response = await http.fetch(new Request(`${BASE}/api/x`, init));
  return { http, response, text: await response.text() };
}

describe("answers", () => {
  test("a reply has its bytes, its headers and the constant ones", async () => {
    const { response, text } = await ask(async () => json({ a: 1 }, { Location: "/api/x/1" }));
    expect(text).toBe('{"a":1}');
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "private, no-cache",
      "content-length": "7",
      "content-type": "application/json; charset=utf-8",
      location: "/api/x/1",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(/^[\w.-]+$/),
    });
  });

  test("a reply's own Content-Type and Cache-Control take the place of the constant ones", async () => {
    const own = { "Content-Type": "text/plain", "Cache-Control": "no-store" };
    const { response } = await ask(async () => json(1, own));
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("HEAD has the headers of GET and no body", async () => {
    const head = await ask(async () => json({ a: 1 }), { method: "HEAD" });
    expect(head.text).toBe("");
    expect(head.response.headers.get("content-length")).toBe("7");
  });

  test("OPTIONS lists the methods and asks nobody", async () => {
    const { response, text } = await ask(fails(new Error("asked")), { method: "OPTIONS" });
    expect([response.status, response.headers.get("allow"), text]).toEqual([204, "GET, HEAD, OPTIONS", ""]);
    expect(response.headers.has("content-length")).toBe(false);
  });

  test("another method is 405 with Allow", async () => {
    const { response, text } = await ask(fails(new Error("asked")), { method: "DELETE", body: "{}" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(JSON.parse(text)).toMatchObject({ code: "method-not-allowed", status: 405 });
  });

  test("an endpoint gets its parameters, the raw query, the headers and the user", async () => {
    const http = testHttp([
      route("GET /api/a/{x}/{y}", async ({ parameters, query, headers, userId }) =>
        json({ parameters, query, accept: headers.accept, userId }),
      ),
    ]);
    const request = new Request(`${BASE}/api/a/1/%C3%A9?q=%20#part`, { headers: { accept: "x/y" } });
    const expected = { parameters: ["1", "é"], query: "q=%20", accept: "x/y", userId: "7" };
    expect(await (await http.fetch(request, { userId: "7" })).json()).toEqual(expected);
    expect(await (await http.fetch(request)).json()).toEqual({ ...expected, userId: null });
  });
});

describe("problems", () => {
  test("a problem is a document of RFC 9457", async () => {
    const error = { path: "/name", code: "min-length", message: "is too short", params: { min: 4 } };
    const problem = answers({ code: "validation", detail: "1 field is not valid", errors: [error] });
    const { response, text } = await ask(problem, { headers: { "x-request-id": "abc" } });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(text).toBe(
      '{"type":"https://stoa.dev/errors/validation","title":"The request is not valid","status":400,' +
        '"code":"validation","detail":"1 field is not valid","requestId":"abc",' +
        '"errors":[{"path":"/name","code":"min-length","message":"is too short","params":{"min":4}}]}',
    );
  });

  test("a problem brings its headers", async () => {
    const headers = { "WWW-Authenticate": "Bearer" };
    const { response } = await ask(answers({ code: "unauthenticated", detail: "Log in", headers }));
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  test("every 404 is the same, byte for byte, whatever its reason", async () => {
    const errors = [{ path: "/id", code: "hidden", message: "belongs to someone else" }];
    const headers = { "X-Reason": "hidden" };
    const http = testHttp([
      route("GET /api/a", answers({ code: "not-found", detail: "there is no such author" })),
      route("GET /api/b", answers({ code: "not-found", detail: "it is hidden", errors, headers })),
    ]);
    const paths = ["/api/a", "/api/b", "/api/none", "/api/a/%ZZ", "/", "//"];
    const seen = await Promise.all(
      paths.map(async (path) => {
        const response = await http.fetch(new Request(BASE + path, { headers: { "x-request-id": "same" } }));
        return JSON.stringify([response.status, ...response.headers, await response.text()]);
      }),
    );
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toContain("404");
  });

  test.each([
    ["malformed", 400],
    ["validation", 400],
    ["unauthenticated", 401],
    ["forbidden", 403],
    ["not-found", 404],
    ["method-not-allowed", 405],
    ["conflict", 409],
    ["precondition-failed", 412],
    ["too-large", 413],
    ["unsupported-media-type", 415],
    ["rate-limited", 429],
    ["unavailable", 503],
    ["internal", 500],
  ] as const)("%s is %i", (code, status) => {
    expect(renderProblem({ kind: "problem", code, detail: "…" }, "id").status).toBe(status);
  });
});

describe("exceptions", () => {
  const SECRET = "select secret from /srv/app.ts";

  test("a bug is a 500 that says nothing; the log has the rest", async () => {
    const cause = new DatabaseError("other", "the cause", { sqlState: "42601", detail: "Key (email)=(a@b)" });
    const { http, response, text } = await ask(fails(new Error(SECRET, { cause })), {
      headers: { "x-request-id": "r1" },
    });
    expect(response.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ code: "internal", requestId: "r1" });
    expect(text).not.toMatch(/secret|srv|stack|Error/);
    const line = http.lines().find(({ msg }) => msg === "the request failed");
    expect(line).toMatchObject({
      level: "error",
      requestId: "r1",
      route: "GET /api/x",
      error: {
        message: SECRET,
        stack: expect.stringContaining("http-answers"),
        cause: { sqlState: "42601" },
      },
    });
    expect(http.logText()).not.toContain("a@b");
  });

  test.each([
    ["unavailable", 503, "5"],
    ["authentication", 503, "5"],
    ["serialization", 503, "1"],
    ["timeout", 503, "1"],
    ["cancelled", 503, "1"],
    ["unique", 500, null],
    ["foreign-key", 500, null],
    ["check", 500, null],
    ["not-null", 500, null],
    ["other", 500, null],
  ] as const)(
    "a database error of the kind %s is %i",
    async (kind: DatabaseErrorKind, status, retryAfter) => {
      const { response, text } = await ask(fails(new DatabaseError(kind, SECRET, { sqlState: "XX000" })));
      expect([response.status, response.headers.get("retry-after")]).toEqual([status, retryAfter]);
      expect(text).not.toMatch(/secret|XX000/);
    },
  );

  test("what is thrown need not be an error, nor later than the call", async () => {
    expect((await ask(fails("text"))).response.status).toBe(500);
    expect((await ask(fails(undefined))).response.status).toBe(500);
    const sync: Handle = () => {
      throw new Error(SECRET);
    };
    expect((await ask(sync)).response.status).toBe(500);
    const nothing = (async () => undefined) as unknown as Handle;
    expect((await ask(nothing)).response.status).toBe(500);
  });

  test("a header that cannot be sent is a bug, not a crash", async () => {
    const { response } = await ask(async () => json(1, { "X-Bad": "a\r\nSet-Cookie: b" }));
    expect(response.status).toBe(500);
    expect(response.headers.has("set-cookie")).toBe(false);
  });

  test("an endpoint that hangs is cut off at the deadline, whether it listens to the signal or not", async () => {
    let signal: AbortSignal | undefined;
    const deaf: Handle = (call) => {
      signal = call.signal;
      return new Promise(() => {});
    };
    const { response, text } = await ask(deaf, {}, { requestTimeoutMs: 20 });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(JSON.parse(text).detail).toBe("The request took too long");
    expect(signal?.aborted).toBe(true);

    const obedient: Handle = ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const second = await ask(obedient, {}, { requestTimeoutMs: 20 });
    expect(second.response.status).toBe(503);
    expect(second.http.lines().map(({ level, msg }) => `${level} ${msg}`)).toEqual(["warn request"]);
  });

  test("who asks for the signal after the deadline gets one that is aborted", async () => {
    const late = deferred<boolean>();
    await ask(
      async (call) => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        late.resolve(call.signal?.aborted ?? false);
        return json(1);
      },
      {},
      { requestTimeoutMs: 10 },
    );
    expect(await late.promise).toBe(true);
  });
});

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
