// One command at a time may start the server of a project. The lock is a file that names its holder; a lock
// whose holder is gone counts for nothing.

import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedError, systemCode } from "./failure.js";
import { isAlive, ownIdentity, type ProcessIdentity } from "./processes.js";

const STEP_MS = 25;
const LONGEST_WAIT_MS = 120_000;
const BREAKER_AGE_MS = 5000;

export interface Waiting {
  /** Called once, when the wait has become long enough to be noticed. */
  readonly onWait: () => void;
  readonly noticeableMs: number;
}

export async function withLock<Result>(
  path: string,
  { onWait, noticeableMs }: Waiting,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let isNoticed = false;
  while (!take(path)) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > noticeableMs && !isNoticed) {
      isNoticed = true;
      onWait();
    }
    if (waitedMs > LONGEST_WAIT_MS) throw heldTooLong(path);
    await sleep(STEP_MS);
  }
  // Several commands may run in one process, one after the other; the file is gone before the next begins.
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  if (create(path)) return true;
  const holder = readHolder(path);
  if (holder === "present") return false;
  breakLock(path);
  return create(path);
}

/** Complete or not there at all: a reader never sees half of it. */
function create(path: string): boolean {
  const { pid, begin } = ownIdentity();
  const text = `${pid} ${begin}\n`;
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, text, { flag: "wx" });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    // Some file systems have no links. There the file is empty for a moment, which `readHolder` allows for.
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(systemCode(error) ?? ""))
      return createPlainly(path, text);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function createPlainly(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

function readHolder(path: string): "present" | "gone" {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
    if (!text.endsWith("\n")) return ageMs(path) > BREAKER_AGE_MS ? "gone" : "present";
  } catch {
    return "gone";
  }
  return isAlive(parseIdentity(text)) ? "present" : "gone";
}

export function parseIdentity(text: string): ProcessIdentity {
  const [pid = "", begin = ""] = text.trim().split(" ");
  return { pid: Number(pid), begin };
}

/**
 * Two commands may find the same lock abandoned. Only one at a time may look again and remove it; otherwise
 * the slower one would remove the lock that the quicker one has just made. Nothing here waits, so a breaker
 * older than a few seconds is itself abandoned.
 */
function breakLock(path: string): void {
  const breaker = `${path}.break`;
  try {
    mkdirSync(breaker);
  } catch {
    if (ageMs(breaker) > BREAKER_AGE_MS) rmSync(breaker, { recursive: true, force: true });
    return;
  }
  try {
    if (readHolder(path) === "gone") rmSync(path, { force: true });
  } finally {
    rmdirSync(breaker);
  }
}

function ageMs(path: string): number {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return changedAt === undefined ? 0 : Date.now() - changedAt;
}

function heldTooLong(path: string): EmbeddedError {
  return new EmbeddedError("Another command has been starting the database for two minutes.", {
    hint: `It holds the lock ${path}. If no such command runs, remove that file.`,
  });
}
