// Finds a browser for the tests that need a real one. In CI, on a fresh Debian as root, one is installed.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
  "microsoft-edge-stable",
  "msedge",
];

const ON_MAC = [
  "Google Chrome.app/Contents/MacOS/Google Chrome",
  "Chromium.app/Contents/MacOS/Chromium",
  "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

const ON_WINDOWS = [
  "Google/Chrome/Application/chrome.exe",
  "Chromium/Application/chrome.exe",
  "Microsoft/Edge/Application/msedge.exe",
];

/** @param {NodeJS.ProcessEnv} env */
export function howToGetOne(env = process.env) {
  const trouble = env.STOA_BROWSER
    ? `and STOA_BROWSER names ${env.STOA_BROWSER}, which is not there.`
    : "and there is none on this machine.";
  return [
    `The tests of pages need a browser, ${trouble}`,
    "  Debian, Ubuntu:   apt-get install chromium",
    "  macOS, Windows:   install Chrome (Edge and Chromium will do)",
    "  elsewhere:        STOA_BROWSER=/path/to/chromium",
  ].join("\n");
}

/**
 * STOA_BROWSER decides, also if it is wrong: then nothing else is looked for.
 * @param {NodeJS.ProcessEnv} env
 * @param {(path: string) => boolean} exists
 * @returns {string | undefined}
 */
export function findBrowser(env = process.env, exists = existsSync) {
  if (env.STOA_BROWSER) return exists(env.STOA_BROWSER) ? env.STOA_BROWSER : undefined;
  const endings = process.platform === "win32" ? [".exe"] : [""];
  const inPath = (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .flatMap((folder) => NAMES.flatMap((name) => endings.map((ending) => join(folder, name + ending))));
  // Names are in order of preference, whatever the order of folders is.
  inPath.sort((a, b) => rank(a) - rank(b));
  return [...inPath, ...usualPlaces(env)].find((path) => exists(path));
}

/** @param {string} path */
function rank(path) {
  return NAMES.findIndex((name) => path.replace(/\.exe$/, "").endsWith(name));
}

/** @param {NodeJS.ProcessEnv} env @returns {string[]} */
function usualPlaces(env) {
  const below = (/** @type {(string | undefined)[]} */ roots, /** @type {string[]} */ places) =>
    roots.flatMap((root) => (root ? places.map((place) => join(root, place)) : []));
  if (process.platform === "darwin") {
    return below(["/Applications", env.HOME && join(env.HOME, "Applications")], ON_MAC);
  }
  if (process.platform === "win32") {
    return below([env.ProgramFiles, env["ProgramFiles(x86)"], env.LOCALAPPDATA], ON_WINDOWS);
  }
  return ["/usr/bin/chromium", "/opt/google/chrome/chrome", "/snap/bin/chromium"];
}

/** In CI there must be one. If it cannot be had, that is said, and the tests fail by themselves. */
export function installBrowserInCi() {
  if (!process.env.CI || process.env.STOA_BROWSER || findBrowser() !== undefined) return;
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log("There is no browser for the tests of pages: installing Debian's chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  /** @param {string[]} args */
  const aptGet = (args) => spawnSync("apt-get", args, { env, encoding: "utf8" });
  let done = aptGet(["install", "-y", "-qq", "--no-install-recommends", "chromium"]);
  if (done.status !== 0) {
    // A fresh image has no lists of packages yet.
    aptGet(["update", "-qq"]);
    done = aptGet(["install", "-y", "-qq", "--no-install-recommends", "chromium"]);
  }
  if (done.status === 0) console.log(`Installed ${findBrowser() ?? "nothing"}.`);
  else console.log(`It cannot be installed: ${done.error?.message ?? done.stderr.trim()}`);
}
