// What the tests of the HTTP side share: routes in one line, a log that is kept, and requests that are written by
// hand where a client would be too well-behaved.

import { connect } from "node:net";
import type { Call, Outcome, Reply, Route } from "../src/exchange.js";
import { createHttp, createLog, type Http, type HttpOptions, type LogLevel } from "../src/http/index.js";

export type Handle = (call: Call) => Promise<Outcome>;

/** `GET /api/author/{slug}` → a route whose name is that text. */
export function route(text: string, handle: Handle = async (call) => json(call.parameters)): Route {
  const [method, path] = text.split(" ") as [Route["method"], string];
  return { name: text, method, path, handle };
}

export function json(value: unknown, headers: Record<string, string> = {}): Reply {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return { kind: "reply", status: 200, headers, body: { kind: "bytes", bytes } };
}

export function stream(chunks: AsyncIterable<Uint8Array>): Reply {
  return { kind: "reply", status: 200, headers: {}, body: { kind: "stream", chunks } };
}

export interface TestHttp extends Http {
  /** The lines of the log so far, parsed. */
  lines(): readonly Record<string, unknown>[];
  logText(): string;
}

export function testHttp(
  routes: readonly Route[],
  { level = "info", ...options }: Partial<HttpOptions> & { readonly level?: LogLevel } = {},
): TestHttp {
  let text = "";
  const destination = {
    write(part: string) {
      text += part;
    },
  };
  const log = createLog({ level, destination });
  const http = createHttp({ routes, log, checkReady: async () => ({ ok: true }), ...options });
  const logText = (): string => {
    log.flush();
    return text;
  };
  const lines = (): readonly Record<string, unknown>[] =>
    logText()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  return { ...http, lines, logText };
}

/** Sends bytes as they are and gives everything that comes back until the connection closes. */
export function sendRaw(port: number, text: string | Buffer, patienceMs = 10_000): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on("data", (part) => parts.push(part));
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(parts).toString("latin1")));
  });
}

export function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

export function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf("\r\n\r\n") + 4);
}

/** A promise and the key to it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Waits until something holds. */
export async function until(holds: () => boolean, patienceMs = 10_000): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error("It never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
