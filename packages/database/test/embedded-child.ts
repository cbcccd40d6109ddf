// Runs the embedded server in processes of their own, which tests can kill at any moment. The sources are
// bundled once per test file; `embedded-program.ts` is what runs.

import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
let folder = "";

/** Call at the top of a test file. */
export function bundleProgram(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "stoa-program-"));
    chmodSync(folder, 0o755);
    await build({
      entryPoints: [join(here, "embedded-program.ts")],
      outfile: join(folder, "program.mjs"),
      ...{ bundle: true, format: "esm", platform: "node", target: "node20", logLevel: "error" },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

export interface Child {
  readonly process: ChildProcess;
  /** What it has said so far: one value per line. */
  readonly said: readonly Said[];
  /** The next thing of a kind that it says, or has said. */
  hear(kind: string): Promise<Said>;
  kill(signal: NodeJS.Signals): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export type Said = { readonly kind: string } & Record<string, unknown>;

export interface ChildOptions {
  readonly uid?: number;
  readonly gid?: number;
  readonly env?: NodeJS.ProcessEnv;
}

export function startChild(mode: string, projectDir: string, options: ChildOptions = {}): Child {
  const { env = {}, ...account } = options;
  const child = spawn(process.execPath, [join(folder, "program.mjs"), mode, projectDir], {
    ...account,
    cwd: "/",
    // The bundle is outside the repository, and finds the binaries by this path.
    env: { ...process.env, NODE_PATH: resolve(here, "../../../node_modules"), ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said: Said[] = [];
  const listeners = new Set<() => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    said.push(JSON.parse(line));
    for (const listener of [...listeners]) listener();
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.once("close", (code, signal) => done({ code, signal }));
  });
  return {
    ...{ process: child, said, ended },
    hear: (kind) =>
      new Promise((found, reject) => {
        const look = () => {
          const match = said.find((each) => each.kind === kind);
          if (match === undefined) return;
          listeners.delete(look);
          found(match);
        };
        listeners.add(look);
        look();
        ended.then(({ code }) => reject(new Error(`ended (${code}) after saying ${JSON.stringify(said)}`)));
      }),
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

/** The processes whose command line mentions a folder. Test files check that none is left. */
export function processesOf(path: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(path);
      } catch {
        return false;
      }
    })
    .map(Number);
}

export async function untilNoneIsLeft(path: string, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (processesOf(path).length > 0) {
    if (performance.now() > end) throw new Error(`processes left behind: ${processesOf(path).join(", ")}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
}
