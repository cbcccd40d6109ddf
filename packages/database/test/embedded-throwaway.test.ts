import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { connect, createDatabase, dropDatabase, EmbeddedError, startThrowaway } from "../src/index.js";
import { bundleProgram, startChild, untilNoneIsLeft } from "./embedded-child.js";
import { isRoot, NOBODY } from "./embedded-project.js";
import { testDatabase } from "./server.js";

bundleProgram();

test("a throwaway server is gone without a trace when it is stopped", async () => {
  const server = await startThrowaway();
  const folder = dirname(server.dataDir);
  expect(existsSync(folder)).toBe(true);
  await server.stop();
  await server.stop();
  expect(existsSync(folder)).toBe(false);
  await untilNoneIsLeft(folder, 100);
});

test.each([
  ["killed", "SIGKILL"],
  ["interrupted", "SIGINT"],
] as const)("a throwaway server is gone when its process is %s", async (_, signal) => {
  const child = startChild("throwaway", "/");
  const { dataDir } = await child.hear("started");
  await child.kill(signal);
  await untilNoneIsLeft(String(dataDir), 5000);
  expect(existsSync(dirname(String(dataDir)))).toBe(false);
});

test.runIf(isRoot)("a throwaway server works for a normal user", async () => {
  const child = startChild("throwaway", "/", NOBODY);
  const { dataDir } = await child.hear("started");
  await child.kill("SIGKILL");
  await untilNoneIsLeft(String(dataDir), 5000);
});

test("a throwaway server does not care for the disk", async () => {
  const { database } = await testDatabase();
  const sql = "select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages";
  expect(await database.query(sql)).toEqual([{ fsync: "off", pages: "off" }]);
});

test("a throwaway server that cannot start says why and leaves nothing behind", async () => {
  const failure = await startThrowaway({ settings: { shared_buffers: "nonsense" } }).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(EmbeddedError);
  expect((failure as EmbeddedError).hint).toContain("shared_buffers");
});

test("databases are made as copies of a template, and dropped while in use", async () => {
  const server = await startThrowaway();
  const template = await createDatabase(server.url, 'the "template"');
  const first = connect({ url: template });
  await first.execute("create table copied as select 42 as answer");
  await first.close();
  const copy = await createDatabase(server.url, "copy", 'the "template"');
  const second = connect({ url: copy });
  expect(await second.query("select answer from copied")).toEqual([{ answer: 42 }]);
  await dropDatabase(server.url, "copy");
  await expect(second.query("select 1")).rejects.toMatchObject({
    kind: expect.stringMatching(/unavailable|other/),
  });
  await second.close();
  await server.stop();
});

test("the server of the tests is shared within a file, and its databases are not", async () => {
  const [first, second] = await Promise.all([testDatabase(), testDatabase()]);
  await first.database.execute("create table mine ()");
  expect(await second.database.query("select to_regclass('mine')::text as found")).toEqual([{ found: null }]);
  expect(new URL(first.url).search).toBe(new URL(second.url).search);
});
