// The program of a case file, served: compiled, its tables made and filled, and reachable in two ways.

import { request } from "node:http";
import { compile } from "@stoa/compiler";
import { applyPush, type Database, planPush, quoteLiteral, quoteName } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { writeOpenApi } from "@stoa/generators";
import { testDatabase } from "../../../database/test/server.js";
import { openContract } from "../../../generators/test/contract.js";
import {
  type Application,
  type ApplicationOptions,
  createApplication,
  createHooks,
  createLog,
  type ListeningServer,
} from "../../src/index.js";
import * as hooks from "./hooks.js";
import type { Case, CaseFile, Header, Setup } from "./notation.js";
import { watch } from "./watch.js";

export interface Site {
  /** What the application logged, and what it asked of the database, since `forget`. */
  readonly logged: string[];
  readonly statements: string[];
  /** How often the application has waited for the database so far. */
  roundTrips(): number;
  readonly definition: Definition;
  /** The same database, unwatched. */
  readonly database: Database;
  /** Without a socket, and through one. */
  send(question: Question): Promise<RawAnswer>;
  sendToPort(question: Question): Promise<RawAnswer>;
  close(): Promise<void>;
}

export type Question = Pick<Case, "method" | "target" | "headers" | "userId"> & { readonly body?: string };

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export async function openSite(
  file: Pick<CaseFile, "source" | "setup">,
  options: Pick<ApplicationOptions, "planning"> = {},
): Promise<Site> {
  // On the server that is given, in databases that are made for the test and dropped after it.
  if (process.env.DATABASE_URL) process.env.DATABASE_URL_TEST ??= process.env.DATABASE_URL;
  const definition = compileSource(file.source);
  const { database: real, drop } = await testDatabase();
  await applyPush(real, await planPush(real, definition), {});
  await fill(real, file.setup);
  const { database, statements, roundTrips } = watch(real);
  const logged: string[] = [];
  const log = createLog({ level: "warn", destination: { write: (line: string) => logged.push(line) } });
  const application = createApplication({
    ...{ definition, database, log, hooks: hooksOf(definition) },
    ...options,
  });
  const server = await application.listen({ port: 0, host: "127.0.0.1" });
  const asDescribed = describedBy(definition);
  return {
    logged,
    statements,
    roundTrips,
    definition,
    database: real,
    send: (question) => asDescribed(question, sendWithin(application, question)),
    sendToPort: (question) => asDescribed(question, sendOver(server, question)),
    close: async () => {
      await server.close();
      await drop();
    },
  };
}

/** Every answer that any case gets has to be one of those that the application's document describes. */
function describedBy(definition: Definition) {
  const contract = openContract(writeOpenApi(definition));
  return async ({ method, target }: Question, asked: Promise<RawAnswer>): Promise<RawAnswer> => {
    const answer = await asked;
    const complaints = contract.complaintsOf({ method, target, ...answer });
    if (complaints.length > 0) throw new Error(`Not as the document says:\n${complaints.join("\n")}`);
    return answer;
  };
}

/** The code of the cases is in one module. */
function hooksOf(definition: Definition) {
  const named = Object.entries(hooks).map(([name, code]) => [`hooks.ts#${name}`, code]);
  return createHooks(definition, { hooks: Object.fromEntries(named) });
}

function compileSource(source: string): Definition {
  const { definition, diagnostics } = compile([{ name: "case.stoa", text: source }]);
  if (definition !== undefined) return definition;
  const lines = source.slice(0, diagnostics[0]?.span.start ?? 0).split("\n");
  throw new Error(`Line ${lines.length}: ${diagnostics.map(({ message }) => message).join("\n")}`);
}

/** In one go; a column that is not mentioned gets its default, or null. */
async function fill(database: Database, setup: readonly Setup[]): Promise<void> {
  const statements = fillings(setup);
  if (statements.length > 0) await database.execute(statements.join(";\n"));
}

export function fillings(setup: readonly Setup[]): string[] {
  return setup.map((each) => (each.kind === "sql" ? each.sql : insertOf(each)));
}

function insertOf({ table, values }: Extract<Setup, { kind: "row" }>): string {
  const target = `public.${quoteName(table)}`;
  const columns = Object.keys(values).map(quoteName).join(", ");
  const json = quoteLiteral(JSON.stringify(values));
  return `insert into ${target} (${columns}) overriding system value
    select ${columns} from json_populate_record(null::${target}, ${json})`;
}

async function sendWithin(
  application: Application,
  { method, target, headers, userId, body: content }: Question,
): Promise<RawAnswer> {
  const init = {
    method,
    headers: headers.map(pairOf),
    body: content === undefined ? null : Buffer.from(content),
  };
  const question = new Request(`http://stoa.test${target}`, init);
  const answer = await application.fetch(question, { userId });
  const body = Buffer.from(await answer.arrayBuffer()).toString();
  return { status: answer.status, headers: new Map(answer.headers), body };
}

function pairOf([name, value]: Header): [string, string] {
  return [name, value];
}

function sendOver(
  { port, host }: ListeningServer,
  { method, target, headers, body: content }: Question,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    // Node does not say by itself how long the body of a DELETE is.
    const length = content === undefined ? {} : { "Content-Length": String(Buffer.byteLength(content)) };
    const options = {
      port,
      host,
      method,
      path: target,
      headers: { ...Object.fromEntries(headers), ...length },
    };
    const sent = request(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
        const body = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, headers: new Map(pairs), body });
      });
    });
    sent.on("error", reject);
    sent.end(content);
  });
}
