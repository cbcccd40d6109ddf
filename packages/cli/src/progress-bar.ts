// A progress bar on the terminal; silent where nobody watches.

import type { Progress } from "@stoa/database";
import { paletteFor } from "./terminal.js";

const WIDTH = 24;
const INTERVAL_MS = 80;

export class ProgressBar {
  readonly #isShown = process.stderr.isTTY === true;
  #last = 0;

  update(progress: Progress): void {
    if (!this.#isShown || progress.elapsedMs - this.#last < INTERVAL_MS) return;
    this.#last = progress.elapsedMs;
    process.stderr.write(`\r\u001b[2K${renderProgress(progress)}`);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write("\r\u001b[2K");
  }
}

export function renderProgress({ rows, total, rowsPerSecond, remainingMs }: Progress): string {
  const palette = paletteFor(process.stderr);
  const rate = palette.faint(`${rowsPerSecond.toLocaleString("en")} rows/s`);
  if (total === null || total === 0) return `${rows.toLocaleString("en")} rows  ${rate}`;
  const share = Math.min(1, rows / total);
  const done = Math.round(share * WIDTH);
  const bar = `${palette.good("█".repeat(done))}${palette.faint("░".repeat(WIDTH - done))}`;
  const left = remainingMs === null ? "" : palette.faint(`  ${Math.ceil(remainingMs / 1000)} s left`);
  return `${bar} ${Math.floor(share * 100)} %  ${rows.toLocaleString("en")} of ${total.toLocaleString("en")} rows  ${rate}${left}`;
}
