// One running PostgreSQL on a data folder: how it is started, and how one knows that it is ready.

import { closeSync, existsSync, fchownSync, fstatSync, openSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.js";
import type { Binaries } from "./binaries.js";
import { readPidFile } from "./postmaster.js";
import { isAt, type Reach, reachSettings } from "./reach.js";
import { type Supervisor, supervise } from "./supervisor.js";

export interface ServerPlan {
  readonly binaries: Binaries;
  readonly account: Account;
  readonly dataDir: string;
  readonly reach: Reach;
  readonly logPath: string;
  readonly settings: Readonly<Record<string, string>>;
  /** How it is stopped: `INT` is quick and proper, `QUIT` is for data that nobody needs any more. */
  readonly signal: "INT" | "QUIT";
  /** A folder that is made before the server starts. */
  readonly make?: string;
  readonly copy?: { readonly from: string; readonly to: string };
  /** A folder that goes when the server has ended. */
  readonly remove: string;
}

// I/O without worker processes is quicker to start.
const COMMON_SETTINGS: Readonly<Record<string, string>> = {
  io_method: "sync",
  shared_buffers: "64MB",
  timezone: "UTC",
  log_timezone: "UTC",
  jit: "off",
};

/** Memory that processes share, where the system offers it; otherwise files, as the data folder says. */
const MEMORY: Readonly<Record<string, string>> =
  process.platform === "darwin" || existsSync("/dev/shm") ? { dynamic_shared_memory_type: "posix" } : {};

/** PostgreSQL ended before it was ready; its log says why. */
export class StartFailure extends Error {
  readonly log: string;

  constructor(log: string) {
    super("PostgreSQL did not start");
    this.log = log;
  }
}

export interface ServerProcess {
  readonly supervisor: Supervisor;
  readonly pid: number;
}

/** Starts the server and waits until it takes connections. */
export async function startProcess(plan: ServerPlan): Promise<ServerProcess> {
  const log = openSync(plan.logPath, "w+", 0o600);
  try {
    // So that the account can start the server by itself the next time.
    if (plan.account.switch.uid !== undefined) fchownSync(log, plan.account.uid, plan.account.gid);
    const supervisor = supervise({
      command: plan.binaries.postgres,
      args: ["-D", plan.dataDir, ...settingsOf(plan)],
      ...{ signal: plan.signal, account: plan.account, remove: plan.remove, log },
      ...(plan.make === undefined ? {} : { make: plan.make }),
      ...(plan.copy === undefined ? {} : { copy: plan.copy }),
    });
    const pid = await waitUntilReady(plan, supervisor);
    if (pid === undefined) throw new StartFailure(readLog(log));
    return { supervisor, pid };
  } finally {
    closeSync(log);
  }
}

/** From the open file, whose folder may be gone by now, and from its start: the server has moved the position. */
function readLog(log: number): string {
  const content = Buffer.alloc(fstatSync(log).size);
  readSync(log, content, 0, content.length, 0);
  return content.toString("utf8");
}

function settingsOf({ reach, settings }: ServerPlan): readonly string[] {
  const all = { ...COMMON_SETTINGS, ...MEMORY, ...reachSettings(reach), ...settings };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** The process id, or undefined when the server ended instead. */
async function waitUntilReady(plan: ServerPlan, supervisor: Supervisor): Promise<number | undefined> {
  let hasEnded = false;
  const onEnd = () => {
    hasEnded = true;
  };
  supervisor.ended.then(onEnd, onEnd);
  for (;;) {
    const file = readPidFile(plan.dataDir);
    if (file?.status === "ready" && isAt(file, plan.reach)) return file.pid;
    if (hasEnded) return undefined;
    await sleep(5);
  }
}
