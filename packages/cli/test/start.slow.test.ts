// `stoa start` as a process: on the embedded database, on a server that comes and goes, and how it ends.

import { existsSync, symlinkSync, unlinkSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, startThrowaway } from "@stoa/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inFolder, stoa } from "./run.js";
import { processesOf, until, whileServing } from "./serve.js";

const APP = {
  "app.stoa": `model Author {
  field name { type string, unique }
  relation books { from Book, through author }
}

model Book {
  field title { type string }
  reference author { to Author }
}

api {
  entrypoint Author as author {
    identify { through name }
    response { name, books { title } }

    list endpoint { paginable }
    get endpoint {}
    create endpoint {}
  }
}

populator Dev {
  populate Author {
    set name "Ann"

    populate books {
      repeat as i 2
      set title "Volume " + stringify(i.current)
    }
  }
}
`,
};

const ANN = { name: "Ann", books: [{ title: "Volume 1" }, { title: "Volume 2" }] };

async function status(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, init);
  await response.text();
  return response.status;
}

describe("on the embedded database", () => {
  it("serves what was built, and takes the database along when it ends", () =>
    inFolder(APP, async (cwd) => {
      await stoa(["build"], { cwd });
      await stoa(["db", "populate", "-p", "Dev"], { cwd });
      const code = await whileServing([], { cwd }, async ({ url, kill, ended, log }) => {
        expect(await (await fetch(`${url}/api/author/Ann`)).json()).toEqual(ANN);
        expect(await (await fetch(`${url}/api/author`)).json()).toMatchObject({ totalCount: 1, data: [ANN] });
        const head = await fetch(`${url}/api/author/Ann`, { method: "HEAD" });
        expect({ status: head.status, body: await head.text() }).toEqual({ status: 200, body: "" });
        expect(await status(`${url}/health/live`)).toBe(200);
        expect(await status(`${url}/health/ready`)).toBe(200);
        expect(await status(`${url}/api/author/Bob`)).toBe(404);
        expect(existsSync(join(cwd, ".stoa/db/postmaster.pid"))).toBe(true);
        kill("SIGTERM");
        const { code } = await ended;
        expect(log()[0]).toMatchObject({ msg: "listening", endpoints: 3, database: "the embedded database" });
        expect(log().at(-1)).toMatchObject({ msg: "stopped" });
        return code;
      });
      expect(code).toBe(0);
      expect(existsSync(join(cwd, ".stoa/db/postmaster.pid"))).toBe(false);
      expect(processesOf(cwd)).toEqual([]);
    }));

  it("says that the tables are missing, and serves once they are there", () =>
    inFolder(APP, async (cwd) => {
      await stoa(["build"], { cwd });
      await whileServing([], { cwd }, async ({ url, log }) => {
        await until(() => log().some(({ reason }) => String(reason).includes("`stoa db push`")));
        expect(await status(`${url}/health/ready`)).toBe(503);
        await stoa(["db", "push"], { cwd });
        await until(async () => (await status(`${url}/health/ready`)) === 200);
        expect(await status(`${url}/api/author`)).toBe(200);
        await until(() => log().some(({ msg }) => msg === "the database can serve the application now"));
      });
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

  const prepared = (use: (cwd: string, env: Record<string, string>) => Promise<void>) =>
    inFolder(APP, async (cwd) => {
      const env = { DATABASE_URL: server.url };
      await stoa(["build"], { cwd });
      await stoa(["db", "populate", "-p", "Dev"], { cwd, env });
      await use(cwd, env);
    });

  it.each(["SIGTERM", "SIGINT"] as const)("%s lets a request in flight end, and no new one begin", (signal) =>
    prepared(async (cwd, env) => {
      await whileServing([], { cwd, env }, async ({ url, kill, ended, log }) => {
        const unlock = await lockAuthors(server.url);
        const answer = fetch(`${url}/api/author/Ann`);
        await until(() => isWaiting(server.url));
        kill(signal);
        await until(async () => (await fetch(`${url}/health/live`).catch(() => null)) === null);
        await unlock();
        expect(await (await answer).json()).toEqual(ANN);
        expect(await ended).toMatchObject({ code: 0 });
        expect(log()).toContainEqual(expect.objectContaining({ msg: "stopping", signal }));
      });
    }),
  );

  it("a second signal does not wait", () =>
    prepared(async (cwd, env) => {
      await whileServing([], { cwd, env }, async ({ url, kill, ended, log }) => {
        const unlock = await lockAuthors(server.url);
        const answer = fetch(`${url}/api/author/Ann`).catch(() => "cut off");
        await until(() => isWaiting(server.url));
        kill("SIGINT");
        // As npm does on Ctrl-C: one wish, told twice.
        kill("SIGINT");
        await sleep(700);
        expect(log()).toContainEqual(expect.objectContaining({ msg: "stopping" }));
        kill("SIGINT");
        expect(await ended).toMatchObject({ code: 130 });
        expect(await answer).toBe("cut off");
        expect(log()).not.toContainEqual(expect.objectContaining({ msg: "stopped" }));
        await unlock();
      });
    }));

  it("flags win over the environment", () =>
    prepared(async (cwd) => {
      const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", HOST: "203.0.113.1", PORT: "x" };
      const flags = ["--database-url", server.url, "--host", "127.0.0.1", "--log-level", "debug"];
      await whileServing(flags, { cwd, env }, async ({ url, log }) => {
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
        expect(await status(`${url}/health/ready`)).toBe(200);
        await until(() => log().some(({ route, level }) => route === "health/ready" && level === "debug"));
      });
    }));
});

describe("while the database is away", () => {
  it("is up, answers 503, and serves when it comes, each time it comes", () =>
    inFolder(APP, async (cwd) => {
      await stoa(["build"], { cwd });
      const link = join(cwd, "socket");
      const url = `postgres://stoa@localhost/postgres?host=${encodeURIComponent(link)}`;
      const env = { DATABASE_URL: url };
      await whileServing([], { cwd, env }, async (serving) => {
        for (let round = 0; round < 2; round++) {
          expect(await status(`${serving.url}/health/live`)).toBe(200);
          await until(async () => (await status(`${serving.url}/health/ready`)) === 503);
          expect(await status(`${serving.url}/api/author`)).toBe(503);
          const server = await startThrowaway();
          symlinkSync(new URL(server.url).searchParams.get("host") ?? "", link);
          expect((await stoa(["db", "populate", "-p", "Dev"], { cwd, env })).code).toBe(0);
          await until(async () => (await status(`${serving.url}/health/ready`)) === 200);
          expect(await (await fetch(`${serving.url}/api/author/Ann`)).json()).toEqual(ANN);
          unlinkSync(link);
          await server.stop();
        }
        serving.kill("SIGTERM");
        expect(await serving.ended).toMatchObject({ code: 0 });
      });
    }));
});

describe("what cannot be started", () => {
  const nowhere = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };

  it("an application that was not built", () =>
    inFolder({ "shop/app.stoa": APP["app.stoa"] }, async (cwd) => {
      const { code, stderr } = await stoa(["start", "shop"], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain("The application is not built: there is no shop/.stoa/build/definition.json.");
      expect(stderr).toContain("run `stoa build shop` first");
    }));

  it("a definition of another version, in the reader's words", () =>
    inFolder(APP, async (cwd) => {
      await mkdir(join(cwd, "out"));
      await writeFile(join(cwd, "out/definition.json"), '{ "version": 99 }');
      const { code, stderr } = await stoa(["start", "--build", "out"], { cwd, env: nowhere });
      expect(code).toBe(1);
      expect(stderr).toContain("made by a newer Stoa (version 99)");
    }));

  it("on a port that is taken", () =>
    inFolder(APP, async (cwd) => {
      await stoa(["build"], { cwd });
      const other = createServer();
      const port = await new Promise<number>((resolve) => {
        other.listen(0, "127.0.0.1", () => resolve((other.address() as { port: number }).port));
      });
      const { code, stderr } = await stoa(["start", "--port", String(port)], { cwd, env: nowhere });
      other.close();
      expect(code).toBe(2);
      expect(stderr).toContain(`Port ${port} of 127.0.0.1 is in use by another program.`);
      expect(stderr).toContain("choose another port (--port, --host)");
    }));

  it.each(["", "abc", "70000", "-1", "1.5"])("on the port %j", (port) =>
    inFolder(APP, async (cwd) => {
      const { code, stderr } = await stoa(["start", `--port=${port}`], { cwd, env: nowhere });
      expect(code).toBe(1);
      expect(stderr).toContain(`--port: "${port}" is not a port.`);
    }),
  );

  it("with a database URL that is none, without repeating it", () =>
    inFolder(APP, async (cwd) => {
      await stoa(["build"], { cwd });
      const env = { DATABASE_URL: "mysql://root:secret-word@db/shop" };
      const { code, stderr } = await stoa(["start"], { cwd, env });
      expect(code).toBe(1);
      expect(stderr).toContain("environment DATABASE_URL: the database URL must begin with postgres://.");
      expect(stderr).not.toContain("secret-word");
    }));
});

/** Nobody can read authors from now on, until what it gives is called. */
async function lockAuthors(url: string): Promise<() => Promise<void>> {
  const database = connect({ url, poolSize: 1 });
  let unlock = () => {};
  const unlocked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  let over: Promise<void> = Promise.resolve();
  await new Promise<void>((locked) => {
    over = database.transaction(async (transaction) => {
      await transaction.execute("lock table author in access exclusive mode");
      locked();
      await unlocked;
    });
  });
  return async () => {
    unlock();
    await over;
    await database.close();
  };
}

/** Whether a statement waits for a lock. */
async function isWaiting(url: string): Promise<boolean> {
  const database = connect({ url, poolSize: 1 });
  try {
    const rows = await database.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'");
    return rows.length > 0;
  } finally {
    await database.close();
  }
}
