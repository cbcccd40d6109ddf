// Keys on the terminal: one press, one wish, and questions that are answered by one key. Where there is no terminal
// there are no keys, and nobody to ask.

import type { Answer } from "./schema.js";

export interface Keys {
  /** Takes the next key that answers. Withdrawn when the signal says that the answer is of no use any more. */
  ask(signal?: AbortSignal): Promise<Answer>;
  close(): void;
}

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_Z = "\u001a";
const ESCAPE = "\u001b";
/** Arrows and the like come as several characters, and mean nothing here. */
const SEQUENCE = RegExp(`${ESCAPE}(\\[[0-9;]*[A-Za-z~]|O[A-Z])`, "g");

/** Undefined where there is no terminal to read from. Ctrl-C is the signal that it is elsewhere. */
export function listenToKeys(onKey: (key: string) => void): Keys | undefined {
  const { stdin } = process;
  if (stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  let answer: ((answer: Answer) => void) | undefined;
  const press = (key: string): void => {
    if (key === CTRL_C || key === CTRL_D) process.emit("SIGINT");
    else if (key === CTRL_Z) sleepAndWake();
    else if (answer === undefined) onKey(key);
    else if (key === "y" || key === "Y") answer("yes");
    else if (["n", "N", "q", "\r", "\n", ESCAPE].includes(key)) answer("no");
  };
  const onData = (chunk: string | Buffer): void => {
    for (const key of chunk.toString().replaceAll(SEQUENCE, "")) press(key);
  };
  stdin.setRawMode(true);
  stdin.setEncoding("utf8").on("data", onData).resume();
  return {
    ask: (signal) =>
      new Promise((resolve) => {
        // The newer question is the one that is on the screen.
        answer?.("withdrawn");
        const settle = (given: Answer): void => {
          answer = undefined;
          signal?.removeEventListener("abort", withdraw);
          resolve(given);
        };
        const withdraw = (): void => settle("withdrawn");
        answer = settle;
        if (signal?.aborted) withdraw();
        else signal?.addEventListener("abort", withdraw);
      }),
    close() {
      answer?.("withdrawn");
      stdin.off("data", onData).pause();
      stdin.setRawMode(false);
    },
  };
}

/** Ctrl-Z, as in any other program. */
function sleepAndWake(): void {
  if (process.platform === "win32") return;
  process.stdin.setRawMode(false);
  process.once("SIGCONT", () => process.stdin.setRawMode(true));
  process.kill(process.pid, "SIGTSTP");
}
