// Many at once, on a real server: whatever the order in which they come, nothing is lost, nothing is done twice, and
// nobody hears of a fault that is not theirs.

import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, countStatuses, type Ground, oneValue, openGround, times } from "./write-ground.js";

const SOURCE = `
model Word { field text { type string, unique }, field note { type string, nullable } }
model Counter {
  field name { type string, unique }
  field n { type integer, default 0 }
  relation marks { from Mark, through counter }
  relation notes { from Note, through counter }
  computed noteCount { count(notes) }
}
model Mark { field text { type string } reference counter { to Counter, on delete cascade } }
model Note { field text { type string } reference counter { to Counter } }
model Log { field text { type string } }
api {
  entrypoint Word { create endpoint {} update endpoint {} delete endpoint {} get endpoint {} }
  entrypoint Counter as counter {
    identify { through name }
    get endpoint {}
    update endpoint {}
    delete endpoint {}
    POST one "own" { action { update counter { set n n + 1 } } }
    POST one "alias" { action { update counter as after { set n counter.n + 1 } respond { body { n: after.n } } } }
    POST one "twice" {
      action {
        update counter as first { set n n + 1 }
        update first as second { set n n + 1 }
        create Log { set text "twice" }
        respond { body { n: second.n } }
      }
    }
    POST many "found" {
      extra inputs { field which { type string } }
      action {
        query as it { from Counter, filter { name is which }, one }
        update it { set n it.n + 1 }
      }
    }
    POST many "all" { action { query { from Counter, update { set n n + 1 } } } }
    POST one "code" {
      action {
        execute { hook { arg n counter.n, source wait from "./hooks.ts" } }
        update counter { set n counter.n + 1 }
      }
    }
    POST one "set" { action { update counter { set n hook { arg n counter.n, source next from "./hooks.ts" } } } }
    POST many "both" {
      extra inputs { field first { type string } field second { type string } }
      action {
        query as a { from Counter, filter { name is first }, one }
        update a { set n a.n + 1 }
        query as b { from Counter, filter { name is second }, one }
        update b { set n b.n + 1 }
      }
    }
    POST many "there" {
      action {
        query as a { from Counter, filter { name is "a" }, one }
        update a { set n n + 1 }
        query as b { from Counter, filter { name is "b" }, one }
        update b { set n n + 1 }
      }
    }
    POST many "back" {
      action {
        query as b { from Counter, filter { name is "b" }, one }
        update b { set n n + 1 }
        query as a { from Counter, filter { name is "a" }, one }
        update a { set n n + 1 }
      }
    }
    POST many "both-with-code" {
      extra inputs { field first { type string } field second { type string } }
      action {
        query as a { from Counter, filter { name is first }, one }
        update a { set n a.n + 1 }
        execute { hook { arg n 1, source wait from "./hooks.ts" } }
        query as b { from Counter, filter { name is second }, one }
        update b { set n b.n + 1 }
      }
    }
    entrypoint marks { create endpoint {} list endpoint {} }
    entrypoint notes { create endpoint { response { text, counter { noteCount } } } }
  }
  entrypoint Mark { create endpoint {} }
  entrypoint Note { create endpoint {} }
}
`;

const hooks = {
  "hooks.ts#wait": () => pause(1),
  "hooks.ts#next": async ({ n }: { n: number }) => {
    await pause(1);
    return n + 1;
  },
};

let ground: Ground;

beforeAll(async () => {
  ground = await openGround({ source: SOURCE, hooks, deadlockTimeoutMs: 50 });
});
afterAll(() => ground.close());
beforeEach(async () => {
  ground.logged.length = 0;
  await ground.database.execute(
    `truncate word, counter, mark, note, log, _stoa.idempotent_request;
     insert into counter (id, name, n) overriding system value values (501, 'a', 0), (502, 'b', 0)`,
  );
});

const post = (path: string, body?: unknown, headers = {}) => ground.send("POST", path, { body, headers });
const counterOf = (name: string) =>
  oneValue(ground.database, `select n::int from counter where name = '${name}'`);

/** Answers that the requests may get in any mixture; a 500 is never among them. */
function expectOnly(answers: readonly Answer[], allowed: readonly number[]): void {
  const others = answers.filter(({ status }) => !allowed.includes(status));
  expect(others.map(({ status, body }) => `${status} ${body}`)).toEqual([]);
}

