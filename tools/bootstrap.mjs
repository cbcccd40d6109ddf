// Makes every command work in a fresh clone with nothing but Node and npm: installs and builds first when
// that is needed, and costs a few milliseconds when it is not. Only Node's own modules are used here, because
// nothing else is sure to exist yet.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = resolve(fileURLToPath(import.meta.url), "../..");
const OLDEST_NODE = [20, 19];

/** What the build makes of which entry file. A package without its entry file yet is left out. */
export const BUILT_PACKAGES = [
  { name: "definition", entry: "index" },
  { name: "compiler", entry: "index" },
  { name: "database", entry: "index" },
  { name: "generators", entry: "index" },
  { name: "runtime", entry: "index" },
  { name: "create-stoa", entry: "main" },
  { name: "cli", entry: "main" },
];

/** Everything that a command needs before it can run: a new enough Node, the dependencies, the build. */
export async function bootstrap() {
  await ensureInstalled();
  if (isBuildStale()) exitUnlessOk(runNode(["tools/build.mjs", "--if-stale"]));
}

/** A new enough Node and the dependencies of the lock file. */
export async function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    console.error(
      `Stoa needs Node ${OLDEST_NODE.join(".")} or later; this is Node ${process.versions.node}.`,
    );
    process.exit(2);
  }
  if (isInstalled()) return;
  await withLock("install", () => {
    if (!isInstalled()) install();
  });
}

/**
 * Not `npm ci`: it refuses a lock file that was written where the registry offered fewer platforms, because
 * optional binaries of other platforms are then missing from it. `--no-save` keeps to the locked versions
 * and leaves the lock file alone all the same.
 */
function install() {
  const hasLock = existsSync(join(ROOT, "package-lock.json"));
  const args = ["install", ...(hasLock ? ["--no-save"] : []), "--include=dev", "--no-audit", "--no-fund"];
  console.log(`Installing dependencies (npm ${args.join(" ")}) …`);
  const npmScript = process.env.npm_execpath ?? "";
  const options = /** @type {const} */ ({ cwd: ROOT, stdio: "inherit" });
  exitUnlessOk(
    /npm-cli\.c?js$/.test(npmScript)
      ? spawnSync(process.execPath, [npmScript, ...args], options)
      : spawnSync("npm", args, { ...options, shell: process.platform === "win32" }),
  );
}

/** npm writes node_modules/.package-lock.json last, as a record of what it has installed. */
function isInstalled() {
  const lock = join(ROOT, "package-lock.json");
  const record = join(ROOT, "node_modules/.package-lock.json");
  if (!existsSync(record)) return false;
  if (!existsSync(lock) || statSync(lock).mtimeMs <= statSync(record).mtimeMs) return true;
  if (!holdsAllOf(readPackages(record), readPackages(lock))) return false;
  // A checkout gave the lock file a new date and the same content. Remember that for the next time.
  const now = new Date();
  utimesSync(record, now, now);
  return true;
}

/** @param {string} path @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }>} */
function readPackages(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages;
}

/**
 * @param {ReturnType<typeof readPackages>} installed
 * @param {ReturnType<typeof readPackages>} locked
 */
function holdsAllOf(installed, locked) {
  return Object.entries(locked).every(([path, { version, integrity, optional }]) => {
    const present = installed[path];
    if (!path.startsWith("node_modules/") || (optional && present === undefined)) return true;
    return present !== undefined && present.version === version && present.integrity === integrity;
  });
}

/** Whether a built file is missing or older than any source. Folders count too: a deleted file dates them. */
export function isBuildStale() {
  const packages = BUILT_PACKAGES.filter(({ name, entry }) => existsSync(sourceEntry(name, entry)));
  const outputs = packages.map(({ name, entry }) => modifiedMs(builtEntry(name, entry)));
  const inputs = packages.flatMap(({ name }) => [
    newestBelow(join(ROOT, "packages", name, "src")),
    newestBelow(join(ROOT, "packages", name, "template")),
    modifiedMs(join(ROOT, "packages", name, "package.json")),
  ]);
  return Math.min(...outputs) < Math.max(...inputs, modifiedMs(join(ROOT, "tools/build.mjs")));
}

/** @param {string} name @param {string} entry */
export function sourceEntry(name, entry) {
  return join(ROOT, "packages", name, "src", `${entry}.ts`);
}

/** @param {string} name @param {string} entry */
export function builtEntry(name, entry) {
  return join(ROOT, "packages", name, "dist", `${entry}.js`);
}

/** @param {string} path */
function modifiedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @param {string} folder @returns {number} */
function newestBelow(folder) {
  if (!existsSync(folder)) return 0;
  const times = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newestBelow(path) : modifiedMs(path);
  });
  return Math.max(modifiedMs(folder), ...times);
}

/**
 * Runs a script with this Node in the repository root, output visible.
 * @param {string[]} args
 */
export function runNode(args) {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" });
}

/** @param {import("node:child_process").SpawnSyncReturns<Buffer>} result */
export function exitUnlessOk(result) {
  if (result.error !== undefined) console.error(result.error.message);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/**
 * Does something while no other command of this repository does the same. The lock is a file outside the
 * repository that holds the owner's process id, so that a lock left behind by a killed command is noticed.
 * @param {string} what
 * @param {() => void | Promise<void>} action
 */
export async function withLock(what, action) {
  const name = createHash("sha256").update(ROOT).digest("hex").slice(0, 16);
  const path = join(tmpdir(), `stoa-${what}-${name}.lock`);
  for (let waits = 0; !takeLock(path); waits++) {
    if (waits === 0) console.log(`Waiting for another command that runs the same ${what} …`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  const release = () => rmSync(path, { force: true });
  process.once("exit", release);
  try {
    await action();
  } finally {
    process.off("exit", release);
    release();
  }
}

/** @param {string} path */
function takeLock(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (isAbandoned(path)) rmSync(path, { force: true });
    return false;
  }
}

/** @param {string} path */
function isAbandoned(path) {
  try {
    const owner = Number(readFileSync(path, "utf8"));
    if (owner === 0) return Date.now() - modifiedMs(path) > 5000;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
