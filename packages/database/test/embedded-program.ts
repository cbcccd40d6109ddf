// What the processes of the tests run: `node program.mjs <mode> <folder>`. It says what happens as JSON, one
// value per line.

import { connect } from "../src/connection/connect.js";
import { DatabaseError } from "../src/connection/database.js";
import { EmbeddedError } from "../src/embedded/failure.js";
import { startEmbedded } from "../src/embedded/project-server.js";
import { startThrowaway } from "../src/embedded/throwaway.js";

const [, , mode = "", projectDir = ""] = process.argv;

function say(kind: string, values: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ kind, ...values })}\n`);
}

const log = (message: string) => say("log", { message });

async function start() {
  const startedAt = performance.now();
  const server = await startEmbedded({ projectDir, log });
  const { stop: _, ...facts } = server;
  say("started", { ...facts, ms: Math.round(performance.now() - startedAt) });
  return server;
}

const modes: Record<string, () => Promise<void>> = {
  /** Starts or attaches, and stays until it is told to end (`stop` on standard input) or killed. */
  stay: async () => {
    const server = await start();
    await new Promise((resolve) => process.stdin.once("data", resolve));
    await server.stop();
    say("stopped");
    process.exit(0);
  },
  /** Stays, and cares for signals itself. */
  graceful: async () => {
    const server = await start();
    process.once("SIGTERM", async () => {
      const database = connect({ url: server.url });
      say("answer", { rows: await database.query("select 1 as one") });
      await database.close();
      await server.stop();
      process.exit(0);
    });
    setInterval(() => {}, 1000);
  },
  /** Starts, asks, and ends without a word to the server. */
  leave: async () => {
    const server = await start();
    const database = connect({ url: server.url });
    say("answer", { rows: await database.query("select count(*)::int as n from pg_database") });
    await database.close();
    if (projectDir.includes("exit")) process.exit(0);
  },
  /** Writes rows one by one and says which are committed, until it is killed. */
  write: async () => {
    const server = await start();
    const database = connect({ url: server.url });
    await database.execute("create table if not exists written (id bigserial primary key)");
    for (;;) {
      const [row] = await database.query("insert into written default values returning id");
      say("committed", { id: row?.id });
    }
  },
  throwaway: async () => {
    const server = await startThrowaway();
    say("started", { url: server.url, dataDir: server.dataDir });
    setInterval(() => {}, 1000);
  },
};

try {
  await modes[mode]?.();
} catch (error) {
  if (error instanceof EmbeddedError) say("failed", { message: error.message, hint: error.hint });
  else if (error instanceof DatabaseError) say("lost", { reason: error.kind });
  else throw error;
  process.exitCode = 2;
}
