// The server of a project: attach to the one that runs, or start it. Who starts it owns it, and it ends with
// its owner; those who attached then get `unavailable`, and the first to ask again becomes the owner.

import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
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
import { ownIdentity } from "./processes.js";
import { chooseReach, hasSockets, type Reach, reachOf, removeReach, urlOf } from "./reach.js";
import type { EmbeddedServer } from "./server.js";
import { StartFailure, startProcess } from "./server-process.js";

const DATABASE = "stoa";
const NOTICEABLE_MS = 1000;
const ANSWER_MS = 5000;
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
  return withLock(home.lockPath, waiting, () => start(home, binaries, log)).catch((error: unknown) => {
    const code = systemCode(error);
    const isDisk = code !== undefined && ["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"].includes(code);
    throw isDisk ? cannotWrite(home.folder, error) : error;
  });
}

/** The server that runs and has an owner, when it answers. */
async function attach(home: Home): Promise<EmbeddedServer | undefined> {
  const file = readPidFile(home.dataDir);
  if (file?.status !== "ready" || !inspect(file.pid, home.dataDir).hasOwner) return undefined;
  const reach = reachOf(file, home.passwordPath);
  if (!(await isAnswering(reach))) return undefined;
  return { ...describe(home, reach), isOwner: false, stop: async () => {} };
}

function describe(home: Home, reach: Reach): Pick<EmbeddedServer, "url" | "dataDir" | "note"> {
  return {
    url: urlOf(reach, DATABASE),
    dataDir: home.dataDir,
    ...(home.note === undefined ? {} : { note: home.note }),
  };
}

/** Makes our database too where it is missing: the owner may have been killed before it came to that. */
async function isAnswering(reach: Reach): Promise<boolean> {
  try {
    await ask(urlOf(reach, DATABASE), "select 1");
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    // Too many connections: it is there, and busy.
    if (error.sqlState === "53300") return true;
    if (error.sqlState !== "3D000") return false;
  }
  try {
    await ask(urlOf(reach, "postgres"), `create database ${DATABASE}`);
  } catch (error) {
    // Two commands may do so at the same time, and one is told that the name is taken.
    if (!(error instanceof DatabaseError) || !["42P04", "23505"].includes(error.sqlState ?? "")) throw error;
  }
  return true;
}

async function ask(url: string, sql: string): Promise<void> {
  const database = connect({ url, poolSize: 1, connectTimeoutMs: ANSWER_MS });
  try {
    await database.execute(sql);
  } finally {
    await database.close();
  }
}

/** With the lock held: nobody else starts a server here meanwhile. */
async function start(
  home: Home,
  binaries: Binaries,
  log: (message: string) => void,
): Promise<EmbeddedServer> {
  const timer = setTimeout(() => log("Waiting for the database to start …"), NOTICEABLE_MS);
  try {
    const before = readPidFile(home.dataDir);
    const running = await clearAway(home.dataDir, () => attach(home));
    if (running !== undefined) return running;
    if (before !== undefined) removeReach(reachOf(before, home.passwordPath));
    await removeRemains(home);
    if (!hasData(home.dataDir, binaries.majorVersion)) await initialiseHome(home, binaries);
    return await startOwned(home, binaries);
  } finally {
    clearTimeout(timer);
  }
}

/** What killed commands have left behind. Some of it may still be on its way out, and goes the next time. */
async function removeRemains(home: Home): Promise<void> {
  for (const name of readdirSync(home.folder)) {
    const isRemains = name.startsWith("db.new-") || (name.startsWith("db.lock.") && name !== "db.lock.break");
    if (!isRemains) continue;
    await rm(join(home.folder, name), { recursive: true, force: true, maxRetries: 10 }).catch(() => {});
  }
}

/** In a folder beside, renamed when it is complete: a data folder is whole or not there. */
async function initialiseHome(home: Home, binaries: Binaries): Promise<void> {
  const fresh = join(home.folder, `db.new-${process.pid}-${Date.now()}`);
  const plan = { binaries, account: home.account, dataDir: fresh, passwordPath: home.passwordPath };
  try {
    const { isOk, output } = await initialise(plan);
    if (!isOk) throw processFailed("Making a new database (initdb)", home.folder, output);
    // An empty folder may be in the place.
    if (existsSync(home.dataDir)) rmdirSync(home.dataDir);
    renameSync(fresh, home.dataDir);
    syncToDisk(plan, home.dataDir);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

async function startOwned(home: Home, binaries: Binaries): Promise<EmbeddedServer> {
  const server = await startPatiently(home, binaries);
  const stop = stopAtExit(server);
  if (await isAnswering(server.reach)) return { ...describe(home, server.reach), isOwner: true, stop };
  await stop();
  throw processFailed("Starting PostgreSQL", home.dataDir, "It does not take connections.");
}

/**
 * For a moment after a kill -9 the folder may still be held: by old backends that have not noticed, or by a
 * server that an owner started just before it was killed. Both go away by themselves.
 */
async function startPatiently(home: Home, binaries: Binaries): Promise<OwnedServer> {
  const { account, dataDir, logPath } = home;
  for (let attempt = 1; ; attempt++) {
    const reach = await chooseReach(home.passwordPath);
    const settings = ownerSetting(ownIdentity());
    const folder = hasSockets ? reach.host : "";
    try {
      const plan = { binaries, account, dataDir, reach, logPath, settings, make: folder, remove: folder };
      return { ...(await startProcess({ ...plan, signal: "INT" })), dataDir, reach };
    } catch (error) {
      removeReach(reach);
      if (!(error instanceof StartFailure)) throw error;
      const isHeld = /lock file ".*" (already exists|is empty)|is still in use/.test(error.log);
      if (!isHeld || attempt >= MOST_STARTS) throw processFailed("Starting PostgreSQL", dataDir, error.log);
      await sleep(START_PAUSE_MS);
      await clearAway(dataDir, async () => undefined);
    }
  }
}
