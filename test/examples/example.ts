// An example as users run it: its own sources, the code of its hooks, the data of one of its populators, and a port.

import { applyPush, type Database, planPush, populate } from "@stoa/database";
import { bundleKey, type Definition, listHooks } from "@stoa/definition";
import { type Application, createApplication, createHooks, createLog } from "@stoa/runtime";
import { testDatabase } from "../../packages/database/test/server.js";
import { EXAMPLES, example } from "../../packages/generators/test/programs.js";

export { EXAMPLES };
export type ExampleName = (typeof EXAMPLES)[number];

export interface RunningExample {
  readonly definition: Definition;
  readonly database: Database;
  readonly application: Application;
  readonly url: string;
  /** What the server has logged as a failure. */
  readonly failures: readonly string[];
  /** A request as a program of somebody's would make it, with the answer read. */
  ask(request: string, options?: AskOptions): Promise<Asked>;
  /** The token of a login. */
  logIn(email: string, password: string): Promise<string>;
  close(): Promise<void>;
}

export interface AskOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON, whatever it is
  readonly body: any;
  readonly headers: Headers;
}

export async function runExample(
  name: ExampleName,
  populator: string | null = "Dev",
): Promise<RunningExample> {
  const definition = example(name);
  const { database, drop } = await testDatabase();
  await applyPush(database, await planPush(database, definition), {});
  if (populator !== null) await populate(database, definition, populator);
  const failures: string[] = [];
  const log = createLog({ level: "error", destination: { write: (line: string) => failures.push(line) } });
  const hooks = createHooks(definition, { hooks: await loadHooks(name, definition) });
  const application = createApplication({ definition, database, hooks, log, documentation: {} });
  const server = await application.listen({ port: 0, host: "127.0.0.1" });
  const ask = (request: string, options: AskOptions = {}): Promise<Asked> =>
    send(server.url, request, options);
  const logIn = async (email: string, password: string): Promise<string> => {
    const { status, body } = await ask("POST /api/auth/login", { body: { email, password } });
    if (status !== 200) throw new Error(`${email} cannot log in: ${JSON.stringify(body)}`);
    return body.token;
  };
  const close = async (): Promise<void> => {
    await server.close();
    await drop();
  };
  return { definition, database, application, url: server.url, failures, ask, logIn, close };
}

/** The modules themselves, without the bundle that `stoa build` makes of them. */
export async function loadHooks(name: string, definition: Definition): Promise<Record<string, unknown>> {
  const folder = new URL(`../../examples/${name}/`, import.meta.url);
  const functions: Record<string, unknown> = {};
  for (const { hook } of listHooks(definition)) {
    const { code } = hook;
    if (code.kind === "inline") continue;
    const key = bundleKey(definition, code);
    const module: Record<string, unknown> = await import(new URL(key.split("#")[0] ?? "", folder).href);
    functions[key] = module[code.function];
  }
  return functions;
}

async function send(url: string, request: string, { token, body, headers }: AskOptions): Promise<Asked> {
  const [method = "GET", target = "/"] = request.split(" ");
  const response = await fetch(url + target, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === "" ? undefined : JSON.parse(text),
    headers: response.headers,
  };
}
