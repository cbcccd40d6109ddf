// A built application, as `stoa build` writes it and `stoa start` reads it.

import { readFileSync } from "node:fs";
import { mkdir, readFile as readFileAsync, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Definition, readDefinition, writeDefinition } from "@stoa/definition";
import { HOOK_FILES } from "./build-hooks.js";
import { EXIT, Failure } from "./failure.js";
import type { BundleFile } from "./hook-modules.js";

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

/** The definition last: where it is new, everything is. */
export async function writeBuilt(
  folder: string,
  definition: Definition,
  hooks: readonly BundleFile[],
): Promise<string> {
  const file = join(folder, "definition.json");
  const stale = HOOK_FILES.map((name) => join(folder, name)).filter(
    (path) => !hooks.some((hook) => hook.path === path),
  );
  try {
    await mkdir(folder, { recursive: true });
    for (const { path, contents } of hooks) await replace(path, contents);
    for (const path of stale) await rm(path, { force: true });
    await replace(file, writeDefinition(definition));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`The definition cannot be written to ${file}: ${reason}`, {
      hint: "check the permissions and the free space, or choose another folder with --out",
      exitCode: EXIT.environment,
    });
  }
  return file;
}

/**
 * Written beside and moved into place, so that nobody ever reads half a file. One that is the same already keeps its
 * date, and hooks that are loaded stay as they are.
 */
async function replace(file: string, contents: string | Uint8Array): Promise<void> {
  const present = await readFileAsync(file).catch(() => undefined);
  if (present?.equals(Buffer.from(contents))) return;
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  await rename(temporary, file);
}
