// The packages that are published, packed as they would be; and what comes along when one is installed.

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./bootstrap.mjs";

/** Folders in packages/. All others are bundled into these, and private. */
export const PUBLISHED = ["cli", "create-stoa"];

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} version
 * @property {string} file The tarball.
 * @property {number} size Of the tarball, in bytes.
 * @property {number} unpackedSize
 * @property {string} integrity
 * @property {{ path: string, size: number }[]} files
 */

/**
 * Packs the package in a folder as `npm publish` would, without running its scripts.
 * @param {string} folder
 * @param {string} destination
 * @returns {Promise<Packed>}
 */
export async function pack(folder, destination) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination];
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024, shell: process.platform === "win32" };
  const { stdout } = await promisify(execFile)("npm", args, options);
  const printed = JSON.parse(stdout);
  // npm 12 prints an object by name, those before a list.
  const [packed] = Array.isArray(printed) ? printed : Object.values(printed);
  return { ...packed, file: join(destination, packed.filename) };
}

/** @param {string} folder @returns {Record<string, any>} */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/**
 * The folders of all packages that an installation of these brings along on this machine, by what is installed here.
 * Packages for other platforms are not, and so are not counted.
 * @param {readonly string[]} names
 * @returns {string[]}
 */
export function dependencyFolders(names) {
  /** @type {Map<string, string>} */
  const found = new Map();
  /** @param {string} name @param {string} from @param {boolean} isOptional */
  const visit = (name, from, isOptional) => {
    const folder = [join(from, "node_modules", name), join(ROOT, "node_modules", name)].find((path) =>
      existsSync(path),
    );
    if (folder === undefined && !isOptional) throw new Error(`${name} is not installed`);
    if (folder === undefined || found.has(name)) return;
    found.set(name, folder);
    const { dependencies = {}, optionalDependencies = {} } = readManifest(folder);
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) {
      visit(each, folder, each in optionalDependencies);
    }
  };
  for (const name of names) visit(name, ROOT, false);
  return [...found.values()];
}

/**
 * What a package brings along when it is installed, itself not counted.
 * @param {string} folder
 * @returns {string[]}
 */
export function dependenciesOf(folder) {
  const { dependencies = {}, optionalDependencies = {} } = readManifest(folder);
  const optional = Object.keys(optionalDependencies).filter((name) =>
    existsSync(join(ROOT, "node_modules", name)),
  );
  return dependencyFolders([...Object.keys(dependencies), ...optional]);
}
