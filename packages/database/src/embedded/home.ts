// Where the server of a project keeps its things, and whom it runs as.

import { createHash } from "node:crypto";
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, canEnter, chooseAccount, isRoot } from "./account.js";
import { systemCode } from "./failure.js";
import {
  cannotWrite,
  dataElsewhere,
  noProjectFolder,
  notDataFolder,
  notOurs,
  otherVersion,
} from "./messages.js";

export interface Home {
  readonly folder: string;
  readonly dataDir: string;
  readonly lockPath: string;
  readonly logPath: string;
  /** Used on Windows alone. */
  readonly passwordPath: string;
  readonly account: Account;
  readonly note: string | undefined;
}

export function chooseHome(projectDir: string): Home {
  const project = resolveProject(projectDir);
  const usual = join(project, ".stoa");
  const account = chooseAccount([join(usual, "db"), project]);
  const isNew = makeFolder(usual);
  // In a user's project root makes the folder for the user, who will work there too.
  if (isNew && isRoot() && statSync(project).uid === account.uid) chownSync(usual, account.uid, account.gid);
  if (canEnter(account, usual)) return homeIn(usual, account, undefined);
  const folder = makeFolderElsewhere(createHash("sha256").update(project).digest("hex").slice(0, 16));
  // Its name tells nobody what it is; this does, also when the project is long gone.
  writeFileSync(join(folder, "project"), `${project}\n`);
  return homeIn(folder, account, dataElsewhere(folder, project));
}

function homeIn(folder: string, account: Account, note: string | undefined): Home {
  return {
    folder,
    dataDir: join(folder, "db"),
    lockPath: join(folder, "db.lock"),
    logPath: join(folder, "db.log"),
    passwordPath: join(folder, "db.password"),
    account,
    note,
  };
}

function resolveProject(projectDir: string): string {
  try {
    return realpathSync(projectDir);
  } catch (cause) {
    throw noProjectFolder(projectDir, cause);
  }
}

/** Whether it is new. Not `recursive`, with which Node reports a read-only disk as a missing folder. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw cannotWrite(folder, cause);
    return false;
  }
}

/** Only root comes here. What lasts is better than what a restart of the machine may sweep away. */
function makeFolderElsewhere(name: string): string {
  const lasting = join("/var/lib/stoa", name);
  try {
    mkdirSync(lasting, { recursive: true, mode: 0o755 });
    return lasting;
  } catch {
    const passing = join(tmpdir(), `stoa-${name}`);
    makeFolder(passing);
    return passing;
  }
}

/** Whether there is data that this PostgreSQL can use; false when there is none yet. Throws in words otherwise. */
export function hasData(dataDir: string, majorVersion: string): boolean {
  let names: readonly string[];
  try {
    names = readdirSync(dataDir);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    if (systemCode(error) === "ENOTDIR") throw notDataFolder(dataDir);
    throw notOurs(dataDir, error);
  }
  if (names.length === 0) return false;
  if (!names.includes("PG_VERSION")) throw notDataFolder(dataDir);
  const found = readFileSync(join(dataDir, "PG_VERSION"), "utf8").trim();
  if (found !== majorVersion) throw otherVersion(dataDir, found, majorVersion);
  return true;
}
