// `stoa db …` as people use it: on the embedded database of a project, and on a server.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, startThrowaway } from "@stoa/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inFolder, stoa } from "./run.js";

const MODELS = `model Author {
  field name { type string, unique }
  relation books { from Book, through author }
}

model Book {
  field title { type string }
  reference author { to Author }
}
`;

const POPULATOR = `populator Dev {
  populate Author as author {
    repeat as i 3
    set name "Author " + stringify(i.current)

    populate books {
      repeat as j 2
      set title author.name + ", volume " + stringify(j.current)
    }
  }
}
`;

const APP = { "models.stoa": MODELS, "dev.stoa": POPULATOR };

const good = { code: 0 };

describe("on the embedded database", () => {
  it("push makes the tables, and finds nothing to do the second time", () =>
    inFolder(APP, async (cwd) => {
      const first = await stoa(["db", "push"], { cwd });
      expect(first).toMatchObject(good);
      expect(first.stdout).toContain("+ adds the table author (additive)");
      const second = await stoa(["db", "push"], { cwd });
      expect(second).toMatchObject({ ...good, stdout: "✓ the database matches the models, nothing to do\n" });
    }));

  it("a dry run shows the statements and changes nothing", () =>
    inFolder(APP, async (cwd) => {
      const dry = await stoa(["db", "push", "--dry-run", "--sql"], { cwd });
      expect(dry).toMatchObject(good);
      expect(dry.stdout).toContain('CREATE TABLE "public"."author"');
      expect(dry.stdout).toContain("nothing was changed");
      expect((await stoa(["db", "push"], { cwd })).stdout).toContain("adds the table author");
    }));

  it("refuses to lose data where nobody can answer, and does it when told to", () =>
    inFolder(APP, async (cwd) => {
      await stoa(["db", "populate", "-p", "Dev"], { cwd });
      await writeFile(join(cwd, "models.stoa"), MODELS.replace("field title { type string }\n", ""));
      await writeFile(join(cwd, "dev.stoa"), POPULATOR.replace(/set title.*\n/, ""));
      const refused = await stoa(["db", "push"], { cwd });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("drops the column title of book and all its values");
      expect(refused.stderr).toContain("--accept-data-loss");
      expect((await stoa(["db", "push", "--accept-data-loss"], { cwd })).code).toBe(0);
    }));

  it("says which rows are in the way of a change, and what to do", () =>
    inFolder(APP, async (cwd) => {
      await stoa(["db", "populate", "-p", "Dev"], { cwd });
      await writeFile(
        join(cwd, "models.stoa"),
        MODELS.replace(
          "field title { type string }",
          "field title { type string }\n  field pages { type integer }",
        ),
      );
      await writeFile(
        join(cwd, "dev.stoa"),
        POPULATOR.replace("set title", "set pages 100\n      set title"),
      );
      const blocked = await stoa(["db", "push"], { cwd });
      expect(blocked.code).toBe(1);
      expect(blocked.stderr).toContain("pages");
      expect(blocked.stderr).toContain("= hint:");
      expect(blocked.stderr).toContain("nothing was changed");
    }));

  it("populate makes the tables, fills them, and starts over the next time", () =>
    inFolder(APP, async (cwd) => {
      const first = await stoa(["db", "populate", "-p", "Dev"], { cwd });
      expect(first).toMatchObject(good);
      expect(first.stdout).toContain("  Author  3\n  Book    6\n✓ Dev: 9 rows in");
      const kept = await stoa(["db", "populate", "-p", "Dev", "--json"], { cwd });
      expect(kept.code).toBe(0);
      expect(JSON.parse(kept.stdout)).toMatchObject({ populator: "Dev", rows: 9 });
    }));

  it("populate --if-empty leaves data alone", () =>
    inFolder(APP, async (cwd) => {
      const args = ["db", "populate", "-p", "Dev", "--if-empty"];
      expect((await stoa(args, { cwd })).stdout).toContain("✓ Dev: 9 rows in");
      expect(await stoa(args, { cwd })).toMatchObject({
        ...good,
        stdout: "✓ there is data already, nothing was populated\n",
      });
    }));

  it("a row that the database refuses is shown with its place, and nothing is populated", () =>
    inFolder(
      { ...APP, "dev.stoa": POPULATOR.replace('"Author " + stringify(i.current)', '"Ann"') },
      async (cwd) => {
        const { code, stderr } = await stoa(["db", "populate", "-p", "Dev"], { cwd });
        expect(code).toBe(1);
        expect(stderr).toContain("dev.stoa:");
        expect(stderr).toContain('name: "Ann"');
        expect(stderr).toContain("nothing was populated");
      },
    ));

  it("an unknown populator is named, with those there are", () =>
    inFolder(APP, async (cwd) => {
      const { code, stderr } = await stoa(["db", "populate", "-p", "Test"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("There is no populator Test.");
      expect(stderr).toContain("there is: Dev");
    }));

  it("reset asks, and without a terminal needs --yes", () =>
    inFolder(APP, async (cwd) => {
      expect(await stoa(["db", "reset"], { cwd })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("add --yes"),
      });
      expect(await stoa(["db", "reset", "--yes"], { cwd })).toMatchObject(good);
    }));

  it("sources with errors change nothing", () =>
    inFolder({ "a.stoa": "model Author { field name { type strin } }" }, async (cwd) => {
      const { code, stderr } = await stoa(["db", "push"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("error[unknown-type]");
      await expect(readFile(join(cwd, ".stoa/db/PG_VERSION"))).rejects.toThrow();
    }));
});

describe("on a server", () => {
  let server: Awaited<ReturnType<typeof startThrowaway>>;

  beforeAll(async () => {
    server = await startThrowaway();
  });

  afterAll(async () => {
    await server.stop();
  });

  it("DATABASE_URL names the database", () =>
    inFolder(APP, async (cwd) => {
      const env = { DATABASE_URL: server.url };
      expect((await stoa(["db", "populate", "-p", "Dev"], { cwd, env })).code).toBe(0);
      const database = connect({ url: server.url });
      const rows = await database.query('select count(*)::text as "count" from book');
      await database.close();
      expect(rows).toEqual([{ count: "6" }]);
    }));

  it("a server that is not there is the environment's fault: exit code 2", () =>
    inFolder(APP, async (cwd) => {
      const env = { DATABASE_URL: "postgres://nobody:secret-word@127.0.0.1:1/none" };
      const { code, stderr } = await stoa(["db", "push"], { cwd, env });
      expect(code).toBe(2);
      expect(stderr).toContain("check DATABASE_URL");
      expect(stderr).not.toContain("secret-word");
    }));

  it("data is not thrown away on another machine, or where NODE_ENV is production", () =>
    inFolder(APP, async (cwd) => {
      const remote = { DATABASE_URL: "postgres://app@db.example.com/shop" };
      for (const args of [
        ["db", "reset", "--yes"],
        ["db", "populate", "-p", "Dev"],
      ]) {
        expect(await stoa(args, { cwd, env: remote })).toMatchObject({
          code: 1,
          stderr: expect.stringContaining("This looks like a production database: it is on db.example.com."),
        });
        expect(await stoa(args, { cwd, env: { NODE_ENV: "production" } })).toMatchObject({
          code: 1,
          stderr: expect.stringContaining("NODE_ENV is production"),
        });
      }
    }));
});
