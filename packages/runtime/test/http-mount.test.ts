import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { get, json, route, sendRaw, statusOf, stream, testHttp } from "./http-notation.js";

const ROUTES = [
  route("GET /api/author/{slug}", async ({ parameters, query }) => json({ parameters, query })),
  route("POST /api/author", async () => json("created")),
  route("GET /api/all", async () =>
    stream({
      async *[Symbol.asyncIterator]() {
        yield new TextEncoder().encode("[1,");
        yield new TextEncoder().encode("2]");
      },
    }),
  ),
];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function start(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(url: string, init?: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  return `${response.status} ${await response.text()}`;
}

/** What holds wherever the application is mounted. */
async function expectOurs(base: string): Promise<void> {
  expect(await ask(`${base}/api/author/a%2Fb?x=1`)).toBe('200 {"parameters":["a/b"],"query":"x=1"}');
  expect(await ask(`${base}/api/author/${"long".repeat(500)}/`)).toContain("longlong");
  expect(await ask(`${base}/api/all`)).toBe("200 [1,2]");
  expect(await ask(`${base}/api/author`, { method: "POST", body: "{not json" })).toBe('200 "created"');
  const typed = { "content-type": "application/json" };
  expect(await ask(`${base}/api/author`, { method: "POST", body: "{not json", headers: typed })).toContain(
    "200",
  );
  expect(
    await ask(`${base}/api/author`, { method: "POST", body: "x", headers: { "content-type": ";" } }),
  ).toContain("200");
  expect(await ask(`${base}/api/author/x`, { method: "HEAD" })).toBe("200 ");
  const options = await fetch(`${base}/api/author`, { method: "OPTIONS" });
  expect([options.status, options.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
  expect(await ask(`${base}/api/author`)).toContain(
    '405 {"type":"https://stoa.dev/errors/method-not-allowed"',
  );
  expect(await ask(`${base}/health/live`)).toBe('200 {"status":"ok"}');
}

test("in a server of node's own, beside other handlers", async () => {
  const { listener } = testHttp(ROUTES);
  const server = createServer((request, response) =>
    listener(request, response, () => response.end("the host's own")),
  );
  const base = await start(server);
  await expectOurs(base);
  expect(await ask(`${base}/other`)).toBe("200 the host's own");
});

describe("in Express", () => {
  test("at the root: what is not ours goes on to the host", async () => {
    const app = express();
    app.get("/before", (_, response) => void response.send("before"));
    app.use(testHttp(ROUTES).listener);
    app.get("/after", (_, response) => void response.send("after"));
    const base = await start(createServer(app));
    await expectOurs(base);
    expect(await ask(`${base}/before`)).toBe("200 before");
    expect(await ask(`${base}/after`)).toBe("200 after");
    expect(await ask(`${base}/none`)).toContain("404");
  });

  test("below a path", async () => {
    const app = express();
    app.use("/mounted/here", testHttp(ROUTES).listener);
    const base = await start(createServer(app));
    await expectOurs(`${base}/mounted/here`);
    expect(await ask(`${base}/api/all`)).toContain("404");
  });

  test("paths that cannot be decoded do no harm", async () => {
    const app = express();
    app.use(testHttp(ROUTES).listener);
    const base = await start(createServer(app));
    const port = Number(new URL(base).port);
    expect(statusOf(await sendRaw(port, get("/api/author/%ZZ")))).toBe(404);
  });
});

describe("in Fastify", () => {
  async function host(options: { readonly prefix?: string } = {}): Promise<string> {
    const app = fastify();
    app.get("/own", async () => "own");
    app.post("/own", async ({ body }) => body);
    app.setNotFoundHandler((_, reply) => reply.code(404).send("the host's 404"));
    await app.register(testHttp(ROUTES).fastify, options);
    closers.push(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  }

  test("at the root: the host keeps its routes, its parsers and its 404", async () => {
    const base = await host();
    await expectOurs(base);
    expect(await ask(`${base}/own`)).toBe("200 own");
    const headers = { "content-type": "application/json" };
    expect(await ask(`${base}/own`, { method: "POST", body: '{"a":1}', headers })).toBe('200 {"a":1}');
    expect(await ask(`${base}/none`)).toBe("404 the host's 404");
    expect(await ask(`${base}/none`, { method: "POST", body: "{" })).toBe("404 the host's 404");
  });

  test("below a path, even one with a parameter", async () => {
    const base = await host({ prefix: "/mounted/:tenant" });
    await expectOurs(`${base}/mounted/a%2Fb`);
    expect(await ask(`${base}/api/all`)).toBe("404 the host's 404");
    expect(await ask(`${base}/mounted`)).toBe("404 the host's 404");
  });
});
