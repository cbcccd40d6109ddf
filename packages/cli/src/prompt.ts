// Questions on the terminal.

import { createInterface } from "node:readline/promises";
import { Interrupted } from "./failure.js";

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** True only for a clear yes. Ctrl-C ends the command, which has to let go of what it holds first. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      terminal.once("SIGINT", () => reject(new Interrupted()));
      // Ctrl-D, or a terminal that is gone, is no answer.
      terminal.once("close", () => {
        process.stderr.write("\n");
        resolve("");
      });
      terminal.question(`${question} [y/N] `).then(resolve, reject);
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.removeAllListeners("close");
    terminal.close();
  }
}
