// `stoa/testing`: an API within the process, on a database of its own.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@stoa/database";
import { describe, expect, it } from "vitest";
import { startTest, type TestApplication, type TestOptions } from "../src/testing.js";
import { inFolder } from "./run.js";

const PROGRAM = `auth {
  model User
  password { identify email, secret password }
}

model User {
  field email { type string, unique }
  field password { type string, secret }
  relation notes { from Note, through owner }
}

model Note {
  field text { type string }
  reference owner { to User, on delete cascade }

  hook loud { arg text text, source shout from "./texts.ts" }
}

api {
  entrypoint Note as note {
    authorize { @auth is not null }
    response { id, text, loud }

    list endpoint { filter { owner is @auth } }
    create endpoint {
      action {
        create { set owner @auth }
      }
    }
  }
}

populator Dev {
  populate User {
    repeat as i 2
    set email "user" + stringify(i.current) + "@example.org"
    set password "password"

    populate notes { set text fake("sentence") }
  }
}
`;

const PROJECT = {
  "app.stoa": PROGRAM,
  "texts.ts": "export const shout = ({ text }: { text: string }): string => text.toUpperCase();\n",
};

const within = (
  options: TestOptions,
  use: (app: TestApplication, folder: string) => Promise<void>,
  files: Readonly<Record<string, string>> = PROJECT,
) =>
  inFolder(files, async (dir) => {
    const app = await startTest({ dir, ...options });
    try {
      await use(app, dir);
    } finally {
      await app.close();
    }
  });

const failure = (options: TestOptions, files: Readonly<Record<string, string>> = PROJECT) =>
  inFolder(files, async (dir): Promise<string> => {
    const error = await startTest({ dir, ...options }).then(
      () => new Error("It started."),
      (reason: Error) => reason,
    );
    return error.message;
  });

describe("requests", () => {
  it("are anonymous, or on behalf of a user, and run hooks", () =>
    within({ populator: "Dev" }, async (app) => {
      expect((await app.fetch("/api/note")).status).toBe(401);
      const created = await app.as(2).fetch("/api/note", { method: "POST", json: { text: "hello" } });
      expect(created.status).toBe(201);
      expect(await created.json()).toEqual({ id: 3, text: "hello", loud: "HELLO" });
      expect(await (await app.as("1").fetch("/api/note")).json()).toHaveLength(1);
      expect(await (await app.as("2").fetch("/api/note")).json()).toHaveLength(2);
    }));

  it("may be whatever fetch takes", () =>
    within({ populator: "Dev" }, async (app) => {
      const { fetch } = app.as(1);
      expect((await fetch(new URL("http://somewhere/api/note"))).status).toBe(200);
      expect((await fetch(new Request("http://somewhere/api/note"))).status).toBe(200);
      const headers = { "content-type": "application/json" };
      expect((await fetch("/api/note", { method: "POST", body: '{"text":"a"}', headers })).status).toBe(201);
      await expect(fetch("/api/note", { method: "POST", body: "{}", json: {} })).rejects.toThrow("not both");
    }));

  it("come through a port where that is needed, also after a reset", () =>
    within({ populator: "Dev" }, async (app) => {
      const { url } = await app.listen();
      const login = async () => {
        const body = JSON.stringify({ email: "user1@example.org", password: "password" });
        const headers = { "content-type": "application/json" };
        return (await fetch(`${url}/api/auth/login`, { method: "POST", body, headers })).status;
      };
      expect(await login()).toBe(200);
      await app.reset();
      expect(await login()).toBe(200);
    }));
});

