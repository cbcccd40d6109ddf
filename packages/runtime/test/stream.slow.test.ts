// A plain list of a million records: it is streamed, so the memory of the server stays flat while a client reads as
// slowly as it likes; the database waits for the client, and is told when the client is gone.

import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compile } from "@stoa/compiler";
import { applyPush, planPush } from "@stoa/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../database/test/server.js";
import { type Application, createApplication, type ListeningServer } from "../src/index.js";

const ROWS = 1_000_000;
const POOL_SIZE = 4;
/** The list has more than a hundred: whoever buffers it cannot stay below. */
const MOST_GROWTH_MB = 40;

const SOURCE = `
model Record { field text { type string } field number { type integer } }
api { entrypoint Record { list endpoint {} } }
`;

let given: TestDatabase;
let application: Application;
let server: ListeningServer;

beforeAll(async () => {
  const { definition } = compile([{ name: "stream.stoa", text: SOURCE }]);
  if (definition === undefined) throw new Error("The program does not compile.");
  given = await testDatabase({ poolSize: POOL_SIZE });
  await applyPush(given.database, await planPush(given.database, definition), {});
  await given.database.execute(`insert into public.record (text, number)
    select repeat('some text ', 10) || i, i from generate_series(1, ${ROWS}) i; analyze public.record`);
  application = createApplication({ definition, database: given.database });
  server = await application.listen({ port: 0, host: "127.0.0.1" });
}, 300_000);

afterAll(async () => {
  await server?.close({ deadlineMs: 100 });
});

function open(method = "GET"): Promise<{ sent: ClientRequest; answer: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const options = { port: server.port, host: server.host, path: "/api/record", method, agent: false };
    const sent = request(options, (answer) => resolve({ sent, answer }));
    sent.on("error", reject);
    sent.end();
  });
}

/** What is in use after all that is garbage is gone. */
function usedMegabytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
}

interface RunningList {
  readonly [column: string]: unknown;
  readonly wait_event: string | null;
}

/** The lists that the database is working on. */
function runningLists(): Promise<readonly RunningList[]> {
  return given.database.query<RunningList>(`select wait_event from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
    and query like '%row_to_json%'`);
}

async function waitFor(what: string, isSo: (lists: readonly RunningList[]) => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!isSo(await runningLists())) {
    if (Date.now() > deadline)
      throw new Error(`${what} did not happen: ${JSON.stringify(await runningLists())}`);
    await pause(20);
  }
}

const isNone = (lists: readonly RunningList[]): boolean => lists.length === 0;

test("a million records take no more memory than a few", async () => {
  const before = usedMegabytes();
  const { answer } = await open();
  expect(answer.statusCode).toBe(200);
  let [records, bytes, growth, nextLook] = [0, 0, 0, 0];
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 0x7b) records++;
    bytes += chunk.length;
    if (bytes < nextLook) continue;
    // A client that takes its time, so that everything piles up that can.
    await pause(50);
    growth = Math.max(growth, usedMegabytes() - before);
    nextLook = bytes + 10_000_000;
  }
  expect(records).toBe(ROWS);
  expect(bytes).toBeGreaterThan(100_000_000);
  expect(growth).toBeLessThan(MOST_GROWTH_MB);
});

test("the database waits for a client that does not read", async () => {
  const before = usedMegabytes();
  const { sent } = await open();
  await waitFor("that the database waits", ([list]) => list?.wait_event === "ClientWrite");
  await pause(500);
  const [list] = await runningLists();
  expect(list?.wait_event).toBe("ClientWrite");
  expect(usedMegabytes() - before).toBeLessThan(MOST_GROWTH_MB);
  sent.destroy();
  await waitFor("that the list was cancelled", isNone);
});

test("a client that goes away in the middle ends the statement", async () => {
  const { sent, answer } = await open();
  await new Promise((resolve) => answer.once("data", resolve));
  expect(await runningLists()).toHaveLength(1);
  sent.destroy();
  await waitFor("that the list was cancelled", isNone);
});

test("a body that is cancelled within the process ends the statement", async () => {
  const answer = await application.fetch(new Request("http://stoa.test/api/record"));
  const reader = answer.body?.getReader();
  await reader?.read();
  expect(await runningLists()).toHaveLength(1);
  await reader?.cancel();
  await waitFor("that the list was cancelled", isNone);
});

test("HEAD asks, and leaves at once: no connection is kept", async () => {
  for (let index = 0; index < 2 * POOL_SIZE; index++) {
    const { answer } = await open("HEAD");
    expect(answer.statusCode).toBe(200);
    answer.resume();
  }
  await waitFor("that the lists were cancelled", isNone);
  expect(await given.database.query("select 1 as one")).toEqual([{ one: 1 }]);
});

test("clients that go away before the first row leave nothing behind", async () => {
  for (let index = 0; index < 2 * POOL_SIZE; index++) {
    const sent = request({ port: server.port, host: server.host, path: "/api/record", agent: false });
    sent.on("error", () => {});
    sent.end();
    await pause(30);
    sent.destroy();
  }
  await waitFor("that the lists were cancelled", isNone);
  const { sent, answer } = await open();
  expect(answer.statusCode).toBe(200);
  sent.destroy();
  await waitFor("that the list was cancelled", isNone);
});
