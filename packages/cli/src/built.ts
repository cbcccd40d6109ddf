// A built application: the definition that `stoa build` has written.

import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Definition, readDefinition } from "@stoa/definition";
import { EXIT, Failure } from "./failure.js";

export interface BuiltApplication {
  /** The project's folder, where its embedded database is. */
  readonly root: string;
  /** The folder of what was built. */
  readonly folder: string;
  readonly definition: Definition;
}

/** `path` is the project's folder or its one `.stoa` file, as for the other commands. */
export function readBuilt(path: string, build: string | undefined): BuiltApplication {
  const root = rootOf(path);
  const folder = build === undefined ? join(root, ".stoa", "build") : resolve(build);
  return { root, folder, definition: readFile(join(folder, "definition.json"), path) };
}

function rootOf(path: string): string {
  const full = resolve(path);
  const found = statSync(full, { throwIfNoEntry: false });
  if (found?.isDirectory()) return full;
  if (found !== undefined && full.endsWith(".stoa")) return dirname(full);
  throw new Failure(`There is no folder ${path}.`, {
    hint: "check the path, or leave it out to use this folder",
  });
}

function readFile(file: string, path: string): Definition {
  const shown = relative(process.cwd(), file) || file;
  return parseDefinition(readText(file, shown, path), shown);
}

/** `shown` is what the text is called where people read of it. */
export function parseDefinition(text: string, shown: string): Definition {
  const result = readDefinition(text);
  if (result.ok) return result.definition;
  const [problem] = result.problems;
  const at = problem?.path ? ` (at ${problem.path})` : "";
  throw new Failure(`${shown} cannot be used: ${problem?.message ?? "it is not a definition"}${at}.`, {
    hint: problem?.hint ?? "build it again with this version: stoa build",
  });
}

function readText(file: string, shown: string, path: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") {
      throw new Failure(`${shown} cannot be read: ${message}.`, { exitCode: EXIT.environment });
    }
    throw new Failure(`The application is not built: there is no ${shown}.`, {
      hint: `run \`stoa build${path === "." ? "" : ` ${path}`}\` first`,
    });
  }
}
