// A command on a terminal of its own, as a person sees it: what it prints, keys pressed, Ctrl-C.

import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";

export interface Terminal {
  /** Everything printed so far, without colours. */
  text(): string;
  /** Waits for a text to be printed after `from`, and gives what was printed since then. */
  see(what: string | RegExp, from?: number): Promise<string>;
  type(keys: string): void;
  readonly ended: Promise<number>;
}

export const CTRL_C = "\u0003";
export const ENTER = "\r";

/** Runs `use` with the command, and ends it afterwards if it still runs. */
export async function onTerminal<Result>(
  [command, ...args]: readonly [string, ...string[]],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  use: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const child = spawn(command, args, { cwd, env: { ...env }, name: "xterm", cols: 160, rows: 50 });
  let printed = "";
  let hasEnded = false;
  child.onData((data) => {
    printed += data;
  });
  const ended = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => {
      hasEnded = true;
      resolve(exitCode);
    });
  });
  const text = () => stripVTControlCharacters(printed);
  const see = async (what: string | RegExp, from = 0): Promise<string> => {
    for (;;) {
      const since = text().slice(from);
      if (typeof what === "string" ? since.includes(what) : what.test(since)) return since;
      if (hasEnded) throw new Error(`The command has ended without ${what}:\n${text()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  try {
    return await use({ text, see, type: (keys) => child.write(keys), ended });
  } finally {
    if (!hasEnded) child.kill("SIGTERM");
    await ended;
  }
}