test("100 creates of one unique value: one wins", async () => {
  const answers = await times(100, () => post("/api/word", { text: "same" }));
  expect(countStatuses(answers)).toEqual({ 201: 1, 409: 99 });
  for (const answer of answers.filter(({ status }) => status === 409)) {
    const errors = [{ path: "/text", code: "unique", message: "is already taken" }];
    expect(answer.json()).toMatchObject({ code: "conflict", errors });
  }
  expect(await oneValue(ground.database, "select count(*)::int from word")).toBe(1);
  expect(ground.logged).toEqual([]);
});

test("50 updates to one unique value: one wins", async () => {
  const made = await times(50, (index) => post("/api/word", { text: `w${index}` }));
  const answers = await Promise.all(
    made.map((answer) => ground.send("PATCH", `/api/word/${answer.json().id}`, { body: { text: "same" } })),
  );
  expect(countStatuses(answers)).toEqual({ 200: 1, 409: 49 });
});

describe("100 increments lose nothing", () => {
  test.each([
    ["of the record's own value", "/api/counter/a/own", undefined, 100],
    ["of the value that an alias has kept", "/api/counter/a/alias", undefined, 100],
    ["two in a row", "/api/counter/a/twice", undefined, 200],
    ["of a record that a query has found", "/api/counter/found", { which: "a" }, 100],
    ["of all records", "/api/counter/all", undefined, 100],
    ["with code in between", "/api/counter/a/code", undefined, 100],
    ["by code", "/api/counter/a/set", undefined, 100],
  ])("%s", async (_, path, body, wanted) => {
    const answers = await times(100, () => post(path, body));
    expectOnly(answers, [200, 204]);
    expect(await counterOf("a")).toBe(wanted);
    expect(ground.logged).toEqual([]);
  });

  test("and every one of them sees another value", async () => {
    const answers = await times(100, () => post("/api/counter/a/alias"));
    const seen = answers.map((answer) => Number(answer.json().n)).sort((a, b) => a - b);
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });
});

describe("two rows, locked in opposite orders", () => {
  test.each(["/api/counter/both", "/api/counter/both-with-code"])("%s", async (path) => {
    const orders = [
      { first: "a", second: "b" },
      { first: "b", second: "a" },
    ];
    for (const count of [20, 100]) {
      await ground.database.execute("update counter set n = 0");
      const answers = await times(count, (index) => post(path, orders[index % 2]));
      expect(countStatuses(answers)).toEqual({ 204: count });
      expect([await counterOf("a"), await counterOf("b")]).toEqual([count, count]);
    }
    expect(ground.logged).toEqual([]);
  });

  test("by two endpoints", async () => {
    const answers = await times(100, (index) =>
      post(index % 2 === 0 ? "/api/counter/there" : "/api/counter/back"),
    );
    expect(countStatuses(answers)).toEqual({ 204: 100 });
    expect([await counterOf("a"), await counterOf("b")]).toEqual([100, 100]);
    expect(ground.logged).toEqual([]);
  });

  test("a few of them all succeed in the end", async () => {
    for (let round = 1; round <= 10; round++) {
      const [one, other] = await Promise.all([
        post("/api/counter/both-with-code", { first: "a", second: "b" }),
        post("/api/counter/both-with-code", { first: "b", second: "a" }),
      ]);
      expect([one?.status, other?.status]).toEqual([204, 204]);
      expect([await counterOf("a"), await counterOf("b")]).toEqual([2 * round, 2 * round]);
    }
  });
});

