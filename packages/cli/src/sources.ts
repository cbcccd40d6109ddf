// The sources of a project: every `.stoa` file in its folder.

import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type Diagnostic, decodeSource, type Source } from "@stoa/compiler";
import { EXIT, Failure } from "./failure.js";

export interface ProjectSources {
  /** The folder that file names are relative to. */
  readonly root: string;
  readonly sources: readonly Source[];
  /** What is wrong with the files themselves, before their text is looked at. */
  readonly diagnostics: readonly Diagnostic[];
}

const SKIPPED = new Set(["node_modules", "dist"]);

export async function readProject(path: string): Promise<ProjectSources> {
  const { root, files } = await findFiles(path);
  if (files.length === 0) {
    throw new Failure(`There are no .stoa files in ${path === "." ? "this folder" : path}.`, {
      hint: "create one, for example app.stoa, or name the folder that holds them",
    });
  }
  const read = await Promise.all(files.map((file) => readSource(root, file)));
  return {
    root,
    sources: read.map((file) => file.source),
    diagnostics: read.flatMap((file) => file.diagnostics),
  };
}

/** The files of a folder; a single file is a project as well. */
async function findFiles(path: string): Promise<{ root: string; files: string[] }> {
  const full = resolve(path);
  const found = await stat(full).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw unreadable(path, error);
    throw new Failure(`There is no folder ${path}.`, {
      hint: "check the path, or leave it out to use this folder",
    });
  });
  if (found.isDirectory()) return { root: full, files: (await walk(full)).sort() };
  if (!full.endsWith(".stoa")) {
    throw new Failure(`${path} is not a .stoa file.`, { hint: "name a folder or a file that ends in .stoa" });
  }
  return { root: dirname(full), files: [full] };
}

async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(folder, error);
  });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name.startsWith(".") || SKIPPED.has(entry.name) ? [] : walk(path);
      return entry.name.endsWith(".stoa") && basename(path) !== ".stoa" ? [path] : [];
    }),
  );
  return found.flat();
}

async function readSource(
  root: string,
  file: string,
): Promise<{ source: Source; diagnostics: readonly Diagnostic[] }> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
  const name = relative(root, file).split(sep).join("/");
  const { text, diagnostics } = decodeSource(name, bytes);
  return { source: { name, text }, diagnostics };
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