describe("the database", () => {
  it("is again what it was after a reset, ids too", () =>
    within({ populator: "Dev" }, async (app) => {
      const { fetch } = app.as(1);
      const before = await (await fetch("/api/note")).text();
      for (let round = 0; round < 4; round++) {
        const created = await fetch("/api/note", { method: "POST", json: { text: "more" } });
        expect(await created.json()).toMatchObject({ id: 3 });
        await app.reset();
        expect(await (await fetch("/api/note")).text()).toBe(before);
      }
    }));

  it("is each test's own, with the same data for the same seed", () =>
    within({ populator: "Dev" }, async (one, dir) => {
      const two = await startTest({ dir, populator: "Dev" });
      const other = await startTest({ dir, populator: "Dev", seed: 7 });
      const notes = async (app: TestApplication) => (await app.as(1).fetch("/api/note")).text();
      expect(await notes(two)).toBe(await notes(one));
      expect(await notes(other)).not.toBe(await notes(one));
      await one.as(1).fetch("/api/note", { method: "POST", json: { text: "mine" } });
      expect(await notes(two)).not.toBe(await notes(one));
      await Promise.all([two.close(), other.close()]);
      expect((await one.as(1).fetch("/api/note")).status).toBe(200);
    }));

  it("is never the one of DATABASE_URL, and nothing of it stays in the project", () =>
    within({}, async (app, dir) => {
      process.env.DATABASE_URL = "postgres://nobody@127.0.0.1:1/real";
      try {
        await app.reset();
        const again = await startTest({ dir });
        expect(again.databaseUrl).not.toContain("real");
        await again.close();
      } finally {
        delete process.env.DATABASE_URL;
      }
      expect(await readdir(join(dir, ".stoa"))).toEqual([]);
    }));

  it("can be on a server that is there, whose databases are left alone", () =>
    within({}, async (server, dir) => {
      const databaseUrl = server.databaseUrl;
      const app = await startTest({ dir, databaseUrl, populator: "Dev" });
      await app.reset();
      expect((await app.as(1).fetch("/api/note")).status).toBe(200);
      const own = new URL(app.databaseUrl).pathname;
      expect(own).not.toBe(new URL(databaseUrl).pathname);
      await app.close();
      const database = connect({ url: databaseUrl });
      const left = await database.query("select 1 from pg_database where datname = $1", [own.slice(1)]);
      const users = await database.query('select 1 from "user"', []);
      await database.close();
      expect({ left, users }).toEqual({ left: [], users: [] });
    }));
});

describe("the end", () => {
  it("comes once, also by `await using`", () =>
    inFolder(PROJECT, async (dir) => {
      const app = await startTest({ dir });
      await app[Symbol.asyncDispose]();
      await app.close();
      await expect(app.fetch("/api/note")).rejects.toThrow("is closed");
      await expect(app.reset()).rejects.toThrow("is closed");
    }));
});

describe("what is wrong is told", () => {
  it("with the places in the sources", async () => {
    const message = await failure({}, { "app.stoa": "model Book {\n  field title { type strin }\n}\n" });
    expect(message).toContain("The project does not compile.");
    expect(message).toContain("app.stoa:2:22");
    expect(message).toContain("did you mean `string`?");
  });

  it("with the places in modules", async () => {
    const message = await failure({}, { ...PROJECT, "texts.ts": "export const shuot = 1;\n" });
    expect(message).toBe(
      "app.stoa:16:37: texts.ts exports no function shout (it exports shuot; did you mean shuot?) (mend the module, then run the command again)",
    );
  });

  it.each<[string, TestOptions]>([
    ["There is no populator Nope. (there is: Dev)", { populator: "Nope" }],
    [
      "There is no folder /nowhere. (check the path, or leave it out to use this folder)",
      { dir: "/nowhere" },
    ],
    ["The database server at 127.0.0.1:1 cannot be reached.", { databaseUrl: "postgres://a@127.0.0.1:1/a" }],
  ])("%s", async (message, options) => {
    expect(await failure(options)).toBe(message);
  });

  it("when there are no users to be", () =>
    within(
      {},
      async (app) => {
        expect(() => app.as(1)).toThrow("no `auth` block");
      },
      { "app.stoa": "model Book {\n  field title { type string }\n}\n" },
    ));
});
