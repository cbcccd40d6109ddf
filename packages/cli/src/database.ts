// The database of a project: the one that DATABASE_URL names, or the embedded one in its folder.

import { connect, type Database, DatabaseError, EmbeddedError, startEmbedded } from "@stoa/database";
import { EXIT, Failure } from "./failure.js";
import { paletteFor, printError } from "./terminal.js";

export interface DatabaseFlags {
  readonly databaseUrl?: string;
}

interface OpenOptions extends DatabaseFlags {
  /** How many connections at most; one for what must stay on the same. */
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
export async function openDatabase(root: string, flags: OpenOptions): Promise<OpenDatabase> {
  const url = urlOf(flags);
  if (url) {
    const database = connectTo(url, flags);
    return {
      database,
      name: `PostgreSQL on ${hostOf(url) || "localhost"}`,
      isBorrowed: false,
      close: () => database.close(),
    };
  }
  const server = await startServer(root);
  const database = connectTo(server.url, flags);
  const close = async () => {
    await database.close();
    await server.stop();
  };
  return { database, name: "the embedded database", isBorrowed: !server.isOwner, close };
}

/** Runs `work` with the project's database, and lets go of it whatever happens. */
export async function withDatabase<Result>(
  root: string,
  flags: OpenOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { database, close } = await openDatabase(root, flags);
  try {
    return await work(database);
  } catch (error) {
    throw describeFailure(error, urlOf(flags));
  } finally {
    await close();
  }
}

function urlOf({ databaseUrl }: DatabaseFlags): string | undefined {
  return databaseUrl ?? process.env.DATABASE_URL;
}

/** Nothing is connected to here: what fails is the URL. */
function connectTo(url: string, { connections }: OpenOptions): Database {
  try {
    return connect({ url, ...(connections === undefined ? {} : { poolSize: connections }) });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new Failure(error.message, { hint: "check DATABASE_URL, or what --database-url says" });
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
      ...(error.hint ? { hint: error.hint } : {}),
      exitCode: EXIT.environment,
    });
  }
}

function describeFailure(error: unknown, url: string | undefined): unknown {
  if (!(error instanceof DatabaseError)) return error;
  const isAway = error.kind === "unavailable" || error.kind === "authentication";
  const hint = url ? "check DATABASE_URL, and that the server is running" : "run the command again";
  return isAway ? new Failure(error.message, { hint, exitCode: EXIT.environment }) : error;
}

const LOCAL = new Set(["", "localhost", "127.0.0.1", "[::1]", "::1"]);

/** Data is not thrown away where it might be real: on another machine, or where the environment says so. */
export function refuseProduction(flags: DatabaseFlags & { readonly allowProduction?: boolean }): void {
  if (flags.allowProduction) return;
  const reason = productionReason(urlOf(flags));
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
