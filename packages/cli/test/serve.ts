// `stoa start` as a process of a test: started, asked, and always ended.

import { spawn } from "node:child_process";
import { BIN, type RunOptions } from "./run.js";

export interface Serving {
  readonly url: string;
  readonly pid: number;
  /** The log so far, one object per line. */
  log(): Record<string, unknown>[];
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

/** Runs `use` while `stoa start` serves on a free port. What is still running afterwards is killed. */
export async function whileServing<Result>(
  args: readonly string[],
  { cwd, env = {} }: RunOptions,
  use: (serving: Serving) => Promise<Result>,
): Promise<Result> {
  const options = { cwd, env: { ...process.env, NO_COLOR: "1", ...env } };
  const child = spawn(process.execPath, [BIN, "start", "--port", "0", ...args], options);
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
    if (typeof url !== "string") throw new Error(`stoa start has not started:\n${stdout}${stderr}`);
    return await use({ url, pid: child.pid ?? 0, log, kill: (signal) => child.kill(signal), ended });
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

/** Waits until something is so. What never comes is ended by the test's own timeout. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}
