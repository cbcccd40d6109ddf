// Whatever is sent, the answer is never a 500 and the server goes on.

import { connect } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { get, json, route, sendRaw, statusOf, testHttp } from "./http-notation.js";

const ROUTES = [
  route("GET /api/author"),
  route("POST /api/author"),
  route("GET /api/author/{slug}"),
  route("DELETE /api/author/{slug}"),
  route("GET /api/author/{slug}/books/{id}", async ({ parameters }) => json(parameters)),
];

const piece = fc.constantFrom(
  ..."/ // /api /author /books api %2F %00 %ZZ %C3%A9 %FF % ? ?a=b & # . .. * http:// https://h: {} \\ ; : @ é".split(
    " ",
  ),
);
const text = fc.oneof(piece, piece, fc.string({ maxLength: 8 }), fc.string({ unit: "binary", maxLength: 4 }));
const target = fc.oneof(
  fc.array(text, { maxLength: 10 }).map((parts) => parts.join("")),
  fc.array(text, { maxLength: 6 }).map((parts) => `/api/author/${parts.join("")}`),
);
const method = fc.oneof(
  fc.constantFrom(
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "PURGE",
    "CONNECT",
    "get",
  ),
  fc.string({ maxLength: 6 }),
);
const header = fc.tuple(
  fc.oneof(
    fc.constantFrom("X-Request-Id", "Content-Length", "Transfer-Encoding", "Connection", "Expect", "Upgrade"),
    fc.constantFrom("Host", "Content-Type", "Accept", "Authorization"),
    fc.string({ maxLength: 10 }),
  ),
  fc.oneof(
    fc.constantFrom(
      "1",
      "-1",
      "chunked",
      "close",
      "keep-alive",
      "100-continue",
      "websocket",
      "gzip, chunked",
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
  ),
);

const rawRequest = fc
  .record({
    method,
    target,
    version: fc.constantFrom("1.1", "1.1", "1.1", "1.0", "2.0", "x"),
    headers: fc.array(header, { maxLength: 4 }),
    body: fc.string({ maxLength: 20 }),
  })
  .map(({ method, target, version, headers, body }) => {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    return `${method} ${target} HTTP/${version}\r\nHost: x\r\n${lines}\r\n${body}`;
  });

/** Sends, ends its side, and gives the statuses of all answers. */
function statusesOf(port: number, bytes: Buffer): Promise<readonly number[]> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.end(bytes));
    socket.setTimeout(2000, () => socket.destroy());
    socket.on("data", (part) => parts.push(part));
    socket.on("error", () => {});
    socket.on("close", () => {
      const answers = Buffer.concat(parts).toString("latin1");
      resolve([...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])));
    });
  });
}

test("random requests over a socket", async () => {
  const http = testHttp(ROUTES);
  const server = await http.listen({ port: 0, host: "127.0.0.1" });
  const batch = fc.array(fc.tuple(rawRequest, fc.constantFrom("utf8", "latin1")), {
    minLength: 20,
    maxLength: 40,
  });
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(batch, async (requests) => {
      const all = requests.map(([request, encoding]) =>
        statusesOf(server.port, Buffer.from(request, encoding as BufferEncoding)),
      );
      for (const status of (await Promise.all(all)).flat()) {
        seen.add(status);
        expect(status).not.toBe(500);
      }
    }),
    // Rare by chance, so one is given: the answer to OPTIONS.
    { numRuns: 100, examples: [[[["OPTIONS /api/author HTTP/1.1\r\nHost: x\r\n\r\n", "utf8"]]]] },
  );
  expect([200, 204, 400, 404, 405].filter((status) => !seen.has(status))).toEqual([]);
  expect(statusOf(await sendRaw(server.port, get("/api/author")))).toBe(200);
  expect(http.lines().filter(({ level }) => level === "error")).toEqual([]);
  await server.close({ deadlineMs: 0 });
});

test("random requests in the process", async () => {
  const http = testHttp(ROUTES);
  const request = fc.tuple(
    fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "DELETE", "BREW"),
    target,
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(request, async ([method, path, id]) => {
      const url = `http://x/${path}`;
      if (!URL.canParse(url)) return;
      const headers = { "x-request-id": encodeURIComponent(id) };
      const response = await http.fetch(new Request(url, { method, headers }));
      expect(response.status).not.toBe(500);
      await response.text();
    }),
    { numRuns: 3000 },
  );
  expect(http.lines().filter(({ level }) => level === "error")).toEqual([]);
});
