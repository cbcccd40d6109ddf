// `stoa start`: serves a built application until it is told to stop.

import {
  type Application,
  checkReady,
  createLog,
  ListenError,
  type ListeningServer,
  type Log,
} from "@stoa/runtime";
import { type BuiltApplication, readBuilt } from "../built.js";
import { type Configuration, readConfiguration, type Settings } from "../config/configuration.js";
import { type OpenDatabase, openDatabase } from "../database.js";
import { EXIT, Failure } from "../failure.js";
import { loadHookBundle, outliveHooks } from "../hook-bundle.js";
import { projectRoot } from "../project-root.js";
import { watchReadiness } from "../readiness.js";
import { applicationOf } from "../serving.js";
import { listenForStop } from "../stop-request.js";
import { paletteFor, plural, printError } from "../terminal.js";

const DATABASE_END_MS = 5_000;

/** All flags are settings. */
export async function start(path: string, flags: object): Promise<number> {
  const startedAt = performance.now();
  const stop = listenForStop();
  try {
    const configuration = await readConfiguration(projectRoot(path), { command: "start", flags });
    const { settings } = configuration;
    const built = readBuilt(path, settings.buildFolder);
    const log = createLog({ level: settings.logLevel, destination: process.stdout });
    const opened = await openDatabase(configuration);
    try {
      const application = await createFor(built, opened, { log, configuration });
      const server = await listen(application, settings);
      tellStart(describeStart({ application, opened, server, startedAt }), log);
      await serveUntil(stop.signal, { server, built, opened, log, settings });
    } finally {
      await closeInTime(opened, log);
    }
    return EXIT.ok;
  } finally {
    stop.forget();
  }
}

async function createFor(
  { folder, definition }: BuiltApplication,
  { database }: OpenDatabase,
  { log, configuration }: { readonly log: Log; readonly configuration: Configuration },
): Promise<Application> {
  const bundle = await loadHookBundle(folder, definition);
  outliveHooks(log);
  return applicationOf({ configuration, definition, bundle, database, log });
}

async function listen(application: Application, { port, host }: Settings): Promise<ListeningServer> {
  try {
    return await application.listen({ port, host });
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    const hint = lowerFirst(error.hint ?? "choose another address");
    throw new Failure(error.message, { hint: `${hint} (--port, --host)`, exitCode: EXIT.environment });
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
  readonly settings: Settings;
}

async function serveUntil(
  stop: Promise<NodeJS.Signals>,
  { server, built, opened, log, settings }: Serving,
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
    await server.close({ deadlineMs: settings.shutdownTimeoutMs });
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