describe("what is being deleted", () => {
  test("updates, increments and deletes of one record", async () => {
    for (let round = 0; round < 10; round++) {
      await ground.database.execute("insert into counter (name) values ('x')");
      const answers = await times(24, (index) => {
        if (index % 8 === 3) return ground.send("DELETE", "/api/counter/x");
        if (index % 4 === 1) return ground.send("PATCH", "/api/counter/x", { body: { n: index } });
        return post(`/api/counter/x/${index % 4 === 0 ? "alias" : "code"}`);
      });
      expectOnly(answers, [200, 204, 404]);
      const deleted = answers.filter((answer, index) => index % 8 === 3 && answer.status === 204);
      expect(deleted).toHaveLength(1);
      expect(await counterOf("x")).toBeUndefined();
    }
    expect(ground.logged).toEqual([]);
  });

  test("creates under a parent, which takes its children with it", async () => {
    for (let round = 0; round < 10; round++) {
      await ground.database.execute(
        "insert into counter (id, name) overriding system value values (600, 'x')",
      );
      const answers = await times(20, async (index) => {
        if (index === 10) return ground.send("DELETE", "/api/counter/x");
        if (index % 2 === 0) return post("/api/counter/x/marks", { text: "m" });
        return post("/api/mark", { text: "m", counter_id: 600 });
      });
      expectOnly(answers, [201, 204, 400, 404, 409]);
      expect(answers[10]?.status).toBe(204);
      expect(await oneValue(ground.database, "select count(*)::int from mark")).toBe(0);
    }
  });

  test("creates under a parent that must not go while it has children", async () => {
    for (let round = 0; round < 10; round++) {
      await ground.database.execute(
        "insert into counter (id, name) overriding system value values (600, 'x')",
      );
      const answers = await times(20, async (index) => {
        if (index === 10) return ground.send("DELETE", "/api/counter/x");
        if (index % 2 === 0) return post("/api/counter/x/notes", { text: "m" });
        return post("/api/note", { text: "m", counter_id: 600 });
      });
      expectOnly(answers, [201, 204, 400, 404, 409]);
      const made = answers.filter(({ status }) => status === 201).length;
      expect(await oneValue(ground.database, "select count(*)::int from note")).toBe(made);
      expect(answers[10]?.status).toBe(made > 0 ? 409 : 204);
      await ground.database.execute("truncate note; delete from counter where id = 600");
    }
  });
});

describe("50 requests with one Idempotency-Key", () => {
  test.each([
    ["a create", "/api/word", { text: "once" }, "select count(*)::int from word", 1],
    ["an increment", "/api/counter/a/alias", undefined, "select n::int from counter where name = 'a'", 1],
    ["several actions", "/api/counter/a/twice", undefined, "select n::int from counter where name = 'a'", 2],
    ["code", "/api/counter/a/code", undefined, "select n::int from counter where name = 'a'", 1],
  ])("%s: one effect, 50 equal answers", async (_, path, body, sql, effect) => {
    const answers = await times(50, () => post(path, body, { "Idempotency-Key": "k" }));
    const texts = answers.map(({ status, headers, body: text }) =>
      JSON.stringify([status, text, headers.etag, headers.location, headers["content-type"]]),
    );
    expect(new Set(texts).size, texts.join("\n")).toBe(1);
    expect([200, 201, 204]).toContain(answers[0]?.status);
    expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
    expect(await oneValue(ground.database, sql)).toBe(effect);
    expect(ground.logged).toEqual([]);
  });

  test("and two bodies: one of them, and conflicts", async () => {
    const answers = await times(50, (index) =>
      post("/api/word", { text: `word ${index % 2}` }, { "Idempotency-Key": "k" }),
    );
    expect(countStatuses(answers)).toEqual({ 201: 25, 409: 25 });
    expect(await oneValue(ground.database, "select count(*)::int from word")).toBe(1);
  });

  test("when the first fails, another takes its place", async () => {
    await ground.database.execute("insert into word (text) values ('taken')");
    const answers = await times(50, () => post("/api/word", { text: "taken" }, { "Idempotency-Key": "k" }));
    expect(countStatuses(answers)).toEqual({ 409: 50 });
    expect(await oneValue(ground.database, "select count(*)::int from _stoa.idempotent_request")).toBe(0);
  });
});

test("a server that is busy to the last connection answers everybody", async () => {
  const answers = await times(300, (index) => {
    if (index % 3 === 0) return post("/api/counter/a/code");
    return index % 3 === 1 ? post("/api/word", { text: `b${index}` }) : ground.send("GET", "/api/counter/a");
  });
  expect(countStatuses(answers)).toEqual({ 200: 100, 201: 100, 204: 100 });
  expect(await counterOf("a")).toBe(100);
});
