// The database of a project: the one that its configuration names, or the embedded one in its folder.

import { connect, type Database, DatabaseError, EmbeddedError, startEmbedded } from "@stoa/database";
import { type Configuration, inWords } from "./config/configuration.js";
import { EMBEDDED } from "./config/value.js";
import { EXIT, Failure } from "./failure.js";
import { paletteFor, printError } from "./terminal.js";

type DatabaseConfiguration = Pick<Configuration, "root" | "settings" | "origins">;

interface OpenOptions {
  /** How many connections at most, if not as configured; one for what must stay on the same. */
  readonly connections?: number;
}

export interface OpenDatabase {
  readonly database: Database;
  /** For people: `the embedded database`, or where the server is. Never a password. */
  readonly name: string;
  /** Whether it is the embedded one of another command, with which it stops. */
  readonly isBorrowed: boolean;
  close(): Promise<void>;
}

/** Connects to nothing yet, so that the server may be away; the embedded one is started. */
export async function openDatabase(
  configuration: DatabaseConfiguration,
  { connections = configuration.settings["database.connections"] }: OpenOptions = {},
): Promise<OpenDatabase> {
  const url = urlOf(configuration);
  if (url) {
    const database = connectTo(url, { connections, hint: `check ${placeOf(configuration)}` });
    return {
      database,
      name: `PostgreSQL on ${hostOf(url) || "localhost"}`,
      isBorrowed: false,
      close: () => database.close(),
    };
  }
  const server = await startServer(configuration.root);
  const database = connectTo(server.url, { connections, hint: "run the command again" });
  const close = async () => {
    await database.close();
    await server.stop();
  };
  return { database, name: "the embedded database", isBorrowed: !server.isOwner, close };
}

/** Runs `work` with the project's database, and lets go of it whatever happens. */
export async function withDatabase<Result>(
  configuration: DatabaseConfiguration,
  work: (database: Database) => Promise<Result>,
  options: OpenOptions = {},
): Promise<Result> {
  const { database, close } = await openDatabase(configuration, options);
  try {
    return await work(database);
  } catch (error) {
    throw describeFailure(error, configuration);
  } finally {
    await close();
  }
}

/** Undefined for the embedded one. */
function urlOf({ settings }: DatabaseConfiguration): string | undefined {
  const url = settings["database.url"];
  return url === EMBEDDED ? undefined : url;
}

/** Where the URL is to be mended, in words. */
function placeOf({ origins }: DatabaseConfiguration): string {
  const origin = origins["database.url"];
  switch (origin.kind) {
    case "environment":
      return origin.variable;
    case "file":
      return `database.url in ${origin.file}`;
    default:
      return inWords(origin);
  }
}

/** Nothing is connected to here: what fails is the URL. */
function connectTo(
  url: string,
  { connections, hint }: { readonly connections: number; readonly hint: string },
): Database {
  try {
    return connect({ url, poolSize: connections });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new Failure(error.message, { hint });
  }
}

async function startServer(root: string) {
  try {
    const server = await startEmbedded({ projectDir: root, log: printError });
    if (server.note) printError(paletteFor(process.stderr).faint(server.note));
    return server;
  } catch (error) {
    if (!(error instanceof EmbeddedError)) throw error;
    throw new Failure(error.message, {
      hint: error.hint ?? "run the command again, or set DATABASE_URL to a PostgreSQL server",
      exitCode: EXIT.environment,
    });
  }
}

function describeFailure(error: unknown, configuration: DatabaseConfiguration): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const url = urlOf(configuration);
  const isAway = error.kind === "unavailable" || error.kind === "authentication";
  const hint = url
    ? `check ${placeOf(configuration)}, and that the server is running`
    : "run the command again";
  return isAway ? new Failure(error.message, { hint, exitCode: EXIT.environment }) : error;
}

const LOCAL = new Set(["", "localhost", "127.0.0.1", "[::1]", "::1"]);

/** Data is not thrown away where it might be real: on another machine, or where the environment says so. */
export function refuseProduction(
  configuration: DatabaseConfiguration,
  { allowProduction = false }: { readonly allowProduction?: boolean },
): void {
  if (allowProduction) return;
  const reason = productionReason(urlOf(configuration));
  if (!reason) return;
  throw new Failure(`This looks like a production database: ${reason}.`, {
    hint: "if you are sure that its data may be thrown away, add --allow-production",
  });
}

function productionReason(url: string | undefined): string | undefined {
  if (process.env.NODE_ENV === "production") return "NODE_ENV is production";
  if (!url) return undefined;
  const host = hostOf(url);
  return host === undefined || LOCAL.has(host) || host.startsWith("/") ? undefined : `it is on ${host}`;
}

function hostOf(url: string): string | undefined {
  try {
    const parsed = new URL(url);
    return parsed.searchParams.get("host") ?? decodeURIComponent(parsed.hostname);
  } catch {
    return undefined;
  }
}
