// A version of an application, as people name it: a folder, a file, or a revision of git.

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { compile, type Diagnostic, decodeSource, type Source } from "@stoa/compiler";
import type { Definition } from "@stoa/definition";
import { parseDefinition } from "./built.js";
import { EXIT, Failure } from "./failure.js";
import {
  findCommit,
  folderInRepository,
  type GitFile,
  isRevision,
  kindInCommit,
  listFiles,
  pathInRepository,
  readFileAt,
  readObjects,
} from "./git.js";
import { moduleFiles } from "./module-files.js";
import { printDiagnostics, printJson } from "./report.js";
import { hasSources, isSource, readProject } from "./sources.js";

export interface AppVersion {
  readonly definition: Definition;
  /** The text of a hook's module, where it can be had. */
  readonly readModule: (path: string) => string | undefined;
}

export interface VersionOptions {
  readonly json: boolean;
  /** The file or folder whose earlier state a revision without a path stands for. */
  readonly beside: string;
}

const DEFINITION = "definition.json";

/** Undefined when its sources do not compile; what is wrong with them has been printed. */
export function readVersion(name: string, options: VersionOptions): AppVersion | undefined {
  if (name === "")
    throw new Failure("A version needs a name.", { hint: "a folder, a file, or a revision of git" });
  if (name.startsWith("-")) {
    throw new Failure(`${name} cannot be a version: it begins with a dash.`, {
      hint: "for a folder of this name, write ./ in front of it",
    });
  }
  const isThere = existsSync(name);
  if (isThere && isPlainName(name) && isRevision(process.cwd(), name)) {
    throw new Failure(`${name} is a file or folder here, and a revision of git.`, {
      hint: `write ./${name} for the one, or ${name}:./ for the other`,
    });
  }
  return isThere ? readPath(name, options) : readRevision(name, options);
}

/** `main`, which could be either; `./main` and `.` cannot. */
function isPlainName(name: string): boolean {
  return !name.startsWith(".") && !name.startsWith("/");
}

// ---------------------------------------------------------------- files and folders

function readPath(path: string, options: VersionOptions): AppVersion | undefined {
  const isFolder = statSync(path).isDirectory();
  const file = isFolder ? join(path, DEFINITION) : path;
  // What was built may be older than the sources beside it.
  if (file.endsWith(".json") && existsSync(file) && !(isFolder && hasSources(path))) {
    return { definition: parseDefinition(readText(file), file), readModule: () => undefined };
  }
  const { root, sources, diagnostics } = readProject(path);
  const readModule = (module: string) => {
    const found = moduleFiles(module).find((each) =>
      statSync(join(root, each), { throwIfNoEntry: false })?.isFile(),
    );
    return found === undefined ? undefined : readFileSync(join(root, found), "utf8");
  };
  return compileVersion({ sources, diagnostics, prefix: "", readModule }, options);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { message } = error as Error;
    throw new Failure(`${file} cannot be read: ${message}.`, {
      hint: "mend the file or its permissions, then run the command again",
      exitCode: EXIT.environment,
    });
  }
}

interface Uncompiled {
  readonly sources: readonly Source[];
  readonly diagnostics: readonly Diagnostic[];
  /** What stands before the names of files: `main:shop/`; empty for what is on disk. */
  readonly prefix: string;
  readonly readModule: AppVersion["readModule"];
}

function compileVersion(version: Uncompiled, { json }: VersionOptions): AppVersion | undefined {
  const { definition } = compile(version.sources);
  if (definition && version.diagnostics.length === 0) return { definition, readModule: version.readModule };
  // Compiled again under names that say which of the two versions is meant.
  const place = (file: string): string => version.prefix + file;
  const sources = version.sources.map(({ name, text }) => ({ name: place(name), text }));
  const own = version.diagnostics.map((each) => ({
    ...each,
    span: { ...each.span, file: place(each.span.file) },
  }));
  const all = [...own, ...compile(sources).diagnostics];
  // Warnings are for `check` and `build`; here only what stops the work is shown.
  const findings = all.filter(({ severity }) => severity === "error");
  if (json) printJson(findings, sources);
  else printDiagnostics(findings, sources);
  return undefined;
}

// ---------------------------------------------------------------- revisions

