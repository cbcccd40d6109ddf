// What the tests of writes under races and faults share: a program that is served on a port, over a database that can
// be looked at beside it, and requests whose answers are kept whole.

import { request } from "node:http";
import { compile } from "@stoa/compiler";
import { applyPush, connect, type Database, planPush } from "@stoa/database";
import { type ServerProxy, startProxy } from "../../database/test/connection-proxy.js";
import { testDatabase } from "../../database/test/server.js";
import { type Application, createApplication, createHooks, createLog } from "../src/index.js";

export interface GroundOptions {
  readonly source: string;
  /** By `module.ts#function`. */
  readonly hooks?: Readonly<Record<string, unknown>>;
  readonly poolSize?: number;
  readonly requestTimeoutMs?: number;
  /** Whether the application talks to its database through a proxy. */
  readonly isBehindProxy?: boolean;
  /** How long the server waits before it looks for a deadlock; a second otherwise. */
  readonly deadlockTimeoutMs?: number;
}

export interface Ground {
  readonly application: Application;
  readonly port: number;
  /** The same database, not by way of the application. */
  readonly database: Database;
  readonly url: string;
  readonly proxy: ServerProxy | undefined;
  readonly logged: string[];
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface SendOptions {
  /** Sent as JSON; bytes are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it, and a wrong look is a failing test.
  json(): any;
}

export async function openGround(options: GroundOptions): Promise<Ground> {
  const { source, hooks = {}, poolSize = 10, requestTimeoutMs } = options;
  const { definition, diagnostics } = compile([{ name: "app.stoa", text: source }]);
  if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const { database, url, name, drop } = await testDatabase({ poolSize: 2 });
  if (options.deadlockTimeoutMs !== undefined)
    await database.execute(`alter database ${name} set deadlock_timeout = '${options.deadlockTimeoutMs}ms'`);
  await applyPush(database, await planPush(database, definition), {});
  const proxy = options.isBehindProxy ? await startProxy(url) : undefined;
  const own = connect({ url: proxy?.url ?? url, poolSize });
  const lines: string[] = [];
  const log = createLog({ level: "warn", destination: { write: (line: string) => lines.push(line) } });
  const application = createApplication({
    ...{ definition, database: own, log, hooks: createHooks(definition, { hooks }) },
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  });
  const server = await application.listen({ port: 0, host: "127.0.0.1" });
  return {
    ...{ application, port: server.port, database, url, proxy },
    get logged() {
      log.flush();
      return lines;
    },
    send: (method, path, sent = {}) => send(server.port, { method, path, ...sent }),
    close: async () => {
      await server.close();
      await own.close();
      await proxy?.close();
      await drop();
    },
  };
}

interface Sent extends SendOptions {
  readonly method: string;
  readonly path: string;
}

export function send(port: number, { method, path, body, headers = {}, signal }: Sent): Promise<Answer> {
  const bytes = body instanceof Uint8Array ? body : body === undefined ? undefined : JSON.stringify(body);
  const type = bytes === undefined ? {} : { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, headers: { ...type, ...headers } };
    const sent = request({ ...options, ...(signal === undefined ? {} : { signal }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, headers: received, body: text, json: () => JSON.parse(text) });
      });
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}

/** So many at once; what each is told is its number. */
export function times<Result>(count: number, ask: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
}

/** `{ 201: 1, 409: 99 }`. */
export function countStatuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export async function oneValue(database: Database, sql: string): Promise<unknown> {
  const [row] = await database.query(sql);
  return row === undefined ? undefined : Object.values(row)[0];
}

/** Waits until something holds of the world outside. */
export async function eventually(
  holds: () => Promise<boolean> | boolean,
  patienceMs = 20_000,
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("It never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
