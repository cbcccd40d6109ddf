// Every PostgreSQL process of ours runs under a few lines of shell whose standard input is a pipe from this
// process. When this process ends, however it ends (kill -9 included), the pipe closes and the shell stops
// its charge. It is also the parent that collects a dead server where nothing else would (containers
// without a reaper), and it removes what must not stay behind.

import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import type { Account } from "./account.js";

export interface Charge {
  readonly command: string;
  readonly args: readonly string[];
  /** Sent to the command when this process ends or lets go. */
  readonly signal: "INT" | "QUIT" | "TERM";
  readonly account: Account;
  /** Where output goes: the descriptor of an open file. Without it the output is collected. */
  readonly log?: number;
  /** A folder to make before the command starts, the account's alone. */
  readonly make?: string;
  /** A folder to copy before the command starts, as the account. */
  readonly copy?: { readonly from: string; readonly to: string };
  /** A folder to remove once the command has ended. */
  readonly remove?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface Supervisor {
  /** Resolves when the command has ended and what is to be removed is gone. */
  readonly ended: Promise<Ended>;
  /** Asks the command to stop, as the end of this process would. */
  letGo(): void;
}

// Standard input becomes descriptor 3, because the shell gives background jobs an empty one. A signal that
// comes before the command has set its handlers is lost, hence the repetition.
const SCRIPT = `
signal=$1 make=$2 from=$3 to=$4 remove=$5
shift 5
exec 3<&0 </dev/null
code=1
if { [ -z "$make" ] || mkdir -m 700 "$make"; } && { [ -z "$from" ] || cp -R "$from" "$to"; }; then
  "$@" 3<&- &
  charge=$!
  (
    while read -r _ <&3; do :; done
    tries=0
    while kill -s "$signal" "$charge"; do
      sleep 1
      tries=$((tries + 1))
      [ "$tries" -lt 30 ] || signal=QUIT
    done
  ) >/dev/null 2>&1 &
  reader=$!
  wait "$charge"
  code=$?
  kill "$reader"
fi
[ -z "$remove" ] || rm -rf -- "$remove"
exit "$code"
`;

/** Messages in English, which we read for their reasons. */
const ENVIRONMENT: NodeJS.ProcessEnv = { ...process.env, LC_ALL: "C" };

/** Starts the command. With a log it does not keep this process alive. */
export function supervise(charge: Charge): Supervisor {
  const child = process.platform === "win32" ? spawnAlone(charge) : spawnSupervised(charge);
  const collected: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => collected.push(chunk));
  // The shell may be gone when the pipe closes; that is all right.
  child.stdin?.on("error", () => {});
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: Buffer.concat(collected).toString("utf8") }));
  });
  // Whoever awaits `ended` hears of a failure; nobody has to.
  ended.catch(() => {});
  if (charge.log !== undefined) {
    child.unref();
    (child.stdin as unknown as { unref(): void } | null)?.unref();
  }
  return {
    ended,
    letGo: () => {
      child.ref();
      child.stdin?.destroy();
      if (process.platform === "win32") child.kill();
    },
  };
}

function spawnSupervised({ command, args, account, copy, ...charge }: Charge): ChildProcess {
  const { signal, make = "", remove = "" } = charge;
  const options = [signal, make, copy?.from ?? "", copy?.to ?? "", remove];
  const output = charge.log ?? "pipe";
  return spawn("/bin/sh", ["-c", SCRIPT, "stoa-database", ...options, command, ...args], {
    ...account.switch,
    // The account may not be able to enter the folder we are in.
    cwd: "/",
    // A group of its own: Ctrl-C in a terminal reaches us alone, and we decide when the server stops.
    detached: true,
    env: ENVIRONMENT,
    stdio: ["pipe", output, output],
  });
}

/**
 * Windows (untested): without a shell nobody watches over us, and stopping is abrupt. A server that outlives
 * its owner is attached to by the next command; after an abrupt end PostgreSQL recovers at the next start.
 */
function spawnAlone({ command, args, log, remove }: Charge): ChildProcess {
  const output = log ?? "pipe";
  const child = spawn(command, args, {
    env: ENVIRONMENT,
    stdio: ["pipe", output, output],
    windowsHide: true,
  });
  child.once("close", () => {
    if (remove) rmSync(remove, { recursive: true, force: true, maxRetries: 10 });
  });
  return child;
}
