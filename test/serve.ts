// A program on a database of its own, reachable through a port, for tests that come in from outside.

import { applyPush, type Database, planPush } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { type ApplicationOptions, createApplication, createHooks } from "@stoa/runtime";
import { testDatabase } from "../packages/database/test/server.js";

export interface Served {
  readonly url: string;
  readonly database: Database;
  close(): Promise<void>;
}

type Options = Partial<Omit<ApplicationOptions, "definition" | "database" | "hooks">>;

export async function serve(definition: Definition, options: Options = {}): Promise<Served> {
  const { database, drop } = await testDatabase();
  await applyPush(database, await planPush(database, definition), {});
  // Modules that do not exist: hooks of the samples answer with what they were asked.
  const anything = new Proxy(
    {},
    {
      getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true }),
      get: () => (args: unknown) => args,
    },
  );
  const hooks = createHooks(definition, { hooks: anything });
  const application = createApplication({ definition, database, hooks, ...options });
  const server = await application.listen({ port: 0, host: "127.0.0.1" });
  const close = async (): Promise<void> => {
    await server.close();
    await drop();
  };
  return { url: server.url, database, close };
}
