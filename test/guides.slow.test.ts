// The guides on testing and embedding are true: their programs run in a new project. So is what the guide on hooks says of
// tests: its own runs in the project that the page makes.

import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFolder } from "../packages/cli/test/run.js";
import { createProject } from "../packages/create-stoa/src/index.js";
import { ROOT } from "../tools/bootstrap.mjs";
import { run } from "./process.js";
import { blocksOf, readPage } from "./walk/markdown.js";
import { FILE } from "./walk/walk.js";

interface Program {
  readonly file: string;
  readonly accounts: boolean;
  readonly text: string;
}

/** Blocks whose first line is the name of their file. */
async function programsOf(page: string): Promise<Program[]> {
  const text = await readFile(join(ROOT, "docs/guides", page), "utf8");
  return [...text.matchAll(/```js\n\/\/ (\S+)( \(accounts\))?\n(.*?)```/gs)].map(
    ([, file = "", accounts, program = ""]) => ({ file, accounts: accounts !== undefined, text: program }),
  );
}

async function inProject(program: Program, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "stoa-guide-"));
  await chmod(folder, 0o755);
  try {
    const template = join(ROOT, "packages/create-stoa/template");
    await createProject({ template, dir: folder, name: "guide", accounts: program.accounts });
    await mkdir(join(folder, "node_modules"));
    await symlink(join(ROOT, "packages/cli"), join(folder, "node_modules/stoa"));
    await symlink(join(ROOT, "node_modules/express"), join(folder, "node_modules/express"));
    await mkdir(dirname(join(folder, program.file)), { recursive: true });
    await writeFile(join(folder, program.file), program.text);
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const { VITEST: _vitest, NODE_OPTIONS: _options, ...inherited } = process.env;
const env = { ...inherited, PORT: "0" } as Record<string, string>;
const stoa = join(ROOT, "packages/cli/bin/stoa.cjs");

describe("the guide on testing", async () => {
  const programs = await programsOf("testing.md");

  it("has programs", () => {
    expect(programs.map(({ accounts }) => accounts)).toEqual([false, true]);
  });

  it.each(programs)("$file passes", (program) =>
    inProject(program, async (cwd) => {
      const { code, output } = await run(process.execPath, ["--test", program.file], { cwd, env });
      expect(code, output).toBe(0);
      expect(output).toMatch(/^[#ℹ] pass [12]$/m);
    }),
  );
});

describe("the guide on hooks", () => {
  it("shows a test that `node --test` finds and that passes", () =>
    inFolder(filesOf("docs/guides/hooks.md"), async (cwd) => {
      await mkdir(join(cwd, "node_modules"));
      await symlink(join(ROOT, "packages/cli"), join(cwd, "node_modules/stoa"));
      const { code, output } = await run(process.execPath, ["--test"], { cwd, env });
      expect(code, output).toBe(0);
      expect(output).toMatch(/^[#ℹ] pass 2$/m);
    }));
});

/** The files that a page makes, by name. */
function filesOf(path: string): Record<string, string> {
  const made = blocksOf(readPage(path)).map(({ info, text }) => [FILE.exec(info)?.[1] ?? "", text]);
  return Object.fromEntries(made.filter(([name]) => name !== ""));
}

describe("the guide on embedding", async () => {
  const [program] = await programsOf("embedding.md");

  it("shows a server that serves both, and ends", async () => {
    if (program === undefined) throw new Error("There is no program.");
    await inProject(program, async (cwd) => {
      expect((await run(process.execPath, [stoa, "build"], { cwd, env })).code).toBe(0);
      expect((await run(process.execPath, [stoa, "db", "populate", "-p", "Dev"], { cwd, env })).code).toBe(0);
      const child = spawn(process.execPath, [program.file], {
        cwd,
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = new Promise((resolve) => child.once("close", resolve));
      try {
        const port = await new Promise<string>((resolve, reject) => {
          child.stdout.on("data", (chunk) => {
            const found = /port (\d+)/.exec(String(chunk))?.[1];
            if (found !== undefined) resolve(found);
          });
          child.once("close", () => reject(new Error("The server has ended.")));
        });
        const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
        expect(await ask("/hello")).toBe("hello");
        expect(JSON.parse(await ask("/api/list/home"))).toMatchObject({ name: "Home", openTasks: 5 });
      } finally {
        child.kill("SIGTERM");
      }
      expect(await ended).toBe(0);
    });
  });
});
