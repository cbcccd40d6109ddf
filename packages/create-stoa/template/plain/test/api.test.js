// The API, called within this process: no port, and a database of its own that is gone afterwards.

import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { startTest } from "stoa/testing";

const app = await startTest({ populator: "Dev" });
beforeEach(() => app.reset());
after(() => app.close());

test("lists come page by page, with their open tasks", async () => {
  const response = await app.fetch("/api/list");
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), {
    page: 1,
    pageSize: 20,
    totalPages: 1,
    totalCount: 2,
    data: [
      { name: "Home", slug: "home", openTasks: 5 },
      { name: "Office", slug: "office", openTasks: 2 },
    ],
  });
});

test("a finished task is no longer open", async () => {
  const finished = await app.fetch("/api/list/home/tasks/1/finish", { method: "POST" });
  assert.deepEqual(await finished.json(), { id: 1, isDone: true });
  const list = await app.fetch("/api/list/home");
  assert.deepEqual(await list.json(), { name: "Home", slug: "home", openTasks: 4 });
});

test("a task says how urgent it is", async () => {
  const task = { title: "Celebrate", dueOn: "2000-01-01" };
  const created = await app.fetch("/api/list/office/tasks", { method: "POST", json: task });
  assert.equal(created.status, 201);
  assert.deepEqual(await created.json(), { id: 9, ...task, isDone: false, urgency: "overdue" });
});

test("a list needs a name and a slug of its own", async () => {
  const missing = await app.fetch("/api/list", { method: "POST", json: { slug: "empty" } });
  assert.equal(missing.status, 400);
  const taken = await app.fetch("/api/list", { method: "POST", json: { name: "Again", slug: "home" } });
  assert.equal(taken.status, 409);
});
