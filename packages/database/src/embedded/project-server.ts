// The server of a project: attach to the one that runs, or start it. Who starts it owns it, and it ends with
// its owner; those who attached then get `unavailable`, and the first to ask again becomes the owner.

import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../connection/connect.js";
import { DatabaseError } from "../connection/database.js";
import { type Binaries, findBinaries } from "./binaries.js";
import { systemCode } from "./failure.js";
import { chooseHome, type Home, hasData } from "./home.js";
import { initialise, syncToDisk } from "./initialise.js";
import { withLock } from "./lock.js";
import { cannotWrite, processFailed } from "./messages.js";
import { type OwnedServer, stopAtExit } from "./owner.js";
import { clearAway, inspect, ownerSetting, readPidFile } from "./postmaster.js";
import { makePrivateFolder } from "./private-folder.js";
import { ownIdentity } from "./processes.js";
import { type EmbeddedServer, serverUrl } from "./server.js";
import { PORT, StartFailure, startProcess, USER } from "./server-process.js";

const DATABASE = "stoa";
const SOCKET_PREFIX = "stoa-";
const NOTICEABLE_MS = 1000;
const MOST_STARTS = 40;
const START_PAUSE_MS = 250;

export interface EmbeddedOptions {
  readonly projectDir: string;
  /** Told, in words, of what takes noticeably long. */
  readonly log?: (message: string) => void;
}

export async function startEmbedded({
  projectDir,
  log = () => {},
}: EmbeddedOptions): Promise<EmbeddedServer> {
  const home = chooseHome(projectDir);
  const binaries = findBinaries(home.account);
  hasData(home.dataDir, binaries.majorVersion);
  const running = await attach(home);
  if (running !== undefined) return running;
  const waiting = {
    noticeableMs: NOTICEABLE_MS,
    onWait: () => log("Waiting for another command that is starting the database …"),
  };
  const start = async () => (await attach(home)) ?? (await startOwned(home, binaries, log));
  return withLock(home.lockPath, waiting, start).catch((error: unknown) => {
    const code = systemCode(error);
    const isDisk = code !== undefined && ["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"].includes(code);
    throw isDisk ? cannotWrite(home.folder, error) : error;
  });
}

/** The server that runs and has an owner, when it answers. */
async function attach(home: Home): Promise<EmbeddedServer | undefined> {
  const file = readPidFile(home.dataDir);
  if (file?.status !== "ready" || !inspect(file.pid, home.dataDir).hasOwner) return undefined;
  if (!(await isAnswering(file.socketDir))) return undefined;
  return {
    ...describe(home, file.socketDir),
    isOwner: false,
    stop: async () => {},
  };
}

function describe(home: Home, socketDir: string): Pick<EmbeddedServer, "url" | "dataDir" | "note"> {
  return {
    url: serverUrl({ socketDir, port: PORT, database: DATABASE }),
    dataDir: home.dataDir,
    ...(home.note === undefined ? {} : { note: home.note }),
  };
}

/** Makes our database too where it is missing: the owner may have been killed before it came to that. */
async function isAnswering(socketDir: string): Promise<boolean> {
  try {
    await ask(socketDir, DATABASE, "select 1");
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    // Too many connections: it is there, and busy.
    if (error.sqlState === "53300") return true;
    if (error.sqlState !== "3D000") return false;
  }
  try {
    await ask(socketDir, "postgres", `create database ${DATABASE}`);
  } catch (error) {
    // Two commands may do so at the same time, and one is told that the name is taken.
    if (!(error instanceof DatabaseError) || !["42P04", "23505"].includes(error.sqlState ?? "")) throw error;
  }
  return true;
}

async function ask(socketDir: string, database: string, sql: string): Promise<void> {
  const connection = connect({
    host: socketDir,
    port: PORT,
    user: USER,
    database,
    poolSize: 1,
    connectTimeoutMs: 5000,
  });
  try {
    await connection.execute(sql);
  } finally {
    await connection.close();
  }
}

async function startOwned(
  home: Home,
  binaries: Binaries,
  log: (message: string) => void,
): Promise<EmbeddedServer> {
  const before = readPidFile(home.dataDir);
  await clearAway(home.dataDir);
  removeRemains(home, before?.socketDir ?? "");
  if (!hasData(home.dataDir, binaries.majorVersion)) await initialiseHome(home, binaries);
  const timer = setTimeout(() => log("Waiting for the database to start …"), NOTICEABLE_MS);
  try {
    const server = await startPatiently(home, binaries);
    const stop = stopAtExit(server);
    if (await isAnswering(server.socketDir))
      return { ...describe(home, server.socketDir), isOwner: true, stop };
    await stop();
    throw processFailed("Starting PostgreSQL", home.dataDir, "It does not take connections.");
  } finally {
    clearTimeout(timer);
  }
}

/** What killed commands have left behind. We hold the lock, so none of it is in use. */
function removeRemains(home: Home, socketDir: string): void {
  for (const name of readdirSync(home.folder)) {
    const isRemains = name.startsWith("db.new-") || (name.startsWith("db.lock.") && name !== "db.lock.break");
    if (isRemains) rmSync(join(home.folder, name), { recursive: true, force: true });
  }
  if (basename(socketDir).startsWith(SOCKET_PREFIX)) removeSocketFolder(socketDir);
}

/** Its name comes from a file, so nothing goes but what a server leaves there. */
function removeSocketFolder(folder: string): void {
  for (const name of [`.s.PGSQL.${PORT}`, `.s.PGSQL.${PORT}.lock`])
    rmSync(join(folder, name), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Gone already, or not only ours.
  }
}

/** In a folder beside, renamed when it is complete: a data folder is whole or not there. */
async function initialiseHome(home: Home, binaries: Binaries): Promise<void> {
  const fresh = join(home.folder, `db.new-${process.pid}-${Date.now()}`);
  try {
    const { isOk, output } = await initialise({
      binaries,
      account: home.account,
      dataDir: fresh,
    });
    if (!isOk) throw processFailed("Making a new database (initdb)", home.folder, output);
    // An empty folder may be in the place.
    if (existsSync(home.dataDir)) rmdirSync(home.dataDir);
    renameSync(fresh, home.dataDir);
    syncToDisk({ binaries, account: home.account, dataDir: home.dataDir });
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

/**
 * For a moment after a kill -9 the folder may still be held: by old backends that have not noticed, or by a
 * server that an owner started just before it was killed. Both go away by themselves.
 */
async function startPatiently(home: Home, binaries: Binaries): Promise<OwnedServer> {
  const { account, dataDir, logPath } = home;
  for (let attempt = 1; ; attempt++) {
    const socketDir = makePrivateFolder(SOCKET_PREFIX, account);
    try {
      const settings = ownerSetting(ownIdentity());
      const plan = { binaries, account, dataDir, socketDir, logPath, settings, remove: socketDir };
      return { ...(await startProcess({ ...plan, signal: "INT" })), dataDir, socketDir };
    } catch (error) {
      rmSync(socketDir, { recursive: true, force: true });
      if (!(error instanceof StartFailure)) throw error;
      const isHeld = /lock file ".*" (already exists|is empty)|is still in use/.test(error.log);
      if (!isHeld || attempt >= MOST_STARTS) throw processFailed("Starting PostgreSQL", dataDir, error.log);
      await sleep(START_PAUSE_MS);
      await clearAway(dataDir);
    }
  }
}
