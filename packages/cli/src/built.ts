// A built application: the definition that `stoa build` has written.

import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Definition, readDefinition } from "@stoa/definition";
import { EXIT, Failure } from "./failure.js";

export interface BuiltApplication {
  /** The folder of what was built. */
  readonly folder: string;
  readonly definition: Definition;
}

/** `path` is what `stoa build` would be called with. */
export function readBuilt(path: string, folder: string): BuiltApplication {
  return { folder, definition: readFile(join(folder, "definition.json"), path) };
}

function readFile(file: string, path: string): Definition {
  const shown = relative(process.cwd(), file) || file;
  const result = readDefinition(readText(file, shown, path));
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
      throw new Failure(`${shown} cannot be read: ${message}.`, {
        hint: "mend the file or its permissions, or build it again: stoa build",
        exitCode: EXIT.environment,
      });
    }
    throw new Failure(`The application is not built: there is no ${shown}.`, {
      hint: `run \`stoa build${path === "." ? "" : ` ${path}`}\` first`,
    });
  }
}
