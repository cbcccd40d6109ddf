// How a server is reached: through a socket in a folder that only its account can enter. On Windows, where
// Node cannot open such sockets, over TCP on this machine with a random password (that way is untested).

import { randomBytes } from "node:crypto";
import { readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import type { PidFile } from "./postmaster.js";
import { temporaryPath } from "./private-folder.js";

export const USER = "stoa";
const PORT = 5432;
const SOCKET_PREFIX = "stoa-";
const LOOPBACK = "127.0.0.1";

export interface Reach {
  /** The folder of the socket, or the address. */
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

export const hasSockets = process.platform !== "win32";

/** A new place for a server to be reached at. A folder does not exist yet: it is made, and goes, with the server. */
export async function chooseReach(passwordPath: string): Promise<Reach> {
  if (hasSockets) return reachInFolder(temporaryPath(SOCKET_PREFIX));
  return { host: LOOPBACK, port: await findPort(), password: readPassword(passwordPath) };
}

export function reachInFolder(folder: string): Reach {
  return { host: folder, port: PORT, password: "" };
}

/** Where the server that wrote this record is reached. */
export function reachOf({ socketDir, port }: PidFile, passwordPath: string): Reach {
  if (hasSockets) return { host: socketDir, port, password: "" };
  return { host: LOOPBACK, port, password: readPassword(passwordPath) };
}

/** Whether a record is that of a server at this place. Each start has a place of its own. */
export function isAt({ socketDir, port }: PidFile, reach: Reach): boolean {
  return hasSockets ? socketDir === reach.host : port === reach.port;
}

export function reachSettings({ host, port }: Reach): Record<string, string> {
  if (!hasSockets) return { listen_addresses: host, unix_socket_directories: "", port: String(port) };
  return {
    listen_addresses: "",
    port: String(port),
    unix_socket_directories: `"${host}"`,
    unix_socket_permissions: "0700",
  };
}

export function urlOf({ host, port, password }: Reach, database: string): string {
  const name = encodeURIComponent(database);
  if (!hasSockets) return `postgres://${USER}:${password}@${host}:${port}/${name}`;
  // A URL needs a host; the parameter `host` wins over it.
  return `postgres://${USER}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** Removes what a server that is gone has left there, and nothing else: the name may come from a file. */
export function removeReach({ host, port }: Reach): void {
  if (!hasSockets || !basename(host).startsWith(SOCKET_PREFIX)) return;
  for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]) rmSync(join(host, name), { force: true });
  try {
    rmdirSync(host);
  } catch {
    // Gone already, or not only ours.
  }
}

/** How initdb is told who may come in. */
export function accessArguments(passwordPath: string): readonly string[] {
  if (hasSockets) return ["--auth-local", "trust", "--auth-host", "reject"];
  writeFileSync(passwordPath, randomBytes(24).toString("hex"), { mode: 0o600 });
  return ["--auth", "scram-sha-256", "--pwfile", passwordPath];
}

function readPassword(path: string): string {
  return readFileSync(path, "utf8").trim();
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, LOOPBACK, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : PORT));
    });
  });
}
