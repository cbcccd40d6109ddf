// What the system knows of processes. A process id alone says little: it may be a zombie that nobody has
// collected, or have passed to another process since it was written down.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process id and, where the system tells it, when that process began. Together they are never used again. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly begin: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, begin: readStatus(process.pid)?.begin ?? "" };
}

/** Whether this very process still runs. */
export function isAlive({ pid, begin }: ProcessIdentity): boolean {
  if (!exists(pid)) return false;
  const status = readStatus(pid);
  if (status === undefined) return true;
  return status.state !== "Z" && status.state !== "X" && (begin === "" || begin === status.begin);
}

/** The words of a process's command line, empty when there is no such process or it is a zombie. */
export function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", "\n");
  } catch {
    if (process.platform === "linux" || process.platform === "win32") return "";
    return spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" }).stdout ?? "";
  }
}

/** Sends a signal to a process that may be gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone, or not ours; either way there is nothing to do about it.
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** From Linux; elsewhere nothing, and the caller goes by the id alone. */
function readStatus(pid: number): { readonly state: string; readonly begin: string } | undefined {
  try {
    // The second field is the command in parentheses, which may hold anything, parentheses too.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", begin: fields[19] ?? "" };
  } catch {
    return undefined;
  }
}
