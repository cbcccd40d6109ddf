// What `stoa dev` has to know beside the sources: the configuration of the project, which can be read anew.

import type { LogLevel } from "@stoa/runtime";
import { type Configuration, readConfiguration } from "../config/configuration.js";
import { EMBEDDED } from "../config/value.js";

/** Flags that are no settings; the others are the configuration's. */
export interface DevFlags {
  readonly acceptDataLoss?: boolean;
  readonly poll?: boolean;
}

export interface DevSettings {
  readonly configuration: Configuration;
  readonly port: number;
  /** Whether someone has asked for this very port; otherwise a neighbour does as well. */
  readonly isPortChosen: boolean;
  readonly host: string;
  /** The embedded database if absent. */
  readonly databaseUrl: string | undefined;
  /** Who fills an empty database; if absent, `Dev` where there is one. */
  readonly populator: string | undefined;
  readonly opensBrowser: boolean;
  /** Unless somebody does not want them. */
  readonly hasDocs: boolean;
  readonly logLevel: LogLevel;
}

/** The environment as it was given to the process: what `.env` has added must not hide what it adds the next time. */
const given = { ...process.env };
let added: readonly string[] = [];

/** Throws a failure where something cannot be used. The environment then has what `.env` adds to it. */
export async function readSettings(root: string, flags: DevFlags): Promise<DevSettings> {
  const configuration = await readConfiguration(root, { command: "dev", flags, env: given });
  const { settings, origins } = configuration;
  extendEnvironment(configuration.dotenv);
  const url = settings["database.url"];
  return {
    configuration,
    port: settings.port,
    isPortChosen: origins.port.kind !== "default",
    host: settings.host,
    databaseUrl: url === EMBEDDED ? undefined : url,
    populator: settings["dev.populator"],
    opensBrowser: settings["dev.open"],
    hasDocs: settings.docs ?? true,
    logLevel: settings.logLevel,
  };
}

/** Hooks and populators read it there. */
function extendEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const name of added) delete process.env[name];
  Object.assign(process.env, variables);
  added = Object.keys(variables);
}
