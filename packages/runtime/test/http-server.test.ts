import { Agent, createServer, request } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { Route } from "../src/exchange.js";
import { ListenError, type ListeningServer } from "../src/http/index.js";
import {
  bodyOf,
  gate,
  get,
  json,
  route,
  sendRaw,
  statusOf,
  stream,
  testHttp,
  until,
} from "./http-notation.js";

const HERE = { port: 0, host: "127.0.0.1" };

async function withServer(routes: readonly Route[], work: (server: ListeningServer) => Promise<void>) {
  const server = await testHttp(routes).listen(HERE);
  try {
    await work(server);
  } finally {
    await server.close({ deadlineMs: 0 });
  }
}

describe("listening", () => {
  test("takes a free port and tells its address", async () => {
    await withServer([route("GET /api/x", async () => json("ok"))], async ({ url, port }) => {
      expect(url).toBe(`http://127.0.0.1:${port}`);
      const response = await fetch(`${url}/api/x`);
      expect([response.status, await response.json()]).toEqual([200, "ok"]);
    });
  });

  test("says when the port is taken, the host is not ours, or the port is none", async () => {
    const http = testHttp([]);
    const first = await http.listen(HERE);
    const taken = http.listen({ ...HERE, port: first.port });
    await expect(taken).rejects.toThrow(`Port ${first.port} of 127.0.0.1 is in use by another program.`);
    await expect(taken).rejects.toBeInstanceOf(ListenError);
    await expect(http.listen({ port: 0, host: "192.0.2.1" })).rejects.toThrow(
      "192.0.2.1 is not an address of this machine.",
    );
    await expect(http.listen({ port: 0, host: "no.such.host.invalid" })).rejects.toThrow("is not an address");
    await expect(http.listen({ ...HERE, port: 70_000 })).rejects.toThrow("70000 is not a port.");
    await first.close();
    const again = await http.listen({ ...HERE, port: first.port });
    await again.close();
  });
});

describe("what is not HTTP", () => {
  test.each([
    ["nonsense", "nonsense\r\n\r\n", 400, "malformed"],
    ["a bad method", "B@D / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed"],
    ["a bad version", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", 400, "malformed"],
    ["a space in the target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed"],
    ["a huge target", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, "too-large"],
    ["huge headers", `GET / HTTP/1.1\r\nHost: x\r\nA: ${"x".repeat(20_000)}\r\n\r\n`, 431, "too-large"],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
      "malformed",
    ],
  ])("%s gets a problem document", async (_, text, status, code) => {
    await withServer([], async ({ port }) => {
      const answer = await sendRaw(port, text);
      expect(statusOf(answer)).toBe(status);
      expect(answer).toContain("Content-Type: application/problem+json");
      expect(JSON.parse(bodyOf(answer))).toMatchObject({ status, code, requestId: expect.any(String) });
    });
  });

  test("garbage after a request does not get into its answer", async () => {
    const started = gate();
    const reading = gate();
    async function* slow() {
      yield new TextEncoder().encode("[");
      started.open();
      await reading.opened;
      yield new TextEncoder().encode("]");
    }
    await withServer([route("GET /api/x", async () => stream(slow()))], async ({ port }) => {
      const socket = connect(port, "127.0.0.1", () => socket.write("GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n"));
      let text = "";
      socket.on("data", (part) => {
        text += part;
      });
      const closed = new Promise((resolve) => socket.on("close", resolve));
      await started.opened;
      await until(() => text.includes("["));
      socket.write("garbage\r\n\r\n");
      await closed;
      reading.open();
      expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    });
  });
});

