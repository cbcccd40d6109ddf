// What `stoa dev` has to know beside the sources. All of it is read here, so that it can be read anew.

import type { LogLevel } from "@stoa/runtime";
import type { DatabaseFlags } from "../database.js";
import { Failure } from "../failure.js";

export interface DevFlags extends DatabaseFlags {
  readonly port?: string;
  readonly host?: string;
  readonly populator?: string;
  readonly logLevel?: LogLevel;
  readonly acceptDataLoss?: boolean;
  readonly poll?: boolean;
  readonly open?: boolean;
}

export interface DevSettings {
  readonly port: number;
  /** Whether someone has asked for this very port; otherwise a neighbour does as well. */
  readonly isPortChosen: boolean;
  readonly host: string;
  /** The embedded database if absent. */
  readonly databaseUrl: string | undefined;
  /** Who fills an empty database; if absent, `Dev` where there is one. */
  readonly populator: string | undefined;
  readonly logLevel: LogLevel;
}

const DEFAULT_PORT = "3000";
const DEFAULT_HOST = "127.0.0.1";

/** Throws a failure where something cannot be used. Flags win over the environment. */
export async function readSettings(_root: string, flags: DevFlags): Promise<DevSettings> {
  const { PORT, HOST, DATABASE_URL } = process.env;
  const port = flags.port ?? (PORT || undefined);
  return {
    port: readPort(port ?? DEFAULT_PORT),
    isPortChosen: port !== undefined,
    host: (flags.host ?? HOST) || DEFAULT_HOST,
    databaseUrl: (flags.databaseUrl ?? DATABASE_URL) || undefined,
    populator: flags.populator,
    logLevel: flags.logLevel ?? "info",
  };
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Failure(`"${text}" is not a port.`, {
    hint: "a port is a whole number from 1 to 65535, from --port or PORT; 0 takes any that is free",
  });
}
