// The connection to the database breaks at every point of a request; the application and the database die in the
// middle of one. There is all or nothing, whoever asked is told what is known, and the next request works.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { compile } from "@stoa/compiler";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, eventually, type Ground, oneValue, openGround, send } from "./write-ground.js";

const SOURCE = `
model Word { field text { type string } }
model Log { field text { type string } }
api {
  entrypoint Word {
    list endpoint {}
    create endpoint {}
    POST many "lines" {
      extra inputs { field said { type string } }
      action {
        create Word as word { set text said }
        query as words { from Word, count }
        create Log as first { set text word.text }
        query as logs { from Log, count }
        create Log as second { set text first.text }
        query as all { from Log, count }
        respond { body { text: second.text, counts: [words, logs, all] }, httpStatus 201 }
      }
    }
    POST many "pair" {
      extra inputs { field said { type string } }
      action {
        create Word as word { set text said }
        create Log as first { set text word.text }
        respond { body { text: first.text }, httpStatus 201 }
      }
    }
    POST many "code" {
      extra inputs { field said { type string } }
      action {
        create Word as word { set text said }
        query as words { from Word, count }
        query as logs { from Log, count }
        execute { hook { arg text word.text, source pass from "./h.ts" } }
        create Log as first { set text word.text }
        execute { hook { arg text first.text, source pass from "./h.ts" } }
        create Log as second { set text first.text }
        respond { body { text: second.text }, httpStatus 201 }
      }
    }
  }
}
`;

/** What code does meanwhile. */
let pass: () => unknown = () => null;

let ground: Ground;

beforeAll(async () => {
  const hooks = { "h.ts#pass": () => pass() };
  ground = await openGround({ source: SOURCE, hooks, poolSize: 1, isBehindProxy: true });
});
afterAll(() => ground.close());
beforeEach(() => {
  pass = () => null;
});

interface Kind {
  readonly path: string;
  /** How many rows it writes. */
  readonly rows: number;
  /** At least so many messages go to the server. */
  readonly leastMessages: number;
}

const KINDS: readonly [string, Kind][] = [
  ["a lone create", { path: "/api/word", rows: 1, leastMessages: 3 }],
  ["several actions in one statement", { path: "/api/word/pair", rows: 2, leastMessages: 3 }],
  ["several actions in one go", { path: "/api/word/lines", rows: 3, leastMessages: 11 }],
  ["a program with code in it", { path: "/api/word/code", rows: 3, leastMessages: 18 }],
];

const COUNT = "(select count(*) from word where text = $1) + (select count(*) from log where text = $1)";

async function kept(text: string): Promise<number> {
  const [row] = await ground.database.query(`select (${COUNT})::int as n`, [text]);
  return Number(row?.n);
}

