// Questions on a terminal: yes, no, nothing, Ctrl-C and Ctrl-D, each with what becomes of the data.

import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, createDatabase, startThrowaway } from "@stoa/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inFolder, stoa } from "./run.js";
import { inTerminal, KEYS } from "./terminal.js";

const TWO = "model Book {\n  field title { type string }\n  field note { type string, nullable }\n}\n";
const ONE = "model Book {\n  field title { type string }\n}\n";
const RENAMED = "model Book {\n  field title { type string }\n  field remark { type string, nullable }\n}\n";

let server: Awaited<ReturnType<typeof startThrowaway>>;
let count = 0;

beforeAll(async () => {
  server = await startThrowaway();
});

afterAll(async () => {
  await server.stop();
});

interface Project {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  query(sql: string): Promise<readonly object[]>;
}

/** A project with two columns and a row, in a database of its own. */
function inProject(use: (project: Project) => Promise<void>): Promise<void> {
  return inFolder({ "app.stoa": TWO }, async (cwd) => {
    const url = await createDatabase(server.url, `asking_${++count}`);
    const database = connect({ url, poolSize: 1 });
    const env = { DATABASE_URL: url };
    try {
      expect((await stoa(["db", "push"], { cwd, env })).code).toBe(0);
      await database.execute("INSERT INTO book (title, note) VALUES ('Emma', 'good')");
      await use({ cwd, env, query: (sql) => database.query(sql) });
    } finally {
      await database.close();
    }
  });
}

const ANSWERS = [
  ["no", `n${KEYS.enter}`, 1],
  ["nothing but enter", KEYS.enter, 1],
  ["something else", `maybe${KEYS.enter}`, 1],
  ["Ctrl-D", KEYS.ctrlD, 1],
  ["Ctrl-C", KEYS.ctrlC, 130],
] as const;

describe("stoa db push asks before a column goes", () => {
  it.each(["y", "yes", "Y"])("%s: it goes", (answer) =>
    inProject(async ({ cwd, env, query }) => {
      await writeFile(join(cwd, "app.stoa"), ONE);
      const { code, screen } = await inTerminal(["db", "push"], [`${answer}${KEYS.enter}`], { cwd, env });
      expect(screen).toContain(
        "This loses data:\n  drops the column note of book and all its values\nGo on? [y/N]",
      );
      expect(screen).toContain("✓ 1 step done");
      expect(code).toBe(0);
      expect(await query("SELECT * FROM book")).toEqual([{ id: "1", title: "Emma" }]);
    }),
  );

  it.each(ANSWERS)("%s: it stays", (_, keys, expected) =>
    inProject(async ({ cwd, env, query }) => {
      await writeFile(join(cwd, "app.stoa"), ONE);
      const { code, screen } = await inTerminal(["db", "push"], [keys], { cwd, env });
      expect(screen).toContain("nothing was changed");
      expect(code).toBe(expected);
      expect(await query("SELECT note FROM book")).toEqual([{ note: "good" }]);
      // Nothing is locked, and nobody holds on to anything.
      expect((await stoa(["db", "push", "--accept-data-loss"], { cwd, env })).code).toBe(0);
    }),
  );

  it("does not ask where nothing is lost", () =>
    inProject(async ({ cwd, env }) => {
      await writeFile(
        join(cwd, "app.stoa"),
        TWO.replace("note", "tip { type string, nullable }\n  field note"),
      );
      const { code, screen } = await inTerminal(["db", "push"], [], { cwd, env });
      expect(screen).not.toContain("[y/N]");
      expect(code).toBe(0);
    }));
});

describe("stoa db migrate asks whether it is a rename", () => {
  async function migrate(cwd: string, answers: readonly string[], ...flags: string[]) {
    expect((await stoa(["db", "migrate", "--name", "one"], { cwd })).code).toBe(0);
    await writeFile(join(cwd, "app.stoa"), RENAMED);
    return inTerminal(["db", "migrate", "--name", "two", ...flags], answers, { cwd });
  }

  it("yes: the column is renamed, and it is said what to write down", () =>
    inFolder({ "app.stoa": TWO }, async (cwd) => {
      const { code, screen } = await migrate(cwd, [`y${KEYS.enter}`]);
      expect(screen).toContain("Is it a rename? [y/N]");
      expect(screen).toContain("was note");
      expect(screen).toContain("renames the column note of book to remark");
      expect(code).toBe(0);
      expect(await readdir(join(cwd, "migrations"))).toEqual(["0001_one", "0002_two"]);
    }));

  it("no: it would be lost, which is refused", () =>
    inFolder({ "app.stoa": TWO }, async (cwd) => {
      const { code, screen } = await migrate(cwd, [`n${KEYS.enter}`]);
      expect(screen).toContain("--allow-destructive");
      expect(code).toBe(1);
      expect(await readdir(join(cwd, "migrations"))).toEqual(["0001_one"]);
    }));

  it("nothing but enter, where losses are allowed: one goes, the other comes", () =>
    inFolder({ "app.stoa": TWO }, async (cwd) => {
      const { code, screen } = await migrate(cwd, [KEYS.enter], "--allow-destructive");
      expect(screen).toContain("drops the column note of book");
      expect(screen).toContain("adds the column remark to book");
      expect(code).toBe(0);
    }));

  it("Ctrl-C: nothing is written", () =>
    inFolder({ "app.stoa": TWO }, async (cwd) => {
      const { code, screen } = await migrate(cwd, [KEYS.ctrlC], "--allow-destructive");
      expect(screen).toContain("nothing was changed");
      expect(code).toBe(130);
      expect(await readdir(join(cwd, "migrations"))).toEqual(["0001_one"]);
    }));
});

describe("stoa db reset asks before all data goes", () => {
  it("yes: the tables are empty", () =>
    inProject(async ({ cwd, env, query }) => {
      const { code, screen } = await inTerminal(["db", "reset"], [`yes${KEYS.enter}`], { cwd, env });
      expect(screen).toContain("This deletes all data of this project's tables. Go on? [y/N]");
      expect(screen).toContain("✓ 1 table emptied");
      expect(code).toBe(0);
      expect(await query("SELECT * FROM book")).toEqual([]);
    }));

  it.each(ANSWERS)("%s: everything stays", (_, keys, expected) =>
    inProject(async ({ cwd, env, query }) => {
      const { code, screen } = await inTerminal(["db", "reset"], [keys], { cwd, env });
      expect(screen).toContain("nothing was changed");
      expect(code).toBe(expected);
      expect(await query("SELECT title FROM book")).toEqual([{ title: "Emma" }]);
    }),
  );
});

it("Ctrl-C at a question stops the embedded database, too", () =>
  inFolder({ "app.stoa": TWO }, async (cwd) => {
    expect((await stoa(["db", "push"], { cwd })).code).toBe(0);
    await writeFile(join(cwd, "app.stoa"), ONE);
    const { code } = await inTerminal(["db", "push"], [KEYS.ctrlC], { cwd });
    expect(code).toBe(130);
    expect(existsSync(join(cwd, ".stoa/db/PG_VERSION"))).toBe(true);
    expect(existsSync(join(cwd, ".stoa/db/postmaster.pid"))).toBe(false);
  }));
