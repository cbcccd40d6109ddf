// PostgreSQL refuses to run as root. Where this process is root, the server runs under another account, which
// must have an entry in the list of users because initdb looks its own name up.

import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { EmbeddedError } from "./failure.js";

/** Whom the server runs as. `switch` is what a spawned process needs; empty when it runs as we do. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly switch: { readonly uid?: number; readonly gid?: number };
}

/** Windows has no user ids; −1 stands for "whoever this is". */
const OURSELVES: Account = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1, switch: {} };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * As root: the owner of the first of these folders who is not root and has an entry, so that data made by a
 * user stays that user's; otherwise nobody.
 */
export function chooseAccount(folders: readonly string[]): Account {
  if (!isRoot()) return OURSELVES;
  const users = readUsers();
  for (const folder of folders) {
    const uid = statSync(folder, { throwIfNoEntry: false })?.uid;
    const user = users.find((each) => each.uid === uid && each.uid !== 0);
    if (user !== undefined) return accountOf(user);
  }
  const fallback =
    users.find((each) => each.name === "nobody" && each.uid !== 0) ?? users.find((each) => each.uid !== 0);
  if (fallback !== undefined) return accountOf(fallback);
  throw new EmbeddedError("PostgreSQL does not run as root, and there is no other user here to run it as.", {
    hint: "Run the command as a normal user, or set DATABASE_URL to a PostgreSQL server.",
  });
}

/** Whether the account can enter a folder. Asked of the system, because modes alone do not tell (ACLs). */
export function canEnter(account: Account, folder: string): boolean {
  if (account.switch.uid === undefined) return true;
  return spawnSync("/bin/sh", ["-c", 'cd -- "$1"', "sh", folder], account.switch).status === 0;
}

interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

function accountOf({ uid, gid }: User): Account {
  return { uid, gid, switch: { uid, gid } };
}

function readUsers(): readonly User[] {
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    if (name === undefined || !uid || !gid || name.startsWith("#")) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
