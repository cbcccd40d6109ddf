// `stoa db migrate`, `deploy`, `status` and `baseline` as people use them, and deployments that are killed for real.

import { spawn } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, createDatabase, type Database, startThrowaway } from "@stoa/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN, inFolder, stoa } from "./run.js";

const MODEL = "model Book {\n  field title { type string }\n}\n";
const CODED =
  "model Book {\n  field title { type string, index }\n  field code { type uuid, default uuid() }\n}\n";

let server: Awaited<ReturnType<typeof startThrowaway>>;
let count = 0;

beforeAll(async () => {
  server = await startThrowaway();
});

afterAll(async () => {
  await server.stop();
});

async function newDatabase(): Promise<string> {
  return createDatabase(server.url, `app_${++count}`);
}

async function query(url: string, sql: string) {
  const database = connect({ url, poolSize: 1 });
  try {
    return await database.query(sql);
  } finally {
    await database.close();
  }
}

describe("from models to a database", () => {
  it("writes, deploys, tells, and finds nothing to do", () =>
    inFolder({ "app.stoa": MODEL }, async (cwd) => {
      const env = { DATABASE_URL: await newDatabase() };
      const run = (...args: string[]) => stoa(["db", ...args], { cwd, env });
      expect(await run("status")).toMatchObject({
        code: 1,
        stdout: "there are no migrations yet; `stoa db migrate` writes the first\n",
      });
      expect((await run("migrate", "--name", "First one!")).stdout).toContain(
        "✓ migrations/0001_first_one/up.sql: 1 step, replayed in an empty database",
      );
      expect(await run("migrate", "--name", "again")).toMatchObject({
        code: 0,
        stdout: "✓ nothing has changed since 0001_first_one, nothing was written\n",
      });
      expect(await run("status")).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("0001_first_one pending"),
      });
      const dry = await run("deploy", "--dry-run");
      expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was changed") });
      expect(await run("deploy")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("✓ 1 migration applied"),
      });
      expect(await run("deploy")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("nothing to do"),
      });
      const status = await run("status", "--json");
      expect(JSON.parse(status.stdout)).toMatchObject({
        ok: true,
        pending: [],
        drift: [],
        modelsChanged: false,
      });
      await writeFile(join(cwd, "app.stoa"), CODED);
      expect(await run("status")).toMatchObject({
        code: 1,
        stdout: expect.stringContaining("the models have changed"),
      });
      await query(env.DATABASE_URL, "SELECT FROM _stoa.session");
    }));

  it("stops where something may be lost, and says what to write", () =>
    inFolder({ "app.stoa": MODEL }, async (cwd) => {
      const run = (...args: string[]) => stoa(["db", "migrate", "--name", "x", ...args], { cwd });
      await run();
      await writeFile(join(cwd, "app.stoa"), MODEL.replace("title", "name"));
      const renamed = await run("--allow-destructive");
      expect(renamed.code).toBe(1);
      expect(renamed.stderr).toContain("field name { …, was title }");
      await writeFile(join(cwd, "app.stoa"), "model Book {\n  timestamps\n}\n");
      expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining("--allow-destructive") });
      await writeFile(join(cwd, "app.stoa"), MODEL.replace("string", "json"));
      const rewrite = await run();
      expect(rewrite).toMatchObject({ code: 1, stderr: expect.stringContaining("--allow-rewrite") });
      expect(rewrite.stderr).toContain("1. add a nullable field");
      expect(await readdir(join(cwd, "migrations"))).toEqual(["0001_x"]);
    }));

  it("files that do not lead to the models are found before a new one is written", () =>
    inFolder({ "app.stoa": MODEL }, async (cwd) => {
      await stoa(["db", "migrate", "--name", "one"], { cwd });
      const file = join(cwd, "migrations/0001_one/up.sql");
      await writeFile(file, `${await readFile(file, "utf8")}ALTER TABLE book ADD COLUMN note text;\n`);
      await writeFile(join(cwd, "app.stoa"), CODED);
      const { code, stderr } = await stoa(["db", "migrate", "--name", "two"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("adds the column note to book");
      expect(await readdir(join(cwd, "migrations"))).toEqual(["0001_one"]);
    }));

  it("a database that push has made is adopted when it matches", () =>
    inFolder({ "app.stoa": MODEL }, async (cwd) => {
      const env = { DATABASE_URL: await newDatabase() };
      const run = (...args: string[]) => stoa(["db", ...args], { cwd, env });
      await run("push");
      await writeFile(join(cwd, "app.stoa"), CODED);
      expect(await run("baseline")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("drops the column code of book"),
      });
      await run("push");
      expect(await run("baseline")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("marked as applied"),
      });
      expect((await run("status")).code).toBe(0);
      await rm(join(cwd, "migrations"), { recursive: true });
      expect(await run("deploy")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("no migrations"),
      });
    }));
});

describe("kill -9", () => {
  it("at any time, and the next deployment goes on", () =>
    inFolder({ "app.stoa": MODEL }, async (cwd) => {
      const url = await newDatabase();
      const env = { DATABASE_URL: url };
      await stoa(["db", "migrate", "--name", "one"], { cwd });
      await stoa(["db", "deploy"], { cwd, env });
      await query(url, "INSERT INTO book (title) SELECT 'Book ' || n FROM generate_series(1, 60000) n");
      await writeFile(join(cwd, "app.stoa"), CODED);
      await stoa(["db", "migrate", "--name", "two"], { cwd });
      // In the middle of the batches, several times, and once later.
      for (const steps of [1, 2, 2, 3]) await killed(cwd, url, steps);
      const unfinished = await query(url, "SELECT name FROM _stoa.migration WHERE finished_at IS NULL");
      expect(unfinished).toEqual([{ name: "0002_two" }]);
      expect(await stoa(["db", "deploy"], { cwd, env })).toMatchObject({ code: 0 });
      expect((await stoa(["db", "status"], { cwd, env })).code).toBe(0);
      const rows = await query(
        url,
        "SELECT count(*)::text AS all, count(DISTINCT code)::text AS codes FROM book",
      );
      expect(rows).toEqual([{ all: "60000", codes: "60000" }]);
    }));
});

/** As soon as so many steps of the second migration are begun. */
async function killed(cwd: string, url: string, steps: number): Promise<void> {
  const child = spawn(process.execPath, [BIN, "db", "deploy"], {
    cwd,
    env: { ...process.env, DATABASE_URL: url },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const database = connect({ url, poolSize: 1 });
  const begun = "SELECT FROM _stoa.migration_step WHERE number = 2 AND step >= $1";
  const before = await lastProgress(database);
  while (child.exitCode === null) {
    const isBegun = (await database.query(begun, [steps - 1])).length > 0;
    if (isBegun && (await lastProgress(database)) !== before) break;
    await sleep(5);
  }
  child.kill("SIGKILL");
  await ended;
  await database.close();
}

/** Changes with every step and every batch. */
async function lastProgress(database: Database): Promise<string> {
  const rows = await database.query(
    "SELECT step, progress FROM _stoa.migration_step WHERE number = 2 ORDER BY step",
  );
  return JSON.stringify(rows);
}
