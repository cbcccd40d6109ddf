// Commands in the tutorial and the guides print what the pages show, in the project that the page has made so far; and
// an application runs from the files that the guide to deploying names.

import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inFolder, stoa } from "../packages/cli/test/run.js";
import { until, whileServing } from "../packages/cli/test/serve.js";
import { testDatabase } from "../packages/database/test/server.js";
import { blocksOf, findPages, readPage } from "./walk/markdown.js";
import type { Project } from "./walk/project.js";
import { walk } from "./walk/walk.js";

const pages = ["docs/tutorial.md", ...findPages("docs/guides")].map(readPage);
const withCommands = pages.filter((page) => blocksOf(page).some(({ info }) => info === "console"));

for (const page of withCommands) describe(page.path, () => walk(page, { runConsole: runCommands }));

const COMMAND = /^\$ npx stoa (.*)$/;

async function runCommands(text: string, project: Project): Promise<string> {
  const env = { DATABASE_URL: await project.databaseUrl() };
  const commands = text.split("\n").filter((line) => line.startsWith("$ "));
  const parts = commands.map(async (line) => {
    const args = COMMAND.exec(line)?.[1]?.split(" ");
    if (args === undefined) throw new Error(`This is no command of stoa: ${line}`);
    const { stdout, stderr } = await stoa(args, { cwd: project.folder, env });
    expect(stderr).toBe("");
    return `${line}\n${stdout}`;
  });
  return (await Promise.all(parts)).join("\n");
}

const PROGRAM = `
model Book { field title { type string } }

api { entrypoint Book { list endpoint {} } }
`;

/** What the guide says a server needs: the folder of `stoa build`, the migrations, and the package file. */
const ON_THE_SERVER = [".stoa/build", "migrations", "package.json"];

test("an application is deployed and started without its sources", async () => {
  const { url } = await testDatabase();
  const env = { DATABASE_URL: url, NODE_ENV: "production" };
  await inFolder({ "app.stoa": PROGRAM, "package.json": "{}" }, async (built) => {
    expect(await stoa(["build"], { cwd: built })).toMatchObject({ code: 0 });
    expect(await stoa(["db", "migrate", "--name", "init"], { cwd: built })).toMatchObject({ code: 0 });
    await inFolder({}, async (cwd) => {
      for (const name of ON_THE_SERVER) await cp(join(built, name), join(cwd, name), { recursive: true });
      await whileServing([], { cwd, env }, async (serving) => {
        const isReady = async () => (await fetch(`${serving.url}/health/ready`)).status;
        expect((await fetch(`${serving.url}/health/live`)).status).toBe(200);
        expect(await isReady()).toBe(503);
        expect(await stoa(["db", "deploy"], { cwd, env })).toMatchObject({ code: 0 });
        expect(await stoa(["db", "status"], { cwd, env })).toMatchObject({ code: 0 });
        await until(async () => (await isReady()) === 200);
        expect(await (await fetch(`${serving.url}/api/book`)).json()).toEqual([]);
        expect((await stoa(["db", "reset", "--yes"], { cwd: built, env })).stderr).toContain(
          "--allow-production",
        );
        serving.kill("SIGTERM");
        expect((await serving.ended).code).toBe(0);
      });
    });
  });
});
