import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseError } from "@stoa/database";
import { afterEach, describe, expect, test } from "vitest";
import type { Route } from "../src/exchange.js";
import {
  bodyOf,
  gate,
  get,
  route,
  sendRaw,
  statusOf,
  stream,
  type TestHttp,
  testHttp,
  until,
} from "./http-notation.js";

const MEGABYTE = 1024 * 1024;
const encoder = new TextEncoder();

/** Chunks of a megabyte without end, which remembers how far it was read and whether it was let go of. */
function endless() {
  const seen = { pulled: 0, returned: 0 };
  const chunk = new Uint8Array(MEGABYTE).fill(0x20);
  const chunks: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        seen.pulled++;
        return { done: false, value: chunk };
      },
      async return() {
        seen.returned++;
        return { done: true, value: undefined };
      },
    }),
  };
  return { seen, chunks };
}

async function* texts(...parts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (part instanceof Error) throw part;
    yield encoder.encode(part);
  }
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(routes: readonly Route[], options: Parameters<typeof testHttp>[1] = {}) {
  const http = testHttp(routes, options);
  const server = createServer(http.listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { http, port: (server.address() as AddressInfo).port };
}

/** A client that gets the head and reads nothing until it is told to. */
function open(port: number, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path, agent: false }, resolve);
    sent.on("error", reject);
    sent.end();
  });
}

function requestLine(http: TestHttp) {
  return http.lines().find(({ msg }) => msg === "request");
}

describe("streams over a socket", () => {
  test("arrive whole, chunked, and are logged with their size", async () => {
    const { http, port } = await serve([route("GET /api/x", async () => stream(texts("[1", ",2", "", "]")))]);
    const answer = await sendRaw(port, get("/api/x"));
    expect(answer).toMatch(/Transfer-Encoding: chunked/i);
    expect(bodyOf(answer)).toBe("2\r\n[1\r\n2\r\n,2\r\n1\r\n]\r\n0\r\n\r\n");
    expect(requestLine(http)).toMatchObject({ status: 200, bytes: 5 });
  });

  test("may be empty", async () => {
    const { port } = await serve([route("GET /api/x", async () => stream(texts()))]);
    expect(statusOf(await sendRaw(port, get("/api/x")))).toBe(200);
  });

  test("are read no faster than the client reads", async () => {
    const { seen, chunks } = endless();
    const { port } = await serve([route("GET /api/x", async () => stream(chunks))]);
    const response = await open(port, "/api/x");
    await new Promise((resolve) => setTimeout(resolve, 300));
    const whileStalled = seen.pulled;
    expect(whileStalled).toBeLessThan(30);
    response.resume();
    await until(() => seen.pulled > whileStalled + 50);
    response.destroy();
    await until(() => seen.returned === 1);
  });

  test("are let go of when the client leaves, and the signal is aborted", async () => {
    const { seen, chunks } = endless();
    let signal: AbortSignal | undefined;
    const { http, port } = await serve([
      route("GET /api/x", async (call) => {
        signal = call.signal;
        return stream(chunks);
      }),
    ]);
    (await open(port, "/api/x")).destroy();
    await until(() => seen.returned > 0);
    expect([seen.returned, signal?.aborted]).toEqual([1, true]);
    expect(requestLine(http)).toMatchObject({ status: 200, cut: "client" });
  });

  test("a client that leaves while a chunk is awaited ends the wait", async () => {
    const returned = gate();
    let pulls = 0;
    const chunks: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          pulls++ === 0
            ? Promise.resolve({ done: false, value: encoder.encode("[") })
            : new Promise<IteratorResult<Uint8Array>>(() => {}),
        async return() {
          returned.open();
          return { done: true, value: undefined };
        },
      }),
    };
    const { port } = await serve([route("GET /api/x", async () => stream(chunks))]);
    (await open(port, "/api/x")).destroy();
    await returned.opened;
  });

  test("a failure before the first chunk still gets an answer of its own", async () => {
    const away = new DatabaseError("unavailable", "gone");
    const { port } = await serve([
      route("GET /api/bug", async () => stream(texts(new Error("bug")))),
      route("GET /api/away", async () => stream(texts(away))),
    ]);
    expect(statusOf(await sendRaw(port, get("/api/bug")))).toBe(500);
    expect(statusOf(await sendRaw(port, get("/api/away")))).toBe(503);
  });

  test("a failure in the middle breaks the answer, so that nobody takes it for a complete one", async () => {
    const { http, port } = await serve([
      route("GET /api/x", async () => stream(texts("[1", new Error("select secret")))),
    ]);
    const answer = await sendRaw(port, get("/api/x"));
    expect(statusOf(answer)).toBe(200);
    expect(answer).not.toMatch(/0\r\n\r\n$|secret/);
    expect(requestLine(http)).toMatchObject({ cut: "failure", bytes: 2 });
    expect(http.logText()).toContain("select secret");
    const response = await open(port, "/api/x");
    await expect(response.resume().toArray()).rejects.toThrow("aborted");
  });

  test("a client that stops reading, and a stream that stops coming, run into the deadline", async () => {
    const { seen, chunks } = endless();
    const { http, port } = await serve(
      [
        route("GET /api/stalled", async () => stream(chunks)),
        route("GET /api/stuck", async () =>
          stream({
            async *[Symbol.asyncIterator]() {
              yield encoder.encode("[");
              await new Promise(() => {});
            },
          }),
        ),
      ],
      { requestTimeoutMs: 100 },
    );
    const response = await open(port, "/api/stalled");
    response.on("error", () => {});
    await until(() => seen.returned === 1);
    expect(requestLine(http)).toMatchObject({ cut: "deadline" });
    expect(await sendRaw(port, get("/api/stuck"))).not.toMatch(/0\r\n\r\n$/);
  });

  test("a long stream outlives the deadline as long as it moves", async () => {
    const parts = Array.from({ length: 20 }, () => "x");
    async function* slowly() {
      for (const part of parts) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        yield encoder.encode(part);
      }
    }
    const { port } = await serve([route("GET /api/x", async () => stream(slowly()))], {
      requestTimeoutMs: 200,
    });
    expect(await sendRaw(port, get("/api/x"))).toMatch(/0\r\n\r\n$/);
  });

  test("HEAD takes nothing from the stream and closes it", async () => {
    const { seen, chunks } = endless();
    const { port } = await serve([route("GET /api/x", async () => stream(chunks))]);
    const answer = await sendRaw(port, get("/api/x").replace("GET", "HEAD"));
    expect([statusOf(answer), bodyOf(answer), seen]).toEqual([200, "", { pulled: 0, returned: 1 }]);
  });

  test("a reply that comes after the client has left is let go of", async () => {
    const { seen, chunks } = endless();
    const left = gate();
    const asked = gate();
    const { http, port } = await serve([
      route("GET /api/x", async (call) => {
        call.signal?.addEventListener("abort", left.open);
        asked.open();
        await left.opened;
        return stream(chunks);
      }),
    ]);
    const sent = request({ port, host: "127.0.0.1", path: "/api/x", agent: false });
    sent.on("error", () => {});
    sent.end();
    await asked.opened;
    sent.destroy();
    await until(() => seen.returned === 1);
    expect(requestLine(http)).toMatchObject({ status: null, cut: "client" });
  });
});

