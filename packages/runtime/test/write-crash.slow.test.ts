// PostgreSQL crashes in the middle of a request: one of its processes, after which it throws out everybody and
// recovers, or all of it. There is all or nothing, whoever asked is told what is known, and the application, which was
// never restarted, works as soon as the server does.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CrashingServer, startCrashing } from "../../database/test/crashing-server.js";
import { type Answer, eventually, type Ground, openGround } from "./write-ground.js";

const SOURCE = `
model Word { field text { type string } reference page { to Page } }
model Page { field size { type integer, default 0 } relation words { from Word, through page } }
model Log { field text { type string } }
api {
  entrypoint Page as page {
    get endpoint {}
    POST one "lone" { action { update page { set size size + 1 } } }
    POST one "merged" {
      extra inputs { field said { type string } }
      action { create page.words as word { set text said } update page { set size size + 1 } create Log { set text word.text } }
    }
    POST one "long" {
      extra inputs { field said { type string } }
      action {
        create page.words as word { set text said }
        query as all { from page.words, count }
        update page { set size all }
        create Log { set text said }
      }
    }
    POST one "code" {
      extra inputs { field said { type string } }
      action {
        create page.words as word { set text said }
        execute { hook { arg text word.text, source pass from "./h.ts" } }
        update page { set size size + 1 }
        create Log { set text said }
      }
    }
  }
}
`;

/** What code does meanwhile. */
let pass: () => unknown = () => null;
let server: CrashingServer;
let ground: Ground;

beforeAll(async () => {
  server = await startCrashing();
  process.env.DATABASE_URL_TEST = server.url;
  ground = await openGround({ source: SOURCE, hooks: { "h.ts#pass": () => pass() }, poolSize: 3 });
  await ground.database.execute("insert into page (size) values (0)");
});
afterAll(async () => {
  await ground.close();
  await server.stop();
});
beforeEach(async () => {
  pass = () => null;
  await ground.database.execute("delete from word; delete from log; update page set size = 0");
});

const KINDS = ["lone", "merged", "long", "code"] as const;
type Kind = (typeof KINDS)[number];

const post = (kind: Kind): Promise<Answer> =>
  ground.send("POST", `/api/page/1/${kind}`, kind === "lone" ? {} : { body: { said: "a word" } });

/** Words, size of the page, entries of the log. */
const STATE =
  "select (select count(*) from word)::int w, (select size from page)::int s, (select count(*) from log)::int l";

async function state(): Promise<string> {
  const [row] = await ground.database.query(STATE);
  return JSON.stringify(Object.values(row ?? {}));
}

/** Also our own look at it has lost its connection. */
async function recovered(): Promise<void> {
  await eventually(async () => {
    const answer = await ground.send("GET", "/api/page/1");
    if (answer.status !== 200) expectUnavailable(answer);
    return answer.status === 200;
  }, 60_000);
  await eventually(
    () =>
      state().then(
        () => true,
        () => false,
      ),
    60_000,
  );
}

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.json().code], answer.body).toEqual([503, "unavailable"]);
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  expect(answer.body).not.toMatch(/select |insert |recovery|\.ts\b/);
}

const BACKEND = "datname = current_database() and pid <> pg_backend_pid()";

/** The process of the server that works for the request; the row of the page is locked, so that it has to wait. */
async function backendOf(condition: string): Promise<number> {
  const sql = `select min(pid)::int as pid from pg_stat_activity where ${BACKEND} and ${condition}`;
  let pid = 0;
  await eventually(async () => {
    const [row] = await ground.database.query(sql);
    pid = Number(row?.pid ?? 0);
    return pid > 0;
  });
  return pid;
}

/** Somebody else has the record, so that the request waits in the database. */
async function whileLocked(kind: Kind, crash: (pid: number) => Promise<void> | void): Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  const holding = ground.database.transaction(async (transaction) => {
    await transaction.query("select 1 from page for update");
    answer = post(kind);
    await crash(await backendOf("wait_event_type = 'Lock'"));
    await transaction.query("select pg_sleep(60)");
  });
  await expect(holding).rejects.toThrow();
  if (answer === undefined) throw new Error("Nothing was sent.");
  return answer;
}

const DONE: Readonly<Record<Kind, string>> = {
  lone: "[0,1,0]",
  merged: "[1,1,1]",
  long: "[1,1,1]",
  code: "[1,1,1]",
};

/** Nothing of it was kept, and the same request works now. */
async function expectUndoneThenDone(kind: Kind, answer: Answer): Promise<void> {
  expectUnavailable(answer);
  await recovered();
  expect(await state()).toBe("[0,0,0]");
  pass = () => null;
  expect((await post(kind)).status).toBe(204);
  expect(await state()).toBe(DONE[kind]);
}

describe("one of its processes crashes", () => {
  test.each(KINDS)("while %s waits for a lock", async (kind) => {
    const answer = await whileLocked(kind, (pid) => void process.kill(pid, "SIGKILL"));
    await expectUndoneThenDone(kind, answer);
  });

  test("while code runs in the transaction", async () => {
    pass = async () => {
      process.kill(await backendOf("state = 'idle in transaction'"), "SIGKILL");
    };
    await expectUndoneThenDone("code", await post("code"));
  });

  test("of somebody else: a request under way is undone as well", async () => {
    const answer = await whileLocked("merged", async () => {
      process.kill(await backendOf("wait_event = 'PgSleep' or state = 'idle in transaction'"), "SIGKILL");
    });
    await expectUndoneThenDone("merged", answer);
  });

  test("twice in a row", async () => {
    for (let round = 0; round < 2; round++) {
      const answer = await whileLocked("lone", (pid) => void process.kill(pid, "SIGKILL"));
      expectUnavailable(answer);
      await recovered();
    }
    expect(await state()).toBe("[0,0,0]");
  });
});

describe("the whole server crashes", () => {
  test.each(KINDS)("while %s waits for a lock; started again, it is used again", async (kind) => {
    const answer = await whileLocked(kind, () => server.crash());
    expectUnavailable(answer);
    expectUnavailable(await post(kind));
    await server.restart();
    await expectUndoneThenDone(kind, answer);
  });

  test("under load: every request was done whole or not at all, and none hangs", async () => {
    let isOver = false;
    let done = 0;
    const asking = Array.from({ length: 10 }, async (_, index) => {
      while (!isOver) {
        const answer = await post(index % 2 === 0 ? "merged" : "long");
        if (answer.status === 204) done++;
        else expectUnavailable(answer);
      }
    });
    await eventually(() => done > 20);
    await server.crash();
    await server.restart();
    const before = done;
    await eventually(() => done > before + 20, 60_000);
    isOver = true;
    await Promise.all(asking);
    await recovered();
    const [words, , entries] = JSON.parse(await state());
    expect(words).toBe(entries);
    expect(words).toBeGreaterThanOrEqual(done);
  });
});