/** The server may be busy with what it got before the cut. */
async function settle(): Promise<void> {
  const busy = `select count(*)::int from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  await eventually(async () => (await oneValue(ground.database, busy)) === 0);
}

const bodyFor = (path: string, text: string) => (path === "/api/word" ? { text } : { said: text });

let count = 0;
const freshText = () => `text ${count++}`;

function post(path: string, text: string, key?: string): Promise<Answer> {
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return ground.send("POST", path, { body: bodyFor(path, text), headers });
}

const UNKNOWN = /not known whether/;

/** All or nothing, and no word of the answer is wrong. */
async function expectHonest(answer: Answer, text: string, { rows }: Kind): Promise<void> {
  await settle();
  const found = await kept(text);
  expect([0, rows]).toContain(found);
  if (answer.status === 201) return expect(found).toBe(rows);
  expect([answer.status, answer.json().code], answer.body).toEqual([503, "unavailable"]);
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  expect(answer.body).not.toMatch(/select |insert |\.ts\b/);
  if (found > 0) expect(answer.json().detail).toMatch(UNKNOWN);
}

async function expectWorking(kind: Kind): Promise<void> {
  const text = freshText();
  const answer = await post(kind.path, text);
  expect(answer.status, `${answer.body} ${ground.logged.join("\n")}`).toBe(201);
  expect(await kept(text)).toBe(kind.rows);
}

async function hangUp(): Promise<void> {
  ground.proxy?.cut();
  await eventually(() => ground.proxy?.connectionCount === 0);
}

/** Cuts after one message more each time, until a request comes through. */
async function cutEverywhere(
  side: "client" | "server",
  kind: Kind,
  once: (text: string) => Promise<Answer>,
): Promise<{ readonly cuts: number; readonly outcomes: readonly string[] }> {
  const outcomes: string[] = [];
  for (let messages = 0; ; messages++) {
    await expectWorking(kind);
    const text = freshText();
    ground.proxy?.cutAfter(side, messages, { isDeaf: false });
    const answer = await once(text);
    await expectHonest(answer, text, kind);
    if (answer.status === 201) {
      await hangUp();
      await expectWorking(kind);
      return { cuts: messages, outcomes };
    }
    outcomes.push(
      `${UNKNOWN.test(answer.body) ? "unknown" : "undone"} ${(await kept(text)) > 0 ? "kept" : "gone"}`,
    );
  }
}

describe("the connection is cut", () => {
  test.each(KINDS)("on the way to the server, at every message of %s", async (_, kind) => {
    const { cuts, outcomes } = await cutEverywhere("client", kind, (text) => post(kind.path, text));
    expect(cuts).toBeGreaterThanOrEqual(kind.leastMessages);
    expect(outcomes.slice(0, -1).filter((outcome) => outcome.endsWith("kept"))).toEqual([]);
  });

  test.each(KINDS)("on the way back, at every message of %s", async (_, kind) => {
    const { outcomes } = await cutEverywhere("server", kind, (text) => post(kind.path, text));
    // The last message is missing, and the server has kept it all.
    expect(outcomes.at(-1)).toBe("unknown kept");
  });

  test("before a program with code is committed, which is known to be undone", async () => {
    const [, kind] = KINDS[3] as [string, Kind];
    const { outcomes } = await cutEverywhere("client", kind, (text) => post(kind.path, text));
    expect(outcomes.slice(0, -2).every((outcome) => outcome === "undone gone")).toBe(true);
  });

  test.each(KINDS)("with an Idempotency-Key, %s can be sent until it comes through", async (_, kind) => {
    for (const side of ["client", "server"] as const) {
      let messages = 0;
      for (let isThrough = false; !isThrough; messages++) {
        const text = freshText();
        expect((await post(kind.path, freshText(), freshText().replace(" ", "-"))).status).toBe(201);
        ground.proxy?.cutAfter(side, messages, { isDeaf: false });
        const key = `key-${side}-${messages}-${count++}`;
        const first = await post(kind.path, text, key);
        await expectHonest(first, text, kind);
        isThrough = first.status === 201;
        if (isThrough) await hangUp();
        const second = await post(kind.path, text, key);
        expect([second.status, second.json().text]).toEqual([201, text]);
        await settle();
        expect(await kept(text)).toBe(kind.rows);
      }
      expect(messages).toBeGreaterThan(4);
    }
  });
});

describe("while code runs", () => {
  const [, kind] = KINDS[3] as [string, Kind];

  test("the connection is lost", async () => {
    pass = () => ground.proxy?.cut();
    const text = freshText();
    const answer = await post(kind.path, text);
    await expectHonest(answer, text, kind);
    expect([answer.status, await kept(text)]).toEqual([503, 0]);
    pass = () => null;
    await expectWorking(kind);
  });

  test("the server ends the connection", async () => {
    pass = () =>
      ground.database.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
      );
    const text = freshText();
    const answer = await post(kind.path, text);
    expect([answer.status, await kept(text)]).toEqual([503, 0]);
    pass = () => null;
    await expectWorking(kind);
  });
});

test("a network that swallows everything costs a connection no longer than it must", async () => {
  const hooks = { "h.ts#pass": () => pass() };
  const silent = await openGround({
    ...{ source: SOURCE, hooks, poolSize: 1, isBehindProxy: true, requestTimeoutMs: 1000 },
  });
  const ask = () => silent.send("POST", "/api/word", { body: { text: "hush" } });
  expect((await ask()).status).toBe(201);
  silent.proxy?.cutAfter("client", 1_000_000);
  const answer = await ask();
  expect([answer.status, answer.json().detail]).toEqual([503, expect.stringMatching(UNKNOWN)]);
  await eventually(async () => (await ask()).status === 201);
  await silent.close();
});

test("the database is away: 503; it is back: all is well", async () => {
  await ground.proxy?.goDown();
  for (const [, kind] of KINDS) {
    const text = freshText();
    const answer = await post(kind.path, text, `away-${count++}`);
    await expectHonest(answer, text, kind);
    expect([answer.status, await kept(text)]).toEqual([503, 0]);
    expect(answer.json().detail).not.toMatch(UNKNOWN);
  }
  await ground.proxy?.comeBack();
  for (const [, kind] of KINDS) {
    await eventually(async () => (await post(kind.path, "again")).status === 201);
    await expectWorking(kind);
  }
});

describe("the application is killed", () => {
  const folder = mkdtempSync(join(tmpdir(), "stoa-fault-"));
  const children = new Set<ChildProcess>();

  beforeAll(async () => {
    const here = fileURLToPath(new URL(".", import.meta.url));
    await build({
      entryPoints: [join(here, "write-fault-program.ts")],
      outfile: join(folder, "program.mjs"),
      ...{ bundle: true, format: "esm", platform: "node", target: "node20", logLevel: "error" },
      conditions: ["stoa-source"],
    });
    const { definition } = compile([{ name: "app.stoa", text: SOURCE }]);
    writeFileSync(join(folder, "definition.json"), JSON.stringify(definition));
  });
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  /** The process, its port, and a promise that a word has been said. */
  async function start() {
    const args = [join(folder, "program.mjs"), join(folder, "definition.json"), ground.url];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    children.add(child);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
    await eventually(() => lines.some((line) => line.startsWith("port ")));
    return { child, lines, port: Number(lines[0]?.slice(5)) };
  }

  test("in the middle of a program: nothing is kept, no lock is left, and it starts again", async () => {
    const { child, lines, port } = await start();
    const post = (to: number, path: string, text: string) =>
      send(to, { method: "POST", path, body: bodyFor(path, text), headers: { "Idempotency-Key": "killed" } });
    const broken = post(port, "/api/word/code", "wait a");
    await eventually(() => lines.includes("waiting"));
    child.kill("SIGKILL");
    await expect(broken).rejects.toThrow();
    await settle();
    expect(await kept("wait a")).toBe(0);
    const again = await start();
    expect((await post(again.port, "/api/word/lines", "wait a")).status).toBe(201);
    expect(await kept("wait a")).toBe(3);
    again.child.kill("SIGKILL");
  });

  test("under fire: every request was done whole or not at all", async () => {
    for (let round = 0; round < 3; round++) {
      const { child, port } = await start();
      const answered: string[] = [];
      const texts = Array.from({ length: 300 }, (_, index) => `fire ${round} ${index}`);
      const sent = texts.map(async (text, index) => {
        const path = index % 2 === 0 ? "/api/word/lines" : "/api/word/code";
        const answer = await send(port, { method: "POST", path, body: bodyFor(path, text) }).catch(
          () => undefined,
        );
        if (answer?.status === 201) answered.push(text);
      });
      await eventually(() => answered.length > 20);
      child.kill("SIGKILL");
      await Promise.all(sent);
      await settle();
      const sql = `select t.text, (${COUNT.replaceAll("$1", "t.text")})::int as n from unnest($1::text[]) t (text)`;
      const rows = await ground.database.query<{ text: string; n: number }>(sql, [texts]);
      const partly = rows.filter(({ n }) => n !== 0 && n !== 3);
      const lost = rows.filter(({ text, n }) => n === 0 && answered.includes(text));
      expect([partly, lost]).toEqual([[], []]);
      expect(rows.filter(({ n }) => n === 3).length).toBeLessThan(300);
    }
  });
});
