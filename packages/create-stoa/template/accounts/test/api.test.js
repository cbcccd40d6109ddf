// The API, called within this process: no port, and a database of its own that is gone afterwards.

import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { startTest } from "stoa/testing";

const app = await startTest({ populator: "Dev" });
// Requests in the name of the two users that the populator makes, without a login.
const ada = app.as(1);
const ben = app.as(2);
beforeEach(() => app.reset());
after(() => app.close());

test("nobody sees lists without an account", async () => {
  assert.equal((await app.fetch("/api/list")).status, 401);
});

test("users see their own lists alone", async () => {
  const response = await ada.fetch("/api/list/1");
  assert.deepEqual(await response.json(), { id: 1, name: "Home", openTasks: 5 });
  assert.equal((await ben.fetch("/api/list/1")).status, 404);
});

test("a finished task is no longer open", async () => {
  const finished = await ada.fetch("/api/list/1/tasks/1/finish", { method: "POST" });
  assert.deepEqual(await finished.json(), { id: 1, isDone: true });
  const list = await ada.fetch("/api/list/1");
  assert.deepEqual(await list.json(), { id: 1, name: "Home", openTasks: 4 });
});

test("a task says how urgent it is", async () => {
  const task = { title: "Celebrate", dueOn: "2000-01-01" };
  const created = await ben.fetch("/api/list/2/tasks", { method: "POST", json: task });
  assert.equal(created.status, 201);
  assert.deepEqual(await created.json(), { id: 9, ...task, isDone: false, urgency: "overdue" });
});

test("who has made an account can log in", async () => {
  const account = { email: "cy@example.org", name: "Cy", password: "cy's long password" };
  const created = await app.fetch("/api/user", { method: "POST", json: account });
  assert.equal(created.status, 201);
  const { email, password } = account;
  const login = await app.fetch("/api/auth/login", { method: "POST", json: { email, password } });
  assert.equal(login.status, 200);
  const wrong = await app.fetch("/api/auth/login", { method: "POST", json: { email, password: "no" } });
  assert.equal(wrong.status, 401);
});
