// `stoa dev` as a process of a test: with its output in pipes or on a terminal of its own, and always ended.

import { spawn } from "node:child_process";
import { type IPty, spawn as spawnInTerminal } from "@lydell/node-pty";
import { BIN, type RunOptions } from "./run.js";
import { until } from "./serve.js";

export interface Developing {
  readonly url: string;
  readonly pid: number;
  /** The log so far, one object per line. */
  log(): Record<string, unknown>[];
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly code: number | null }>;
}

/** Runs `use` while `stoa dev` serves on a free port. What is still running afterwards is ended. */
export async function whileDeveloping<Result>(
  args: readonly string[],
  { cwd, env = {} }: RunOptions,
  use: (developing: Developing) => Promise<Result>,
): Promise<Result> {
  const child = spawn(process.execPath, [BIN, "dev", "--port", "0", ...args], { cwd, env: environment(env) });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null }>((resolve) => {
    child.on("close", (code) => resolve({ code }));
  });
  const log = () =>
    stdout
      .split("\n")
      .slice(0, -1)
      .map((line): Record<string, unknown> => JSON.parse(line));
  const findUrl = () => log().find(({ msg }) => msg === "listening")?.url;
  try {
    await Promise.race([until(() => findUrl() !== undefined), ended]);
    const url = findUrl();
    if (typeof url !== "string") throw new Error(`stoa dev has not started:\n${stdout}${stderr}`);
    const kill = (signal: NodeJS.Signals): boolean => child.kill(signal);
    return await use({ url, pid: child.pid ?? 0, log, stderr: () => stderr, kill, ended });
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

export interface Terminal {
  readonly url: string;
  /** All that was shown so far. */
  screen(): string;
  /** Waits until this is shown, from here on. */
  shows(text: string | RegExp): Promise<void>;
  press(key: string): void;
  readonly ended: Promise<{ readonly exitCode: number }>;
}

/** The same on a terminal. */
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

function environment(env: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const { DATABASE_URL: _url, PORT: _port, HOST: _host, FORCE_COLOR: _force, ...inherited } = process.env;
  return { ...inherited, NO_COLOR: "1", ...env };
}
