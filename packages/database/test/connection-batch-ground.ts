// What tests of batches share: short ways to write statements down and to read what came of them.

import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import {
  type BatchOutcome,
  type BatchStatement,
  type ConnectOptions,
  connect,
  type Database,
} from "../src/index.js";
import { type ServerProxy, startProxy } from "./connection-proxy.js";
import { testDatabase } from "./server.js";

export const INSERT = "insert into item (id, name) values ($1::int, $2) returning id::text";
export const COUNT = "select count(*)::text from item";

export function step(sql: string, ...parameters: (string | null)[]): BatchStatement {
  return { sql, parameters };
}

export function textsOf({ rows }: BatchOutcome): string[][] {
  return rows.map((each) => each.map((row) => Buffer.from(row).toString()));
}

/** The rows of a batch that must not fail. */
export async function textsFrom(answer: Promise<BatchOutcome>): Promise<string[][]> {
  const outcome = await answer;
  expect(outcome.failure).toBe(null);
  return textsOf(outcome);
}

/** The messages that clients have sent since the last time, a text of letters per piece in which they came. */
export function takeTypes(proxy: ServerProxy): string[] {
  return proxy.sent.splice(0).map(typesOf);
}

function typesOf(sent: Buffer): string {
  let types = "";
  for (let at = 0; at < sent.length; at += 1 + sent.readInt32BE(at + 1)) {
    types += String.fromCharCode(sent[at] as number);
  }
  return types;
}

export async function eventually(check: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 5000;
  while (!(await check())) {
    if (performance.now() > end) throw new Error("it did not come to that within five seconds");
    await pause(20);
  }
}

export interface BatchGround {
  /** Connections beside the ones under test. */
  readonly watcher: Database;
  /** With one connection in its pool, so that one that is lost or in a bad state is missed. */
  connectNarrow(options?: ConnectOptions): Database;
  /** Connected, so that what is sent from now on is only what the test sends. */
  behindProxy(): Promise<{ readonly database: Database; readonly proxy: ServerProxy }>;
  idsKept(): Promise<unknown[]>;
}

/** A database with an empty table `item` for each test of a file. */
export function prepareGround(): BatchGround {
  const opened: { close(): Promise<void> }[] = [];
  let watcher: Database;
  let url: string;
  beforeAll(async () => {
    ({ database: watcher, url } = await testDatabase());
    await watcher.execute(`
      create table item (id int primary key, name text, after_id int references item deferrable initially deferred);
      create table changing (id int);
      create sequence attempt;
    `);
  });
  beforeEach(() => watcher.execute("truncate item; alter sequence attempt restart"));
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });
  const connectNarrow = (options: ConnectOptions = {}) => {
    const database = connect({ url, poolSize: 1, ...options });
    opened.push(database);
    return database;
  };
  return {
    get watcher() {
      return watcher;
    },
    connectNarrow,
    behindProxy: async () => {
      const proxy = await startProxy(url);
      const database = connectNarrow({ url: proxy.url });
      opened.push(proxy);
      await database.query("select 1");
      proxy.sent.length = 0;
      return { database, proxy };
    },
    idsKept: async () => (await watcher.query("select id from item order by id")).map((row) => row.id),
  };
}
