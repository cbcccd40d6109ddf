// A definition, a database and hooks become an application, as the commands and the functions of the package serve it.

import type { Database } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { type Application, createApplication, createHooks, type HookBundle, type Log } from "@stoa/runtime";
import { aboutProject } from "./generated.js";

export interface ServingOptions {
  readonly root: string;
  readonly definition: Definition;
  readonly bundle: HookBundle;
  readonly database: Database;
  readonly log: Log;
  readonly docs: boolean;
  readonly trustProxy?: boolean;
  readonly requestTimeoutMs?: number;
}

export function applicationOf(options: ServingOptions): Application {
  const { root, definition, bundle, database, log, trustProxy = false, requestTimeoutMs } = options;
  // A program that asks for the page gets it; otherwise whoever starts it decides.
  const isDocumented = options.docs || definition.generators.some(({ kind }) => kind === "apidocs");
  return createApplication({
    definition,
    database,
    hooks: createHooks(definition, bundle),
    log,
    auth: { baseFolder: root, trustProxy },
    ...(isDocumented ? { documentation: aboutProject(root) } : {}),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  });
}
