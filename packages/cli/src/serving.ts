// A definition, a database and hooks become an application, as `stoa start` and the functions of the package serve it.

import type { Database } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { type Application, createApplication, createHooks, type HookBundle, type Log } from "@stoa/runtime";
import { applicationSettings } from "./application-settings.js";
import type { Configuration } from "./config/configuration.js";
import { aboutProject } from "./generated.js";

export interface ServingOptions {
  readonly configuration: Configuration;
  readonly definition: Definition;
  readonly bundle: HookBundle;
  readonly database: Database;
  readonly log: Log;
}

export function applicationOf(options: ServingOptions): Application {
  const { configuration, definition, bundle, database, log } = options;
  const { root, settings } = configuration;
  // Whoever starts it decides; otherwise a program that asks for the page gets it.
  const isDocumented = settings.docs ?? definition.generators.some(({ kind }) => kind === "apidocs");
  return createApplication({
    definition,
    database,
    hooks: createHooks(definition, bundle),
    log,
    ...applicationSettings(configuration),
    ...(isDocumented ? { documentation: aboutProject(root) } : {}),
  });
}
