// The project's folder, from the path that a command is called with.

import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Failure } from "./failure.js";

/** `path` is a folder, or a project's one `.stoa` file. */
export function projectRoot(path: string): string {
  const full = resolve(path);
  const found = statSync(full, { throwIfNoEntry: false });
  if (found?.isDirectory()) return full;
  if (found !== undefined && full.endsWith(".stoa")) return dirname(full);
  throw new Failure(found === undefined ? `There is no folder ${path}.` : `${path} is not a folder.`, {
    hint: "check the path, or leave it out to use this folder",
  });
}