describe("streams in the process", () => {
  const ask = (http: TestHttp, init?: RequestInit) => http.fetch(new Request("http://x/api/x", init));

  test("arrive whole", async () => {
    const http = testHttp([route("GET /api/x", async () => stream(texts("[1", ",2", "]")))]);
    expect(await (await ask(http)).text()).toBe("[1,2]");
    expect(requestLine(http)).toMatchObject({ bytes: 5 });
  });

  test("are read when they are asked for, and closed when cancelled", async () => {
    const { seen, chunks } = endless();
    const http = testHttp([route("GET /api/x", async () => stream(chunks))]);
    const response = await ask(http);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen.pulled).toBeLessThanOrEqual(3);
    await reader?.cancel();
    await until(() => seen.returned === 1);
    expect(requestLine(http)).toMatchObject({ cut: "client" });
  });

  test("break off in the middle, without saying why", async () => {
    const http = testHttp([route("GET /api/x", async () => stream(texts("[1", new Error("secret"))))]);
    const response = await ask(http);
    await expect(response.text()).rejects.toThrow("The answer broke off");
  });

  test("a failure before the first chunk is an answer", async () => {
    const http = testHttp([route("GET /api/x", async () => stream(texts(new Error("bug"))))]);
    expect((await ask(http)).status).toBe(500);
  });

  test("an aborted request rejects, aborts the signal and closes the stream", async () => {
    const { seen, chunks } = endless();
    let signal: AbortSignal | undefined;
    const http = testHttp([
      route("GET /api/x", async (call) => {
        signal = call.signal;
        return stream(chunks);
      }),
    ]);
    const controller = new AbortController();
    const response = await ask(http, { signal: controller.signal });
    controller.abort();
    await expect(response.text()).rejects.toThrow();
    expect([seen.returned, signal?.aborted]).toEqual([1, true]);
    await expect(ask(http, { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    expect(seen.pulled).toBeLessThanOrEqual(2);
  });
});
