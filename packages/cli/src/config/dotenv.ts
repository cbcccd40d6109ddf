// `.env` and `.env.local`, for `stoa dev`. What the environment has already is left alone, also if it is empty.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { EXIT, Failure } from "../failure.js";
import type { Variables } from "./environment.js";

/** The later wins. */
export const DOTENV_FILES = [".env", ".env.local"] as const;

export interface DotenvFile {
  readonly name: string;
  readonly path: string;
  /** What it adds to the environment. */
  readonly variables: Variables;
}

/** Those that there are. */
export function readDotenv(root: string, env: Variables): readonly DotenvFile[] {
  return DOTENV_FILES.flatMap((name) => {
    const path = join(root, name);
    const text = readIfThere(path, name);
    // A mark of the order of bytes would become part of the first name.
    const all = Object.entries(parseEnv(text?.replace(/^\uFEFF/, "") ?? ""));
    const variables = Object.fromEntries(all.filter(([variable]) => env[variable] === undefined));
    return text === undefined ? [] : [{ name, path, variables }];
  });
}

function readIfThere(path: string, name: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A folder of that name is somebody's virtual environment.
    if (code === "ENOENT" || code === "EISDIR") return undefined;
    throw new Failure(`${name} cannot be read: ${message}.`, {
      hint: "mend the file or its permissions, then run the command again",
      exitCode: EXIT.environment,
    });
  }
}

/** The names of those that there are, read or not. */
export function findDotenv(root: string): readonly string[] {
  return DOTENV_FILES.filter((name) => statSync(join(root, name), { throwIfNoEntry: false })?.isFile());
}
