// The command line in a real pseudo-terminal: what it asks is read from the screen, and answered with keys.

import { spawn } from "@lydell/node-pty";
import { BIN, type RunOptions } from "./run.js";

export interface Shown {
  readonly code: number;
  /** All that was on the screen, without colours and carriage returns. */
  readonly screen: string;
}

export const KEYS = { enter: "\r", ctrlC: "\u0003", ctrlD: "\u0004" } as const;

/** Runs a command, and presses keys whenever it asks a question: the first answer for the first one, and so on. */
export function inTerminal(
  args: readonly string[],
  answers: readonly string[],
  { cwd, env = {} }: RunOptions,
): Promise<Shown> {
  const { NO_COLOR: _none, FORCE_COLOR: _force, CI: _ci, ...inherited } = process.env;
  const terminal = spawn(process.execPath, [BIN, ...args], {
    ...{ name: "xterm", cols: 200, rows: 50, cwd },
    env: { ...(inherited as Record<string, string>), ...env },
  });
  return new Promise((resolve) => {
    let screen = "";
    let answered = 0;
    terminal.onData((data) => {
      screen += data;
      const asked = plain(screen).split("[y/N]").length - 1;
      for (; answered < Math.min(asked, answers.length); answered++) terminal.write(answers[answered] ?? "");
    });
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, screen: plain(screen) }));
  });
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
}
