// A program with users, served: what tests of accounts share.

import { request } from "node:http";
import { compile } from "@stoa/compiler";
import { applyPush, type Database, hashSecret, planPush } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { testDatabase } from "../../database/test/server.js";
import {
  type Application,
  type AuthOptions,
  createApplication,
  createLog,
  type ListeningServer,
} from "../src/index.js";
import { watch } from "./conformance/watch.js";

export const PASSWORD = "correct horse battery";

export const SOURCE = `
auth {
  model User
  password { identify email, secret password }
}

model User {
  field email { type string, unique }
  field password { type string, secret, validate { minLength(10) } }
  field pin { type string, secret, nullable }
  field name { type string, default "nobody" }
  field balance { type decimal, default 1.50 }
  field joinedAt { type datetime, default now() }
  reference friend { to User, nullable }
}

model Note {
  field text { type string }
  reference owner { to User, on delete cascade }
}

api {
  entrypoint User as user {
    response { id, email, name }
    list endpoint { authorize { true } }
    create endpoint { authorize { true } }
    get endpoint { authorize { user is @auth } }
    update endpoint { authorize { user is @auth } }
    delete endpoint { authorize { user is @auth } }
  }
  entrypoint Note as note {
    list endpoint { authorize { true } }
    get endpoint { authorize { note.owner is @auth } }
    create endpoint {
      authorize { @auth is not null }
      action { create { set owner @auth } }
    }
  }
}
`;

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly body: any;
}

export interface Sending {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly userId?: string;
  readonly remoteAddress?: string;
}

export interface AuthSite {
  readonly application: Application;
  readonly definition: Definition;
  readonly database: Database;
  readonly server: ListeningServer;
  readonly statements: string[];
  roundTrips(): number;
  readonly logged: () => string;
  /** `GET /api/note`, within the process. */
  send(line: string, sending?: Sending): Promise<Answer>;
  /** The same through a socket. */
  sendToPort(line: string, sending?: Sending): Promise<Answer>;
  addUser(email: string, password?: string): Promise<number>;
  login(email: string, password?: string): Promise<string>;
  close(): Promise<void>;
}

export function compileAuth(source: string): Definition {
  const { definition, diagnostics } = compile([{ name: "auth.stoa", text: source }]);
  if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return definition;
}

export async function openAuth(auth: AuthOptions = {}, source = SOURCE): Promise<AuthSite> {
  const definition = compileAuth(source);
  const { database: real, drop } = await testDatabase();
  await applyPush(real, await planPush(real, definition), {});
  const { database, statements, roundTrips } = watch(real);
  const lines: string[] = [];
  const log = createLog({ level: "debug", destination: { write: (line: string) => lines.push(line) } });
  const application = createApplication({ definition, database, log, auth });
  const server = await application.listen({ port: 0, host: "127.0.0.1" });
  const send = (line: string, sending?: Sending) => sendWithin(application, line, sending);
  return {
    ...{ application, definition, database: real, server, statements, roundTrips, send },
    logged: () => {
      log.flush();
      return lines.join("");
    },
    sendToPort: (line, sending) => sendOver(server, line, sending),
    addUser: (email, password = PASSWORD) => addUser(real, email, password),
    login: async (email, password = PASSWORD) =>
      (await send("POST /api/auth/login", { body: { email, password } })).body.token,
    close: async () => {
      await server.close();
      await drop();
    },
  };
}

const hashes = new Map<string, string>();

async function addUser(database: Database, email: string, password: string): Promise<number> {
  const hash = hashes.get(password) ?? (await hashSecret(password));
  hashes.set(password, hash);
  const [row] = await database.query<{ id: string }>(
    `insert into public."user" (email, password, pin, name, balance, joined_at)
     values ($1, $2, '4711-pin', $3, 1.50, now()) returning id`,
    [email, hash, email.split("@")[0] ?? ""],
  );
  return Number(row?.id);
}

function headersOf({ token, headers, body }: Sending): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
}

function bodyText({ body }: Sending): string | null {
  if (body === undefined) return null;
  return typeof body === "string" ? body : JSON.stringify(body);
}

function answerOf(status: number, headers: ReadonlyMap<string, string>, text: string): Answer {
  return { status, headers, text, body: text === "" ? null : JSON.parse(text) };
}

async function sendWithin(application: Application, line: string, sending: Sending = {}): Promise<Answer> {
  const [method = "", target = ""] = line.split(" ");
  const init = { method, headers: headersOf(sending), body: bodyText(sending) };
  const { userId = null, remoteAddress = null } = sending;
  const answer = await application.fetch(new Request(`http://stoa.test${target}`, init), {
    userId,
    remoteAddress,
  });
  return answerOf(answer.status, new Map(answer.headers), await answer.text());
}

function sendOver({ port, host }: ListeningServer, line: string, sending: Sending = {}): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  return new Promise((resolve, reject) => {
    const sent = request({ port, host, method, path, headers: headersOf(sending) }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
        resolve(answerOf(answer.statusCode ?? 0, new Map(pairs), Buffer.concat(chunks).toString()));
      });
    });
    sent.on("error", reject);
    sent.end(bodyText(sending));
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
