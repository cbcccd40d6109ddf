// `stoa dev` on a terminal of its own, and always ended.

import { type IPty, spawn as spawnInTerminal } from "@lydell/node-pty";
import { BIN, type RunOptions } from "./run.js";
import { environment, until } from "./serve.js";

export interface Terminal {
  readonly url: string;
  /** All that was shown so far. */
  screen(): string;
  /** Waits until this is shown, from here on. */
  shows(text: string | RegExp): Promise<void>;
  press(key: string): void;
  readonly ended: Promise<{ readonly exitCode: number }>;
}

/** Runs `use` while `stoa dev` serves on a free port. What is still running afterwards is ended. */
export async function onTerminal<Result>(
  args: readonly string[],
  { cwd, env = {} }: RunOptions,
  use: (terminal: Terminal) => Promise<Result>,
): Promise<Result> {
  const options = { cwd, cols: 200, rows: 50, env: environment(env) };
  const child: IPty = spawnInTerminal(process.execPath, [BIN, "dev", "--port", "0", ...args], options);
  let screen = "";
  let seen = 0;
  let isOver = false;
  child.onData((text) => {
    screen += text.replaceAll("\r\n", "\n");
  });
  const ended = new Promise<{ exitCode: number }>((resolve) => {
    child.onExit(({ exitCode }) => {
      isOver = true;
      resolve({ exitCode });
    });
  });
  const shows = async (text: string | RegExp): Promise<void> => {
    const pattern = typeof text === "string" ? RegExp(text.replaceAll(/[$\\^*+?.()|[\]{}]/g, "\\$&")) : text;
    let found: RegExpExecArray | null = null;
    await until(() => {
      found = pattern.exec(screen.slice(seen));
      if (found === null && isOver) throw new Error(`${pattern} was never shown:\n${screen}`);
      return found !== null;
    });
    const { index, 0: all } = found as unknown as RegExpExecArray;
    seen += index + all.length;
  };
  try {
    await shows(/url +http:\S+/);
    const url = /http:\S+/.exec(screen)?.[0] ?? "";
    return await use({ url, screen: () => screen, shows, press: (key) => child.write(key), ended });
  } finally {
    if (!isOver) child.kill("SIGTERM");
    await ended;
  }
}
