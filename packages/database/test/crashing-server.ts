// A server that a test can crash: a single backend, after which PostgreSQL throws out everybody and recovers, or the
// whole of it, to be started again on the same data and at the same address. As careful with its data as any.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { chooseAccount } from "../src/embedded/account.js";
import { findBinaries } from "../src/embedded/binaries.js";
import { initialise } from "../src/embedded/initialise.js";
import { makePrivateFolder } from "../src/embedded/private-folder.js";
import { reachInFolder, urlOf } from "../src/embedded/reach.js";
import { type ServerProcess, startProcess } from "../src/embedded/server-process.js";
import { connect } from "../src/index.js";

export interface CrashingServer {
  /** Of its maintenance database. */
  readonly url: string;
  /** All its processes are gone at once, and nothing is tidied up. */
  crash(): Promise<void>;
  /** After a crash. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCrashing(): Promise<CrashingServer> {
  const account = chooseAccount([]);
  const binaries = findBinaries(account);
  const folder = makePrivateFolder("stoa-crash-", account);
  const [dataDir, socketDir] = [join(folder, "data"), join(folder, "socket")];
  const made = await initialise({ binaries, account, dataDir, passwordPath: join(folder, "password") });
  if (!made.isOk) throw new Error(made.output);
  const reach = reachInFolder(socketDir);
  const plan = {
    ...{ binaries, account, dataDir, reach, logPath: join(folder, "log"), settings: {} },
    ...({ signal: "QUIT", make: socketDir, remove: socketDir } as const),
  };
  let running: ServerProcess | undefined = await startProcess(plan);
  const end = async (stop: (server: ServerProcess) => void) => {
    const server = running;
    running = undefined;
    if (server === undefined) return;
    stop(server);
    await server.supervisor.ended;
  };
  const url = urlOf(reach, "postgres");
  return {
    url,
    crash: async () => {
      const others = await processesOf(url);
      await end(({ pid }) => {
        for (const each of [pid, ...others]) killIfThere(each);
      });
    },
    restart: async () => {
      // What the dead one has left would be taken for the word of the new one.
      rmSync(join(dataDir, "postmaster.pid"), { force: true });
      running = await startProcess(plan);
    },
    stop: async () => {
      await end(({ supervisor }) => supervisor.letGo());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Those that work for connections, and those in the background. Without them the first alone would not end it. */
async function processesOf(url: string): Promise<readonly number[]> {
  const database = connect({ url, poolSize: 1 });
  try {
    const rows = await database.query("select pid from pg_stat_activity");
    return rows.map(({ pid }) => Number(pid));
  } finally {
    await database.close();
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
