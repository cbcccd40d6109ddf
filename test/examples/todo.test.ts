// The todo list's api: one rule keeps everybody to what is theirs.

import { beforeAll, describe, expect, test } from "vitest";
import { type RunningExample, runExample } from "./example.js";

let todo: RunningExample;
let ann: string;
let bob: string;
beforeAll(async () => {
  todo = await runExample("todo");
  ann = await todo.logIn("ann@example.org", "correct horse");
  bob = await todo.logIn("bob@example.org", "battery staple");
});

describe("what belongs to one user", () => {
  test.each([
    "GET /api/user/2",
    "PATCH /api/user/2",
    "GET /api/user/2/todos",
    "POST /api/user/2/todos",
    "GET /api/user/2/todos/4",
    "PATCH /api/user/2/todos/4",
    "DELETE /api/user/2/todos/4",
    "POST /api/user/2/todos/clear-done",
    // Somebody else's, below one's own.
    "GET /api/user/1/todos/4",
    "PATCH /api/user/1/todos/4",
    "DELETE /api/user/1/todos/4",
  ])("is not there for another: %s", async (request) => {
    const body = request.startsWith("GET") || request.startsWith("DELETE") ? {} : { body: bodyOf(request) };
    expect(await todo.ask(request, { token: ann, ...body })).toMatchObject({ status: 404 });
    expect(await todo.ask(request, body)).toMatchObject({ status: 404 });
  });

  test("is still as it was", async () => {
    expect((await todo.ask("GET /api/user/2/todos", { token: bob })).body).toMatchObject([
      { title: "Surprise party for Ann", isDone: false },
    ]);
  });
});

function bodyOf(request: string): object {
  if (request.includes("clear-done")) return {};
  return request.endsWith("/user/2") ? { name: "Somebody" } : { title: "A surprise" };
}

test("nobody signs up for somebody else, or gets a password to see", async () => {
  const body = { name: "Dora", email: "dora@example.org", password: "twelve letters" };
  const made = await todo.ask("POST /api/sign-up", { body });
  expect(made).toMatchObject({ status: 201, body: { name: "Dora", email: "dora@example.org" } });
  expect(JSON.stringify(made.body)).not.toContain("password");
  expect(await todo.ask("POST /api/sign-up", { body })).toMatchObject({
    status: 409,
    body: { errors: [{ path: "/email", code: "unique" }] },
  });
});

test("counts what is open, and clears what is done", async () => {
  expect((await todo.ask("GET /api/user/1", { token: ann })).body.openCount).toBe(2);
  const cleared = await todo.ask("POST /api/user/1/todos/clear-done", { token: ann });
  expect(cleared).toMatchObject({ status: 200, body: { cleared: 1 } });
  expect((await todo.ask("POST /api/user/1/todos/clear-done", { token: ann })).body).toEqual({ cleared: 0 });
  expect((await todo.ask("GET /api/user/1/todos", { token: ann })).body).toHaveLength(2);
});

test("a new password ends the other sessions", async () => {
  const other = await todo.logIn("bob@example.org", "battery staple");
  const change = { token: bob, body: { password: "another staple" } };
  expect((await todo.ask("PATCH /api/user/2", change)).status).toBe(200);
  expect((await todo.ask("GET /api/user/2", { token: bob })).status).toBe(200);
  expect((await todo.ask("GET /api/user/2", { token: other })).status).toBe(401);
});

test("the large populator makes what it says", async () => {
  const crowd = await runExample("todo", "Crowd");
  const token = await crowd.logIn("user7@example.org", "correct horse");
  expect((await crowd.ask("GET /api/user/7/todos", { token })).body).toHaveLength(50);
  expect(await crowd.database.query('select count(*)::int as n from "user"')).toEqual([{ n: 100 }]);
  await crowd.close();
});
