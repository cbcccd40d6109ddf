// What an owner does when its process ends. Even when it can do nothing (kill -9), the supervisor stops the
// server; this is for ends that leave time to do it properly, so that the next command finds a clean folder.

import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "./postmaster.js";
import { signal } from "./processes.js";
import { type Reach, removeReach } from "./reach.js";
import type { ServerProcess } from "./server-process.js";

const FAST_MS = 20_000;
const EXIT_MS = 5000;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export interface OwnedServer extends ServerProcess {
  readonly dataDir: string;
  readonly reach: Reach;
}

/** The servers of this process that still run, and how to stop each. */
const owned = new Map<OwnedServer, () => Promise<void>>();

/** Sees to it that the server ends with this process, and gives the way to end it before. */
export function stopAtExit(server: OwnedServer): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopServer(server).finally(() => {
      owned.delete(server);
      if (owned.size === 0) stopListening();
    });
    return stopping;
  };
  if (owned.size === 0) startListening();
  owned.set(server, stop);
  return stop;
}

function startListening(): void {
  process.on("exit", onExit);
  for (const name of SIGNALS) process.on(name, onSignal);
}

function stopListening(): void {
  process.off("exit", onExit);
  for (const name of SIGNALS) process.off(name, onSignal);
}

function onExit(): void {
  for (const server of owned.keys()) stopNow(server);
}

/** Stops everything and lets the signal do what it would have done without us. */
function onSignal(name: NodeJS.Signals): void {
  // With other listeners the application is closing itself, and may need the database for it.
  if (process.listenerCount(name) > 1) return;
  void Promise.all([...owned.values()].map((stop) => stop())).finally(() => process.kill(process.pid, name));
}

async function stopServer({ supervisor, pid, dataDir, reach }: OwnedServer): Promise<void> {
  supervisor.letGo();
  await supervisor.ended.catch(() => {});
  // The supervisor may have been killed, and then its end says nothing.
  const startedAt = performance.now();
  for (let waitedMs = 0; inspect(pid, dataDir).isServer; waitedMs = performance.now() - startedAt) {
    signal(pid, waitedMs < FAST_MS ? "SIGINT" : "SIGQUIT");
    await sleep(20);
  }
  removeReach(reach);
}

/** The process is ending and nothing asynchronous runs any more. */
function stopNow({ pid, dataDir, reach }: OwnedServer): void {
  signal(pid, "SIGINT");
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const end = performance.now() + EXIT_MS;
  while (inspect(pid, dataDir).isServer && performance.now() < end) Atomics.wait(clock, 0, 0, 10);
  removeReach(reach);
}
