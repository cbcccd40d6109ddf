// Makes a new data folder with initdb. Strings compare by code point (the builtin locale C.UTF-8), the same
// on every machine.

import { spawn } from "node:child_process";
import { chownSync, mkdirSync } from "node:fs";
import type { Account } from "./account.js";
import type { Binaries } from "./binaries.js";
import { accessArguments, USER } from "./reach.js";
import { supervise } from "./supervisor.js";

export interface Initialisation {
  readonly binaries: Binaries;
  readonly account: Account;
  readonly dataDir: string;
  readonly passwordPath: string;
}

export interface InitialisationResult {
  readonly isOk: boolean;
  readonly output: string;
}

/** What it makes is complete, but perhaps not yet on the disk; see `syncToDisk`. */
export async function initialise({
  binaries,
  account,
  dataDir,
  passwordPath,
}: Initialisation): Promise<InitialisationResult> {
  mkdirSync(dataDir, { mode: 0o700 });
  if (account.switch.uid !== undefined) chownSync(dataDir, account.uid, account.gid);
  const { code, output } = await supervise({
    command: binaries.initdb,
    args: [
      ...["--pgdata", dataDir, "--username", USER],
      ...accessArguments(passwordPath),
      ...["--encoding", "UTF8", "--locale", "C"],
      ...["--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"],
      ...["--no-instructions", "--no-sync"],
      // Shared memory as files of the folder: killed in the middle, it leaves none behind elsewhere.
      ...["--set", "dynamic_shared_memory_type=mmap"],
    ],
    signal: "TERM",
    account,
  }).ended;
  return { isOk: code === 0, output: output || `initdb ended with ${code}` };
}

/**
 * Writes a new data folder out to the disk, beside everything else and even beyond our own end: it takes
 * seconds on a busy disk, and matters only if the power fails. Later writes are PostgreSQL's own care.
 */
export function syncToDisk({ binaries, account }: Initialisation, dataDir: string): void {
  const child = spawn(binaries.initdb, ["--sync-only", "--pgdata", dataDir], {
    ...account.switch,
    ...{ cwd: "/", detached: true, stdio: "ignore" },
  });
  child.on("error", () => {});
  child.unref();
}
