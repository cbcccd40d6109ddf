// The sources of a project: every `.stoa` file in its folder.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Diagnostic, decodeSource, type Source } from "@stoa/compiler";
import { EXIT, Failure } from "./failure.js";

export interface ProjectSources {
  /** The folder that file names are relative to. */
  readonly root: string;
  readonly sources: readonly Source[];
  /** What is wrong with the files themselves, before their text is looked at. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Stands for bytes that are not UTF-8, unless somebody has written it. */
const REPLACEMENT = "\u{FFFD}";

const SKIPPED = new Set(["node_modules", "dist"]);

/** Folders that hold no sources of the project. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith(".") || SKIPPED.has(name);
}

/** Whether a file is a source, by its path from the project's folder, with `/` between its parts. */
export function isSource(path: string): boolean {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  return name.endsWith(".stoa") && name !== ".stoa" && !folders.some(isSkippedFolder);
}

/** One file after the other: they are small, and asking for many at once takes longer. */
export function readProject(path: string): ProjectSources {
  const { root, files } = findFiles(path);
  if (files.length === 0) throw noSources(path);
  const read = files.map((file) => readSource(root, file));
  return {
    root,
    sources: read.map((file) => file.source),
    diagnostics: read.flatMap((file) => file.diagnostics),
  };
}

/** Throws where there is nothing that could be read, whatever its text. */
export function requireSources(path: string): void {
  if (!hasSources(path)) throw noSources(path);
}

function noSources(path: string): Failure {
  return new Failure(`There are no .stoa files in ${path === "." ? "this folder" : path}.`, {
    hint: "create one, for example app.stoa, or name the folder that holds them; `stoa init` makes a new project",
  });
}

/** Whether a folder has any. */
export function hasSources(folder: string): boolean {
  return findFiles(folder).files.length > 0;
}

/** The files of a folder; a single file is a project as well. */
function findFiles(path: string): { root: string; files: string[] } {
  const full = resolve(path);
  const found = attempt(path, () => statSync(full), ["ENOENT", "ENOTDIR"]);
  if (!found) {
    throw new Failure(`There is no folder ${path}.`, {
      hint: "check the path, or leave it out to use this folder",
    });
  }
  if (found.isDirectory()) return { root: full, files: walk(full).sort() };
  if (!full.endsWith(".stoa")) {
    throw new Failure(`${path} is not a .stoa file.`, { hint: "name a folder or a file that ends in .stoa" });
  }
  return { root: dirname(full), files: [full] };
}

function walk(folder: string): string[] {
  const entries = attempt(folder, () => readdirSync(folder, { withFileTypes: true }));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isSkippedFolder(entry.name) ? [] : walk(path);
    return isSource(entry.name) ? [path] : [];
  });
}

function readSource(root: string, file: string): { source: Source; diagnostics: readonly Diagnostic[] } {
  const name = relative(root, file).split(sep).join("/");
  const text = attempt(file, () => readFileSync(file, "utf8"));
  if (!text.includes(REPLACEMENT)) return { source: { name, text }, diagnostics: [] };
  const bytes = attempt(file, () => readFileSync(file));
  const { diagnostics } = decodeSource(name, bytes);
  return { source: { name, text }, diagnostics };
}

/** What `read` gives; undefined when it fails with one of the codes, a failure when with another. */
function attempt<Value>(path: string, read: () => Value): Value;
function attempt<Value>(path: string, read: () => Value, codes: readonly string[]): Value | undefined;
function attempt<Value>(path: string, read: () => Value, codes: readonly string[] = []): Value | undefined {
  try {
    return read();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (codes.includes(code)) return undefined;
    throw unreadable(path, error as NodeJS.ErrnoException);
  }
}

function unreadable(path: string, error: NodeJS.ErrnoException): Failure {
  const reason: Readonly<Record<string, string>> = {
    EACCES: "you are not allowed to read it",
    EPERM: "you are not allowed to read it",
    ENOENT: "it is a link that leads nowhere",
    ELOOP: "it is a link that leads back to itself",
    EISDIR: "it is a folder",
    EMFILE: "too many files are open",
  };
  const why = (error.code !== undefined && reason[error.code]) || error.message;
  return new Failure(`${relative(process.cwd(), path) || path} cannot be read: ${why}.`, {
    hint: "mend the file or its permissions, then run the command again",
    exitCode: EXIT.environment,
  });
}
