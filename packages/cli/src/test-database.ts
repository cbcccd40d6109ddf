// Databases of tests: one is made and filled, and tests work on copies of it. A copy brings everything back, counters of
// ids and sessions too, and does not hash passwords again. They live on a server that is gone with the process, and
// that all tests of a process share.

import { randomUUID } from "node:crypto";
import { connect, createDatabase, type Database, dropDatabase, startThrowaway } from "@stoa/database";

export interface TestDatabases {
  /** A new copy. From the second one on there is one ready. */
  copy(): Promise<TestDatabase>;
  /** Drops all of them, and lets go of the server. */
  close(): Promise<void>;
}

export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** Closes its connections. Nobody waits until it is gone. */
  leave(): void;
}

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** `fill` makes the tables and whatever data there is to be. */
export async function makeTestDatabases(
  serverUrl: string | undefined,
  fill: (database: Database) => Promise<void>,
): Promise<TestDatabases> {
  const server = serverUrl === undefined ? await borrowServer() : { url: serverUrl, stop: async () => {} };
  const original = `stoa_test_${randomUUID().replaceAll("-", "")}`;
  try {
    await using(await createDatabase(server.url, original), fill);
    return copiesOf(original, server);
  } catch (error) {
    await dropDatabase(server.url, original).catch(() => {});
    await server.stop();
    throw error;
  }
}

function copiesOf(original: string, server: Server): TestDatabases {
  let count = 0;
  let ahead: Promise<TestDatabase> | undefined;
  const leaving: Promise<void>[] = [];
  const make = async (): Promise<TestDatabase> => {
    count += 1;
    const name = `${original}_${count}`;
    const url = await createDatabase(server.url, name, original);
    const database = connect({ url });
    const drop = () => database.close().then(() => dropDatabase(server.url, name));
    return { url, database, leave: () => leaving.push(heard(drop())) };
  };
  return {
    async copy() {
      const isFirst = count === 0;
      const copy = await (ahead ?? make());
      // A test that never goes back to the start needs one copy only.
      ahead = isFirst ? undefined : heard(make());
      return copy;
    },
    async close() {
      const unused = await ahead?.catch(() => undefined);
      unused?.leave();
      try {
        await Promise.all(leaving);
        await dropDatabase(server.url, original);
      } finally {
        await server.stop();
      }
    },
  };
}

/** What fails before anybody waits for it is told to whoever does so later. */
function heard<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

async function using(url: string, work: (database: Database) => Promise<void>): Promise<void> {
  const database = connect({ url });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

let shared: Promise<Server> | undefined;
let borrowers = 0;

/** Who lets go of it last, stops it. */
async function borrowServer(): Promise<Server> {
  borrowers += 1;
  shared ??= startThrowaway();
  const mine = shared;
  const giveBack = () => {
    borrowers -= 1;
    if (borrowers === 0) shared = undefined;
    return borrowers === 0;
  };
  try {
    const { url, stop } = await mine;
    return { url, stop: async () => (giveBack() ? stop() : undefined) };
  } catch (error) {
    giveBack();
    throw error;
  }
}
