// Project folders for tests of the embedded server, and the check that nothing of it stays behind.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, vi } from "vitest";
import { connect, type EmbeddedServer, startEmbedded } from "../src/index.js";
import { untilNoneIsLeft } from "./embedded-child.js";

export const isRoot = process.getuid?.() === 0;
/** A normal user, for tests that run as root. */
export const NOBODY = { uid: 65534, gid: 65534 };

const folders: string[] = [];
const servers: EmbeddedServer[] = [];
let model: string | undefined;

// Where other work goes on at the same time, making a database takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** In memory where there is room, because a busy disk makes every start wait for others. */
const base = hasRoom("/dev/shm") ? "/dev/shm" : tmpdir();

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 2_000_000_000;
}

/** A project folder that every account can enter, as most project folders are, and that has no data yet. */
export function makeEmptyProject(name = "project"): string {
  const folder = mkdtempSync(join(base, "stoa-emb-"));
  chmodSync(folder, 0o755);
  folders.push(folder);
  const project = join(folder, name);
  mkdirSync(project, { recursive: true });
  return project;
}

/** One whose first start is over: a copy of the first project that was made so. */
export async function makeProject(name?: string): Promise<string> {
  if (model === undefined) {
    const first = makeEmptyProject();
    folders.pop();
    const server = await startEmbedded({ projectDir: first });
    await server.stop();
    model = first;
  }
  const project = makeEmptyProject(name);
  spawnSync("cp", ["-a", join(model, ".stoa"), project]);
  return project;
}

/** Starts or attaches in this process; stopped at the end of the test. */
export async function start(projectDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ projectDir });
  servers.push(server);
  return server;
}

export async function ask(server: { readonly url: string }, sql: string): Promise<unknown> {
  const database = connect({ url: server.url });
  try {
    return await database.query(sql);
  } finally {
    await database.close();
  }
}

async function remove(folder: string): Promise<void> {
  await untilNoneIsLeft(folder);
  spawnSync("umount", [join(folder, "project")], { stdio: "ignore" });
  rmSync(folder, { recursive: true, force: true });
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) await remove(folder);
});

afterAll(async () => {
  if (model !== undefined) await remove(join(model, ".."));
});
