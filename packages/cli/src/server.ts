// `stoa/server`: a built application within somebody else's program, beside Express, Fastify or whatever else is there.

import { createLog } from "@stoa/runtime";
import { readBuilt } from "./built.js";
import { readConfiguration } from "./config/configuration.js";
import { openDatabase } from "./database.js";
import { inPlainWords } from "./failure.js";
import { loadHookBundle } from "./hook-bundle.js";
import { projectRoot } from "./project-root.js";
import type { LoadedApplication, LoadOptions } from "./public-types.js";
import { applicationOf } from "./serving.js";

export type {
  Caller,
  FastifyHost,
  FastifyRoute,
  ListenAt,
  ListeningServer,
  LoadedApplication,
  LoadOptions,
  LogLevel,
} from "./public-types.js";

/** What `stoa build` has written for the project in this folder, ready to answer. */
export async function loadApplication(dir = ".", options: LoadOptions = {}): Promise<LoadedApplication> {
  try {
    return await load(dir, options);
  } catch (error) {
    throw inPlainWords(error);
  }
}

async function load(dir: string, options: LoadOptions): Promise<LoadedApplication> {
  const configuration = await readConfiguration(projectRoot(dir), {
    command: "start",
    flags: asFlags(options),
  });
  const { settings } = configuration;
  const { folder, definition } = readBuilt(dir, settings.buildFolder);
  const bundle = await loadHookBundle(folder, definition);
  const log = createLog({ level: settings.logLevel, destination: process.stdout });
  const { database, close } = await openDatabase(configuration);
  try {
    const application = applicationOf({ configuration, definition, bundle, database, log });
    const { listener, fetch, fastify } = application;
    return {
      listener,
      fetch,
      fastify,
      listen: ({ port = 0, host = "127.0.0.1" } = {}) => application.listen({ port, host }),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The options have the names of the flags of `stoa start`, and win as those do. */
function asFlags({ build, databaseUrl, logLevel, docs, trustProxy }: LoadOptions): object {
  return { build, databaseUrl, logLevel, docs, trustProxy };
}
