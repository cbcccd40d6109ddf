// Folders in the temporary folder, for sockets and throwaway servers.

import { randomBytes } from "node:crypto";
import { chownSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "./account.js";

/** The path of a socket may have 107 bytes, on some systems 103. */
const LONGEST_BASE = 60;

/** A name that nobody can guess, short enough for a socket below it. */
export function temporaryPath(prefix: string): string {
  const base = Buffer.byteLength(tmpdir()) > LONGEST_BASE ? "/tmp" : tmpdir();
  return join(base, `${prefix}${randomBytes(8).toString("hex")}`);
}

/** A folder that belongs to the account and to nobody else. */
export function makePrivateFolder(prefix: string, account: Account): string {
  const folder = temporaryPath(prefix);
  mkdirSync(folder, { mode: 0o700 });
  if (account.switch.uid !== undefined) chownSync(folder, account.uid, account.gid);
  return folder;
}
