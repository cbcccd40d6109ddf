// `stoa start`: serves a built application until it is told to stop.

import {
  type Application,
  checkReady,
  createLog,
  ListenError,
  type ListeningServer,
  type Log,
  type LogLevel,
} from "@stoa/runtime";
import { type BuiltApplication, readBuilt } from "../built.js";
import { type DatabaseFlags, type OpenDatabase, openDatabase } from "../database.js";
import { EXIT, Failure } from "../failure.js";
import { loadHookBundle, outliveHooks } from "../hook-bundle.js";
import { watchReadiness } from "../readiness.js";
import { applicationOf } from "../serving.js";
import { listenForStop } from "../stop-request.js";
import { paletteFor, plural, printError } from "../terminal.js";

export interface StartFlags extends DatabaseFlags {
  readonly build?: string;
  readonly port?: string;
  readonly host?: string;
  readonly logLevel?: LogLevel;
  readonly docs?: boolean;
}

const DEFAULT_PORT = "3000";
const DEFAULT_HOST = "127.0.0.1";
const REQUESTS_END_MS = 10_000;
const DATABASE_END_MS = 5_000;

export async function start(path: string, flags: StartFlags): Promise<number> {
  const startedAt = performance.now();
  const stop = listenForStop();
  try {
    const address = readAddress(flags);
    const built = readBuilt(path, flags.build);
    const log = createLog({ level: flags.logLevel ?? "info", destination: process.stdout });
    const opened = await openDatabase(built.root, flags);
    try {
      const application = await createFor(built, opened, { log, docs: flags.docs ?? false });
      const server = await listen(application, address);
      tellStart(describeStart({ application, opened, server, startedAt }), log);
      await serveUntil(stop.signal, { server, built, opened, log });
    } finally {
      await closeInTime(opened, log);
    }
    return EXIT.ok;
  } finally {
    stop.forget();
  }
}

async function createFor(
  built: BuiltApplication,
  { database }: OpenDatabase,
  { log, docs }: { readonly log: Log; readonly docs: boolean },
): Promise<Application> {
  const bundle = await loadHookBundle(built.folder, built.definition);
  outliveHooks(log);
  return applicationOf({ ...built, bundle, database, log, docs });
}

/** Flags win over the environment. An empty variable is one that was not set. */
function readAddress({ port, host }: StartFlags): { port: number; host: string } {
  const { PORT, HOST } = process.env;
  return { port: readPort(port ?? (PORT || DEFAULT_PORT)), host: (host ?? HOST) || DEFAULT_HOST };
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Failure(`"${text}" is not a port.`, {
    hint: "a port is a whole number from 1 to 65535, from --port or PORT; 0 takes any that is free",
  });
}

async function listen(
  application: Application,
  address: { readonly port: number; readonly host: string },
): Promise<ListeningServer> {
  try {
    return await application.listen(address);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    const hint = error.hint === undefined ? undefined : `${lowerFirst(error.hint)} (--port, --host)`;
    throw new Failure(error.message, { ...(hint ? { hint } : {}), exitCode: EXIT.environment });
  }
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, "")}`;
}

interface Started {
  readonly application: Application;
  readonly opened: OpenDatabase;
  readonly server: ListeningServer;
  readonly startedAt: number;
}

function describeStart({ application, opened, server, startedAt }: Started) {
  return {
    url: server.url,
    endpoints: application.routes.length,
    database: opened.name,
    isBorrowed: opened.isBorrowed,
    ms: Math.round(performance.now() - startedAt),
  };
}

/** A line for programs in the log; for people one on the terminal, if there is one. */
function tellStart(about: ReturnType<typeof describeStart>, log: Log): void {
  const { url, endpoints, database, isBorrowed, ms } = about;
  log.info("listening", { url, endpoints, database, ms });
  if (isBorrowed) log.warn("the embedded database was started by another command, and stops with it");
  log.flush();
  if (process.stderr.isTTY !== true) return;
  const palette = paletteFor(process.stderr);
  const details = [plural(endpoints, "endpoint"), database, `${ms} ms`].join(" · ");
  printError(`${palette.good("✓")} ${palette.strong(url)} ${palette.faint(`· ${details}`)}`);
}

interface Serving {
  readonly server: ListeningServer;
  readonly built: BuiltApplication;
  readonly opened: OpenDatabase;
  readonly log: Log;
}

async function serveUntil(
  stop: Promise<NodeJS.Signals>,
  { server, built, opened, log }: Serving,
): Promise<void> {
  const watching = new AbortController();
  const check = () => checkReady(opened.database, built.definition);
  const watched = watchReadiness(check, log, watching.signal);
  try {
    // The watch ends by itself, unless there is a bug in it, which then ends all.
    const signal = await Promise.race([stop, watched.then(() => stop)]);
    log.info("stopping", { signal });
  } finally {
    watching.abort();
    await server.close({ deadlineMs: REQUESTS_END_MS });
  }
}

/** A database that does not answer must not keep the process from ending. */
async function closeInTime({ close }: OpenDatabase, log: Log): Promise<void> {
  const timer = setTimeout(() => {
    log.warn("the connections to the database were cut off at the end");
    process.exit();
  }, DATABASE_END_MS);
  await close().finally(() => clearTimeout(timer));
  log.info("stopped");
  log.flush();
}
