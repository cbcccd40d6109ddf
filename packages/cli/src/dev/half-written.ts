// Files that are being written. Many editors empty a file before they fill it, and on a busy machine there is time to
// look in between: an empty source is a correct one, whose endpoints are gone.

import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 10;
const LONGEST_MS = 250;

/** Waits for files that are empty to be filled; for a moment only, because some are meant to be empty. */
export async function untilWritten(paths: Iterable<string>): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  for (const path of paths) {
    while (isEmpty(path) && performance.now() < end) await sleep(LOOK_MS);
  }
}

function isEmpty(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0;
}
