// Accidents at random moments, many times over.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { bundleProgram, type Child, startChild, untilNoneIsLeft } from "./embedded-child.js";
import { ask, makeEmptyProject, makeProject, start } from "./embedded-project.js";

bundleProgram();
vi.setConfig({ testTimeout: 300_000 });

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** How long a child takes to its first word, so that moments can be drawn from the whole of it. */
async function measureStart(project: string): Promise<number> {
  const startedAt = performance.now();
  const child = startChild("stay", project);
  await child.hear("started");
  const taken = performance.now() - startedAt;
  await child.kill("SIGTERM");
  return taken;
}

test("kill -9 during the first start: the next start succeeds, 20 times", async () => {
  const takenMs = await measureStart(makeEmptyProject());
  let project = makeEmptyProject();
  for (let round = 0; round < 20; round++) {
    const child = startChild("stay", project);
    await pause(Math.random() * takenMs);
    await child.kill("SIGKILL");
    // Every third survivor of several accidents is looked at closely; then it begins anew.
    if (round % 3 !== 2) continue;
    const server = await start(project);
    expect(server.isOwner).toBe(true);
    expect(await ask(server, "select current_database()::text as name")).toEqual([{ name: "stoa" }]);
    expect(readdirSync(join(project, ".stoa")).sort()).toEqual(["db", "db.log"]);
    await server.stop();
    project = makeEmptyProject();
  }
});

test("kill -9 during a later start: the next start succeeds, 20 times", async () => {
  const project = await makeProject();
  const takenMs = await measureStart(project);
  for (let round = 0; round < 20; round++) {
    const child = startChild("stay", project);
    await pause(Math.random() * takenMs * 1.2);
    await child.kill("SIGKILL");
  }
  const server = await start(project);
  expect(server.isOwner).toBe(true);
  expect(await ask(server, "select 1 as one")).toEqual([{ one: 1 }]);
  await server.stop();
  await untilNoneIsLeft(project);
});

test("kill -9 while rows are written: every committed row is there, 20 times", async () => {
  const project = await makeProject();
  const committed: string[] = [];
  for (let round = 0; round < 20; round++) {
    const child = startChild("write", project);
    await child.hear("started");
    await pause(Math.random() * 300);
    await child.kill("SIGKILL");
    committed.push(...child.said.filter((said) => said.kind === "committed").map((said) => String(said.id)));
  }
  const server = await start(project);
  const rows = (await ask(server, "select id from written")) as { id: string }[];
  const present = new Set(rows.map((row) => row.id));
  expect(committed.length).toBeGreaterThan(20);
  expect(committed.filter((id) => !present.has(id))).toEqual([]);
});

test("kill -9 of the server itself while rows are written: every committed row is there, 5 times", async () => {
  const project = await makeProject();
  const committed: string[] = [];
  for (let round = 0; round < 5; round++) {
    const child = startChild("write", project);
    await child.hear("committed");
    await pause(Math.random() * 100);
    const server = await start(project);
    expect(server.isOwner).toBe(false);
    await ask(server, "select pg_backend_pid()");
    process.kill(
      Number(readFileSync(join(project, ".stoa/db/postmaster.pid"), "utf8").split("\n")[0]),
      "SIGKILL",
    );
    await child.ended;
    committed.push(...child.said.filter((said) => said.kind === "committed").map((said) => String(said.id)));
  }
  const rows = (await ask(await start(project), "select id from written")) as { id: string }[];
  const present = new Set(rows.map((row) => row.id));
  expect(committed.filter((id) => !present.has(id))).toEqual([]);
});

test.each([
  ["the first start", makeEmptyProject],
  ["a later start", makeProject],
])("ten commands at the same instant: one owns the server, all use it (%s)", async (_, make) => {
  const project = await make();
  const children = Array.from({ length: 10 }, () => startChild("stay", project));
  const started = await Promise.all(children.map((child) => child.hear("started")));
  expect(started.filter((each) => each.isOwner)).toHaveLength(1);
  expect(new Set(started.map((each) => each.url)).size).toBe(1);
  const waited = children.flatMap((child) => child.said.filter((said) => said.kind === "log"));
  for (const each of waited) expect(String(each.message)).toMatch(/^Waiting for /);
  await endAll(children);
  await untilNoneIsLeft(project);
});

test("ten commands and kill -9 of the owner, again and again: somebody always becomes the next", async () => {
  const project = await makeProject();
  for (let round = 0; round < 5; round++) {
    const children = Array.from({ length: 5 }, () => startChild("stay", project));
    const started = await Promise.all(children.map((child) => child.hear("started")));
    const owner = children[started.findIndex((each) => each.isOwner)];
    expect(owner).toBeDefined();
    await owner?.kill("SIGKILL");
    const next = startChild("stay", project);
    expect(await next.hear("started")).toMatchObject({ isOwner: true });
    await endAll([...children, next]);
  }
});

test("a server whose owner lives is left alone, however long it takes to answer", async () => {
  const project = await makeProject();
  const owner = startChild("stay", project);
  const { url } = await owner.hear("started");
  const postmaster = Number(readFileSync(join(project, ".stoa/db/postmaster.pid"), "utf8").split("\n")[0]);
  process.kill(postmaster, "SIGSTOP");
  const second = startChild("stay", project);
  await pause(7000);
  process.kill(postmaster, "SIGCONT");
  expect(await second.hear("started")).toMatchObject({ isOwner: false, url });
  expect(second.said.map((said) => said.message)).toContain("Waiting for the database to start …");
  await endAll([second, owner]);
});

async function endAll(children: readonly Child[]): Promise<void> {
  await Promise.all(children.map((child) => child.kill("SIGTERM")));
}
