import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
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
    // The owner would notice and stop the server, if it were quick enough.
    owner.process.kill("SIGSTOP");
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
