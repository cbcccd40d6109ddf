// A database for tests: one throwaway server per worker, a fresh database per call, everything gone at the
// end. With DATABASE_URL_TEST set, databases are made and dropped on that server instead.

import { randomBytes } from "node:crypto";
import { afterAll } from "vitest";
import {
  connect,
  createDatabase,
  type Database,
  dropDatabase,
  type EmbeddedServer,
  startThrowaway,
} from "../src/index.js";

export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  readonly name: string;
  /** Closes the connections and drops the database. Happens by itself at the end of the file. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** The name of a database to copy instead of an empty one; nobody may be connected to it. */
  readonly template?: string;
  readonly poolSize?: number;
}

let server: Promise<EmbeddedServer> | undefined;
const open = new Set<TestDatabase>();

/** Call inside a test, a hook or at the top of a test file. */
export async function testDatabase({
  template,
  poolSize = 4,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = await testServerUrl();
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = await createDatabase(serverUrl, name, template);
  const database = connect({ url, poolSize });
  const result: TestDatabase = {
    ...{ database, url, name },
    drop: async () => {
      if (!open.delete(result)) return;
      await database.close();
      await dropDatabase(serverUrl, name);
    },
  };
  open.add(result);
  return result;
}

/** The server of this worker, at its maintenance database. */
export async function testServerUrl(): Promise<string> {
  if (process.env.DATABASE_URL_TEST) return process.env.DATABASE_URL_TEST;
  server ??= startThrowaway();
  return (await server).url;
}

// At the end of each test file. The server ends too: workers are not shared between files, and were this
// process to crash before, the server would end with it.
afterAll(async () => {
  for (const each of [...open]) await each.drop();
  const started = server;
  server = undefined;
  await (await started)?.stop();
});
