// The server that may already run on a data folder: PostgreSQL's own record of it (`postmaster.pid`), whether
// the record is true, and how to get rid of a server that nobody owns any more.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "./failure.js";
import { parseIdentity } from "./lock.js";
import { notOurs, stillRunning } from "./messages.js";
import { isAlive, type ProcessIdentity, readCommand, signal } from "./processes.js";

/** No system gives out a number so high. */
const NO_PROCESS = 2_147_483_646;
const GRACE_MS = 1000;
const FAST_MS = 15_000;
const IMMEDIATE_MS = 20_000;
const GIVE_UP_MS = 30_000;

export interface PidFile {
  readonly pid: number;
  readonly socketDir: string;
  readonly port: number;
  readonly status: string;
}

export function readPidFile(dataDir: string): PidFile | undefined {
  let text: string;
  try {
    text = readFileSync(join(dataDir, "postmaster.pid"), "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return undefined;
    throw notOurs(dataDir, error);
  }
  const lines = text.split("\n").map((line) => line.trim());
  return {
    pid: Math.abs(Number(lines[0] ?? 0)),
    port: Number(lines[3] ?? 0),
    socketDir: lines[4] ?? "",
    status: lines[7] ?? "",
  };
}

/** The setting by which a server says whose it is; anyone who can see its command line can read it. */
export function ownerSetting({ pid, begin }: ProcessIdentity): Record<string, string> {
  return { "stoa.owner": `${pid} ${begin}` };
}

/** Whether a process is the server of this folder, and whether its owner still lives. */
export function inspect(
  pid: number,
  dataDir: string,
): { readonly isServer: boolean; readonly hasOwner: boolean } {
  if (process.platform === "win32") {
    // Nothing tells us more there (untested): whatever runs under the number counts as a server in use.
    const isServer = isAlive({ pid, begin: "" });
    return { isServer, hasOwner: isServer };
  }
  const command = readCommand(pid);
  if (!command.includes("postgres") || !command.includes(dataDir))
    return { isServer: false, hasOwner: false };
  const owner = /stoa\.owner=([\d ]+)/.exec(command)?.[1];
  return { isServer: true, hasOwner: owner !== undefined && isAlive(parseIdentity(owner)) };
}

/**
 * Makes way for a new server, or finds that there is one to use. A server whose owner lives is never touched:
 * it may be on its way down, or too busy to answer at once. One without an owner is about to be stopped by
 * its supervisor, which gets a moment for that; if it has lost that too, it is stopped here.
 */
export async function clearAway<Found>(
  dataDir: string,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const startedAt = performance.now();
  for (let sent = ""; ; ) {
    const file = readPidFile(dataDir);
    if (file === undefined) return undefined;
    const waitedMs = performance.now() - startedAt;
    const { isServer, hasOwner } = inspect(file.pid, dataDir);
    // Without a number it may be one that is just being written.
    const isUnknown = !(file.pid > 0) && waitedMs < GRACE_MS;
    if (!isServer && !isUnknown) {
      disarm(dataDir, file);
      return undefined;
    }
    const found = hasOwner ? await find() : undefined;
    if (found !== undefined) return found;
    const due = hasOwner || isUnknown ? "" : signalAfter(waitedMs);
    if (due !== sent && due !== "") signal(file.pid, due);
    sent = due;
    if (waitedMs > GIVE_UP_MS) throw stillRunning(dataDir, file.pid);
    await sleep(10);
  }
}

/** First the polite way, then one that costs a recovery at the next start, then the one that always works. */
function signalAfter(waitedMs: number): NodeJS.Signals | "" {
  if (waitedMs < GRACE_MS) return "";
  if (waitedMs < FAST_MS) return "SIGINT";
  return waitedMs < IMMEDIATE_MS ? "SIGQUIT" : "SIGKILL";
}

/**
 * A record whose process is gone is left to PostgreSQL, which checks by it that no old backend still has the
 * memory of the dead server. But PostgreSQL believes any process of that number to be a server, a zombie or
 * a stranger as well; so the number, and only that, is replaced by one that no process has. A record that was
 * never written to the end says nothing, and PostgreSQL would not start with it.
 */
function disarm(dataDir: string, { pid }: PidFile): void {
  const path = join(dataDir, "postmaster.pid");
  if (!(pid > 0)) rmSync(path, { force: true });
  else if (pid !== NO_PROCESS) {
    writeFileSync(path, readFileSync(path, "utf8").replace(/^[^\n]*/, String(NO_PROCESS)));
  }
}
