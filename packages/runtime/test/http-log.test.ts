import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLog, type LogLevel } from "../src/http/log.js";
import { chooseRequestId, newRequestId } from "../src/http/request-id.js";
import { json, route, testHttp } from "./http-notation.js";

function collect(level?: LogLevel) {
  const writes: string[] = [];
  const destination = { write: (text: string) => writes.push(text) };
  const log = createLog(level === undefined ? { destination } : { level, destination });
  return { log, writes };
}

function only(writes: readonly string[]): Record<string, unknown> {
  expect(writes.join("").match(/\n/g)).toHaveLength(1);
  return JSON.parse(writes.join(""));
}

describe("the log", () => {
  test("has one line per request, with the path and without the query, headers and body", async () => {
    const http = testHttp([route("GET /api/a/{x}", async () => json([1, 2]))]);
    const headers = { "x-request-id": "r-1", authorization: "Bearer s3cret", cookie: "s3cret" };
    await http.fetch(new Request("http://user.name/api/a/%22?token=s3cret", { headers }));
    expect(http.lines()).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: "info",
        msg: "request",
        requestId: "r-1",
        method: "GET",
        path: "/api/a/%22",
        route: "GET /api/a/{x}",
        status: 200,
        ms: expect.any(Number),
        bytes: 5,
      },
    ]);
    expect(http.logText()).not.toContain("s3cret");
  });

  test("tells of requests without a route", async () => {
    const http = testHttp([]);
    await http.fetch(new Request("http://x/nothing?here"));
    expect(http.lines()).toMatchObject([{ path: "/nothing", route: null, status: 404 }]);
  });

  test("keeps user and password of an absolute target, and endless paths, out", () => {
    const { log, writes } = collect();
    const entry = { requestId: "1", method: "GET", route: null, status: 404, startedAt: 0, bytes: 0 };
    const rest = { cut: null, isProbe: false } as const;
    log.request({ ...entry, ...rest, target: "http://me:s3cret@host/a/b?c" });
    log.request({ ...entry, ...rest, target: `/${"x".repeat(9000)}` });
    log.flush();
    const [first = "", second = ""] = writes.join("").split("\n");
    expect(JSON.parse(first).path).toBe("/a/b");
    expect(second.length).toBeLessThan(1400);
  });

  test.each([
    ["silent", []],
    ["error", ["error"]],
    ["warn", ["error", "warn"]],
    ["info", ["error", "warn", "info"]],
    ["debug", ["error", "warn", "info", "debug"]],
  ] as const)("at the level %s", (level, expected) => {
    const { log, writes } = collect(level);
    for (const name of ["error", "warn", "info", "debug"] as const) log[name](name);
    log.flush();
    const lines = writes.join("").split("\n").filter(Boolean);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected);
  });

  test("probes are for debug", async () => {
    const quiet = testHttp([]);
    await quiet.fetch(new Request("http://x/health/live"));
    expect(quiet.lines()).toEqual([]);
    const loud = testHttp([], { level: "debug" });
    await loud.fetch(new Request("http://x/health/live"));
    expect(loud.lines()).toMatchObject([{ level: "debug", route: "health/live" }]);
  });

  test("every text stays in its line, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (message, value) => {
        const { log, writes } = collect();
        log.warn(message, { [`a${value}`]: value });
        log.flush();
        expect(only(writes)).toMatchObject({ msg: message });
      }),
    );
  });

  test("fields that cannot be written do not hurt", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const { log, writes } = collect();
    log.warn("first", { circle });
    log.warn("second", { big: 1n, none: undefined });
    log.flush();
    expect(writes.join("").match(/"msg":"(first|second)"/g)).toHaveLength(2);
  });

  test("writes in batches: when there is much, soon, and errors at once", async () => {
    const { log, writes } = collect();
    log.info("a");
    log.info("b");
    expect(writes).toHaveLength(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(writes).toHaveLength(1);
    log.info("x".repeat(70_000));
    expect(writes).toHaveLength(2);
    log.info("before");
    log.error("after");
    expect(writes[2]).toMatch(/before.*\n.*after/);
  });

  test("a destination that fails does not stop anything", () => {
    const destination = {
      write() {
        throw new Error("EPIPE");
      },
    };
    const log = createLog({ destination });
    expect(() => log.error("a")).not.toThrow();
  });
});

describe("request ids", () => {
  test.each(["a", "0af7651916cd43dd8448eb211c80319c", "A.b_c-9", "x".repeat(128)])("takes %s", (id) => {
    expect(chooseRequestId(id)).toBe(id);
  });

  test.each(["", "x".repeat(129), "a b", "a\nb", 'a"b', "é", "a/b", "a, b", "{}", "`", "@", "["])(
    "makes its own instead of %j",
    (id) => {
      expect(chooseRequestId(id)).not.toBe(id);
    },
  );

  test("those it makes are sane and differ", () => {
    const made = Array.from({ length: 1000 }, newRequestId);
    expect(new Set(made).size).toBe(1000);
    expect(made.map(chooseRequestId)).toEqual(made);
    expect(chooseRequestId(["a", "b"])).not.toContain(",");
  });

  test("exactly letters, digits, dot, hyphen and underscore are taken", () => {
    for (let code = 0; code < 256; code++) {
      const text = String.fromCharCode(code);
      expect(chooseRequestId(text) === text).toBe(/^[A-Za-z0-9._-]$/.test(text));
    }
  });

  test("the answer has the id, in its header and its problem", async () => {
    const http = testHttp([]);
    const response = await http.fetch(new Request("http://x/", { headers: { "x-request-id": "mine" } }));
    expect(response.headers.get("x-request-id")).toBe("mine");
    expect(await response.json()).toMatchObject({ requestId: "mine" });
  });
});
