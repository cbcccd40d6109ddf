// The first five minutes of somebody new: `npm create stoa`, `npm install`, `npm run dev`, a change, a mistake, Ctrl-C.
// The packages come from a registry within this process, as they would be published; nothing else is different.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "./process.js";
import { type Registry, startRegistry } from "./registry.js";
import { CTRL_C, ENTER, onTerminal } from "./terminal.js";

let folder: string;
let project: string;
let registry: Registry;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "stoa-first-")));
  // The embedded server runs as another user when the tests run as root; it must be able to enter.
  await chmod(folder, 0o755);
  project = join(folder, "shop");
  registry = await startRegistry(["typescript", "@types/node"]);
});
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

const npm = (args: readonly string[], cwd = project) => run("npm", args, { cwd, env: registry.env });

async function succeed(args: readonly string[], cwd = project): Promise<string> {
  const { code, output } = await npm(args, cwd);
  expect(code, output).toBe(0);
  return output;
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const path = join(project, file);
  const before = await readFile(path, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(path, after);
}

/** Processes that have to do with the project, from the command line to PostgreSQL. */
function processes(): string[] {
  const lines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(folder));
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.sequential("a new project", () => {
  it("is made by answering two questions", () =>
    onTerminal(["npm", "create", "stoa"], { cwd: folder, env: registry.env }, async (terminal) => {
      await terminal.see("Where shall the project be? (my-stoa-app)");
      terminal.type(`shop${ENTER}`);
      await terminal.see("With accounts, for users who log in? [y/N]");
      terminal.type(ENTER);
      expect(await terminal.ended).toBe(0);
      const next = terminal
        .text()
        .split("\n")
        .map((line) => line.trim());
      expect(next).toEqual(expect.arrayContaining(["cd shop", "npm install", "npm run dev"]));
    }));

  it("is not made when somebody thinks better of it", () =>
    onTerminal(["npm", "create", "stoa"], { cwd: folder, env: registry.env }, async (terminal) => {
      await terminal.see("Where shall the project be?");
      terminal.type(CTRL_C);
      expect(await terminal.ended).not.toBe(0);
      expect(existsSync(join(folder, "my-stoa-app"))).toBe(false);
    }));

  it("installs", async () => {
    await succeed(["install"]);
    expect(JSON.parse(await readFile(join(project, "package.json"), "utf8")).name).toBe("shop");
  });

  it("passes its own tests and checks, and leaves no process behind", async () => {
    expect(await succeed(["test"])).toMatch(/^[#ℹ] pass 4$/m);
    await succeed(["run", "check"]);
    await until(() => processes().length === 0);
  });

  it("has hooks whose types are checked", async () => {
    const file = "src/hooks/urgency.ts";
    await edit(file, (text) => text.replace("({ dueOn, isDone })", "({ dueOn, isDoen: isDone })"));
    const { code, output } = await npm(["run", "check"]);
    expect(code).not.toBe(0);
    expect(output).toContain("'isDoen' does not exist on type 'TaskUrgencyArgs'");
    await edit(file, (text) => text.replace("isDoen: isDone", "isDone"));
  });

  it("is served, follows changes, outlives mistakes, and ends with Ctrl-C", async () => {
    const env = { ...registry.env, PORT: "0" };
    await onTerminal(["npm", "run", "dev"], { cwd: project, env }, async (terminal) => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(await terminal.see(/http:\/\/127\.0\.0\.1:\d+/))?.[0];
      const home = async (): Promise<object> => {
        const body: unknown = await (await fetch(`${url}/api/list/home`)).json();
        return Object(body);
      };
      await until(async () => (await fetch(`${url}/api/list/home`)).status === 200);
      expect(await home()).toEqual({ name: "Home", slug: "home", openTasks: 5 });
      expect((await fetch(`${url}/docs`)).status).toBe(200);

      await edit("src/api.stoa", (text) => text.replace("name, slug, openTasks", "name, openTasks"));
      await until(async () => !("slug" in (await home())));

      const before = terminal.text().length;
      await edit("src/api.stoa", (text) => text.replace("name, openTasks", "name, opnTasks"));
      const told = await terminal.see("did you mean `openTasks`?", before);
      expect(told).toContain("src/api.stoa:4:");
      expect(await home()).toEqual({ name: "Home", openTasks: 5 });

      await edit("src/api.stoa", (text) => text.replace("name, opnTasks", "name, count: openTasks"));
      await until(async () => "count" in (await home()));
      expect(await home()).toEqual({ name: "Home", count: 5 });

      expect(processes().length).toBeGreaterThan(0);
      terminal.type(CTRL_C);
      expect(await terminal.ended).toBe(0);
      await expect(home()).rejects.toThrow("fetch failed");
    });
    await until(() => processes().length === 0);
  });

  it("is built and started", async () => {
    await succeed(["run", "build"]);
    const env = { ...registry.env, PORT: "0" };
    await onTerminal(["npm", "start"], { cwd: project, env }, async (terminal) => {
      const url = /"url":"([^"]+)"/.exec(await terminal.see(/"msg":"listening","url":"[^"]+"/))?.[1];
      expect(await (await fetch(`${url}/api/list/office`)).json()).toEqual({ name: "Office", count: 2 });
      terminal.type(CTRL_C);
      expect(await terminal.ended).toBe(0);
    });
    await until(() => processes().length === 0);
  });

  it("is made once: what is there is never touched", async () => {
    const { code, output } = await npm(["create", "stoa", "shop"], folder);
    expect(code).toBe(1);
    expect(output).toContain(
      "shop is not empty: there is .env.example, .stoa, node_modules, package-lock.json",
    );
  });
});

describe("a new project with accounts", () => {
  it("passes its own tests and checks", async () => {
    await succeed(["create", "stoa", "club", "--", "--accounts"], folder);
    const club = join(folder, "club");
    // The same packages: installing them once more would show nothing new.
    await symlink(join(project, "node_modules"), join(club, "node_modules"));
    expect(await succeed(["test"], club)).toMatch(/^[#ℹ] pass 5$/m);
    await succeed(["run", "check"], club);
  });
});