function readRevision(name: string, options: VersionOptions): AppVersion | undefined {
  const colon = name.indexOf(":");
  const [revision, path] = colon < 0 ? [name, null] : [name.slice(0, colon), name.slice(colon + 1)];
  const cwd = path === null ? folderOf(options.beside) : process.cwd();
  const commit = findCommit(cwd, revision);
  const full = path === null ? pathOf(options.beside) : pathInRepository(cwd, path);
  const place = { cwd, commit, full, shown: full === "" ? revision : `${revision}:${full}` };
  switch (kindInCommit(cwd, commit, full)) {
    case "folder":
      return readFolderAt(place, options);
    case "file":
      return readSingleAt(place, options);
    case "nothing":
      throw new Failure(`There is no ${full} in ${revision}.`, {
        hint: `if it had another name then, say it: ${revision}:path/to/project`,
      });
  }
}

function folderOf(path: string): string {
  const full = resolve(path);
  return statSync(full, { throwIfNoEntry: false })?.isDirectory() ? full : dirname(full);
}

/** A single source has its own history; what is built belongs to the folder that it is built in. */
function pathOf(path: string): string {
  const folder = folderInRepository(folderOf(path));
  if (!path.endsWith(".stoa") || statSync(path).isDirectory()) return folder;
  const name = resolve(path).slice(dirname(resolve(path)).length + 1);
  return folder === "" ? name : `${folder}/${name}`;
}

interface PlaceAt {
  readonly cwd: string;
  readonly commit: string;
  readonly full: string;
  readonly shown: string;
}

function readFolderAt(
  { cwd, commit, full, shown }: PlaceAt,
  options: VersionOptions,
): AppVersion | undefined {
  const files = listFiles(cwd, commit, full);
  const chosen = files.filter(({ path }) => isSource(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const definition = files.find(({ path }) => path === DEFINITION);
  if (definition && chosen.length === 0) {
    const text = readObjects(cwd, [definition.object])[0]?.toString("utf8") ?? "";
    return { definition: parseDefinition(text, `${shown}/${DEFINITION}`), readModule: () => undefined };
  }
  if (chosen.length === 0) {
    throw new Failure(`There are no .stoa files in ${shown}.`, {
      hint: "if they were in another folder then, name it: <revision>:path/to/project",
    });
  }
  const link = chosen.find(({ isLink }) => isLink);
  if (link)
    throw new Failure(`${link.path} in ${shown} is a link, and links are not followed in revisions.`, {
      hint: "check the revision out into a folder of its own (git worktree add), and compare that",
    });
  const contents = readObjects(
    cwd,
    chosen.map(({ object }) => object),
  );
  const decoded = chosen.map(({ path }, index) => ({
    path,
    ...decodeSource(path, contents[index] ?? Buffer.of()),
  }));
  return compileVersion(
    {
      sources: decoded.map(({ path, text }) => ({ name: path, text })),
      diagnostics: decoded.flatMap(({ diagnostics }) => diagnostics),
      prefix: shown.includes(":") ? `${shown}/` : `${shown}:`,
      readModule: (module) => readModuleAt(cwd, files, module),
    },
    options,
  );
}

function readModuleAt(cwd: string, files: readonly GitFile[], module: string): string | undefined {
  const names = moduleFiles(module);
  const found = names.flatMap((name) => files.find(({ path }) => path === name) ?? [])[0];
  return found && readObjects(cwd, [found.object])[0]?.toString("utf8");
}

function readSingleAt(
  { cwd, commit, full, shown }: PlaceAt,
  options: VersionOptions,
): AppVersion | undefined {
  const bytes = readFileAt(cwd, commit, full);
  const readModule = () => undefined;
  if (full.endsWith(".json"))
    return { definition: parseDefinition(bytes.toString("utf8"), shown), readModule };
  if (!full.endsWith(".stoa")) {
    throw new Failure(`${shown} is not a .stoa file.`, {
      hint: "name a folder, a file that ends in .stoa, or a definition.json",
    });
  }
  const name = full.slice(full.lastIndexOf("/") + 1);
  const { text, diagnostics } = decodeSource(name, bytes);
  return compileVersion(
    { sources: [{ name, text }], diagnostics, prefix: shown.slice(0, -name.length), readModule },
    options,
  );
}
