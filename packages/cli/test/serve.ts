// `stoa start` and `stoa dev` as processes of a test: started, asked, and always ended.

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { BIN, type RunOptions } from "./run.js";

export interface Serving {
  readonly url: string;
  readonly pid: number;
  /** The log so far, one object per line. */
  log(): Record<string, unknown>[];
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

type Use<Result> = (serving: Serving) => Promise<Result>;

/** Runs `use` while `stoa start` serves on a free port. What is still running afterwards is ended. */
export function whileServing<Result>(
  args: readonly string[],
  options: RunOptions,
  use: Use<Result>,
): Promise<Result> {
  return whileRunning(["start", ...args], options, use);
}

/** The same with `stoa dev`. */
export function whileDeveloping<Result>(
  args: readonly string[],
  options: RunOptions,
  use: Use<Result>,
): Promise<Result> {
  return whileRunning(["dev", ...args], options, use);
}

async function whileRunning<Result>(
  [command, ...args]: readonly [string, ...string[]],
  { cwd, env = {} }: RunOptions,
  use: Use<Result>,
): Promise<Result> {
  const options = { cwd, env: environment(env) };
  const child = spawn(process.execPath, [BIN, command, "--port", "0", ...args], options);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, stderr }));
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
    if (typeof url !== "string") throw new Error(`stoa ${command} has not started:\n${stdout}${stderr}`);
    const kill = (signal: NodeJS.Signals): boolean => child.kill(signal);
    return await use({ url, pid: child.pid ?? 0, log, stderr: () => stderr, kill, ended });
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

/** Waits until something is so. What never comes is ended by the test's own timeout. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Without what would change where it serves, and how it looks. */
export function environment(env: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const { DATABASE_URL: _url, PORT: _port, HOST: _host, FORCE_COLOR: _force, ...inherited } = process.env;
  return { ...inherited, NO_COLOR: "1", ...env };
}

/** Processes that were started for a folder and still run. */
export function processesOf(folder: string): string[] {
  if (!existsSync("/proc")) return [];
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  return ids.flatMap((id) => {
    try {
      const command = readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ");
      return command.includes(folder) ? [command] : [];
    } catch {
      return [];
    }
  });
}
