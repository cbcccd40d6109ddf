// Folders in the temporary folder, for sockets and throwaway servers.

import { chmodSync, chownSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "./account.js";

/** The path of a socket may have 107 bytes, on some systems 103. */
const LONGEST_BASE = 60;

/** A folder that belongs to the account and to nobody else. */
export function makePrivateFolder(prefix: string, account: Account): string {
  const base = Buffer.byteLength(tmpdir()) > LONGEST_BASE ? "/tmp" : tmpdir();
  const folder = mkdtempSync(join(base, prefix));
  chmodSync(folder, 0o700);
  if (account.switch.uid !== undefined) chownSync(folder, account.uid, account.gid);
  return folder;
}