describe("ordinary clients", () => {
  test("HEAD, OPTIONS, bodies that nobody reads, and requests one after another on a connection", async () => {
    await withServer([route("GET /api/x", async () => json([1]))], async ({ port }) => {
      const head = (method: string, more = "") => `${method} /api/x HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
      const requests = [
        head("HEAD"),
        head("OPTIONS"),
        `${head("GET", "Content-Length: 5\r\n")}abcde`,
        `${head("DELETE", "Content-Length: 3\r\n")}xyz`,
        head("GET", "Connection: close\r\n"),
      ];
      const answer = await sendRaw(port, requests.join(""));
      const statuses = answer.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => line.slice(9));
      expect(statuses).toEqual(["200", "204", "200", "405", "200"]);
      expect(answer.match(/\[1\]/g)).toHaveLength(2);
      expect(answer.match(/^Allow: .*$/gm)).toHaveLength(2);
    });
  });

  test("OPTIONS * and absolute targets", async () => {
    await withServer([route("GET /api/x", async () => json(1))], async ({ port }) => {
      const options = await sendRaw(port, get("*").replace("GET", "OPTIONS"));
      expect(options).toMatch(/^HTTP\/1\.1 204[\s\S]*Allow: GET, HEAD, OPTIONS/);
      expect(statusOf(await sendRaw(port, get("*")))).toBe(404);
      expect(statusOf(await sendRaw(port, get("http://a.b/api/x")))).toBe(200);
      expect(await sendRaw(port, "CONNECT a.b:80 HTTP/1.1\r\nHost: a.b\r\n\r\n")).toBe("");
      expect(statusOf(await sendRaw(port, get("/api/x")))).toBe(200);
    });
  });
});

describe("closing", () => {
  test("what is in flight is finished, its connection closed, and new ones refused", async () => {
    const started = gate();
    const finish = gate();
    const server = await testHttp([
      route("GET /api/slow", async () => {
        started.open();
        await finish.opened;
        return json("done");
      }),
    ]).listen(HERE);
    const answer = sendRaw(server.port, "GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n");
    await started.opened;
    const closing = server.close({ deadlineMs: 10_000 });
    await expect(fetch(`${server.url}/health/live`)).rejects.toThrow();
    finish.open();
    expect(await answer).toMatch(/^HTTP\/1\.1 200[\s\S]*Connection: close[\s\S]*"done"$/);
    await closing;
    expect(server.close()).toBe(server.close());
  });

  test("idle connections are closed at once", async () => {
    const server = await testHttp([]).listen(HERE);
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) => {
      request({ port: server.port, host: "127.0.0.1", path: "/health/live", agent }, (response) => {
        response.resume().on("end", resolve);
      }).end();
    });
    const silent = connect(server.port, "127.0.0.1");
    silent.on("error", () => {});
    await new Promise((resolve) => silent.on("connect", resolve));
    const start = performance.now();
    await server.close({ deadlineMs: 60_000 });
    expect(performance.now() - start).toBeLessThan(30_000);
    agent.destroy();
  });

  test("a stream that had begun is finished too, although its connection was to stay", async () => {
    const started = gate();
    const finish = gate();
    async function* chunks() {
      yield new TextEncoder().encode("[");
      started.open();
      await finish.opened;
      yield new TextEncoder().encode("]");
    }
    const server = await testHttp([route("GET /api/x", async () => stream(chunks()))]).listen(HERE);
    const answer = sendRaw(server.port, "GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n");
    await started.opened;
    const closing = server.close({ deadlineMs: 60_000 });
    finish.open();
    await closing;
    expect(await answer).toMatch(/1\r\n\]\r\n0\r\n\r\n$/);
  });

  test("what is not done by the deadline is cut off, and hears of it", async () => {
    const started = gate();
    let signal: AbortSignal | undefined;
    const http = testHttp([
      route("GET /api/stuck", (call) => {
        signal = call.signal;
        started.open();
        return new Promise(() => {});
      }),
    ]);
    const server = await http.listen(HERE);
    const answer = sendRaw(server.port, get("/api/stuck"));
    await started.opened;
    await server.close({ deadlineMs: 50 });
    expect(await answer).toBe("");
    await until(() => signal?.aborted === true);
    expect(http.lines()).toContainEqual(expect.objectContaining({ level: "warn", deadlineMs: 50 }));
  });

  test("a server of node's own can carry the listener", async () => {
    const http = testHttp([route("GET /api/x", async () => json(1))]);
    const server = createServer(http.listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    expect(statusOf(await sendRaw(port, get("/api/x")))).toBe(200);
    expect(statusOf(await sendRaw(port, get("/other")))).toBe(404);
    server.close();
  });
});
