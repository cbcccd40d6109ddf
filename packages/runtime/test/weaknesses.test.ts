// One test for each class of weakness that systems of this kind were found to have. Those of tokens and logins have
// theirs in auth-jwt, auth-login, auth-passwords and auth-limits.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Ledger, openLedger } from "./conformance/ledger.js";
import type { Setup } from "./conformance/notation.js";
import { openSite, type RawAnswer, type Site } from "./conformance/site.js";

const SOURCE = `
auth { model User, jwt { issuer "i", audience "a", jwks "k", subject mail } }
model User {
  field mail { type string, unique }
  field isAdmin { type boolean, default false }
  field pin { type string, secret, nullable }
  relation roles { from Role, through user }
}
model Role { field name { type string } reference user { to User } }
model Project {
  field name { type string, unique }
  field isPublic { type boolean, default false }
  field budget { type integer, default 0 }
  field key { type string, secret, nullable }
  reference owner { to User }
  relation tasks { from Task, through project }
  timestamps
}
model Task {
  field title { type string }
  reference project { to Project, on delete cascade }
  relation steps { from Step, through task }
}
model Step { field text { type string } reference task { to Task, on delete cascade } }
api {
  entrypoint User as user {
    response { id, mail }
    create endpoint { authorize { true } action { create { input { mail, pin } deny { isAdmin } } } }
    update endpoint { authorize { user is @auth } action { update { input { mail, pin } } } }
  }
  entrypoint Project as project {
    authorize { project.owner is @auth or project.isPublic }
    response { id, name }
    list endpoint { order by { budget desc } paginable }
    get endpoint {}
    create endpoint { action { create { input { name } set owner @auth deny { isPublic, budget, key } } } authorize { @auth is not null } }
    update endpoint { authorize { project.owner is @auth } action { update { input { name } } } }
    delete endpoint { authorize { project.owner is @auth } }
    POST one "touch" { authorize { project.owner is @auth } action { update project { set budget 1 } } }
    entrypoint tasks as task {
      response { id, title }
      list endpoint { paginable }
      get endpoint {}
      create endpoint {}
      update endpoint {}
      delete endpoint {}
      POST one "touch" { action { update task { set title "touched" } } }
      entrypoint steps as step {
        response { id, text }
        list endpoint {}
        get endpoint {}
        create endpoint {}
        update endpoint {}
        delete endpoint {}
        POST one "touch" { action { update step { set text "touched" } } }
        POST many "wipe" { action { query { from task.steps, delete } } }
      }
    }
  }
}
`;

/** Each would let nobody in as somebody if null or an empty list counted as something. */
const CLOSED_RULES = [
  "not (@auth.mail in [])",
  "@auth.mail not in []",
  '@auth.mail not in ["x"]',
  'not ("banned" in @auth.roles.name)',
  '"banned" not in @auth.roles.name',
  "not @auth.isAdmin",
  "not (@auth.isAdmin and true)",
  "count(@auth.roles) >= 0",
  "not exists(@auth.roles)",
  "not (count(@auth.roles) > 5)",
  "length(@auth.mail) < 100",
  'not startsWith(@auth.mail, "x")',
  "not (@auth.id > 1000)",
];

const CLOSED = CLOSED_RULES.map(
  (rule, index) =>
    `api C${index} { entrypoint Project { authorize { ${rule} } response { id } list endpoint {} } }`,
).join("\n");

const OWN = 21;
const HIDDEN = 22;
const SETUP: readonly Setup[] = [
  row("user", { id: 11, mail: "ann", is_admin: false, pin: "1111" }),
  row("user", { id: 12, mail: "bob", is_admin: false }),
  row("project", project(OWN, "own", { owner_id: 11, budget: 5 })),
  row("project", project(HIDDEN, "hidden", { owner_id: 12, budget: 9 })),
  row("project", project(23, "public", { owner_id: 12, is_public: true })),
  row("task", { id: 31, title: "a", project_id: OWN }),
  row("task", { id: 32, title: "b", project_id: HIDDEN }),
  row("task", { id: 33, title: "c", project_id: OWN }),
  row("step", { id: 41, text: "a", task_id: 31 }),
  row("step", { id: 42, text: "b", task_id: 32 }),
  row("step", { id: 43, text: "c", task_id: 33 }),
];

function row(table: string, values: Record<string, unknown>): Setup {
  return { kind: "row", table, values };
}

function project(id: number, name: string, others: Record<string, unknown>) {
  const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
  return { id, name, key: "secret", is_public: false, budget: 0, ...times, ...others };
}

let site: Site;
let ledger: Ledger;

beforeAll(async () => {
  site = await openSite({ source: SOURCE + CLOSED, setup: SETUP });
  ledger = await openLedger(site.database, site.definition, SETUP);
});
beforeEach(() => ledger.reset());
afterAll(() => site.close());

interface Sending {
  readonly body?: unknown;
  readonly as?: number | null;
  readonly headers?: readonly (readonly [string, string])[];
}

/** `GET /api/project`, by ann unless somebody else is named. */
function send(line: string, { body, as = 11, headers = [] }: Sending = {}): Promise<RawAnswer> {
  const [method = "", target = ""] = line.split(" ");
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = body === undefined ? [] : [["Content-Type", "application/json"] as const];
  return site.send({
    ...{ method, target, userId: as === null ? null : String(as) },
    headers: [["X-Request-Id", "weakness"], ...type, ...headers],
    ...(body === undefined ? {} : { body: text }),
  });
}

/** What a client can see of an answer. */
function visible({ status, headers, body }: RawAnswer): unknown {
  return [status, [...headers].filter(([name]) => name !== "date"), body];
}

async function expectSame(left: Promise<RawAnswer>, right: Promise<RawAnswer>): Promise<void> {
  expect(visible(await left)).toEqual(visible(await right));
}

async function expectUnchanged(): Promise<void> {
  expect(await ledger.changes()).toEqual([]);
}

function paths({ body }: RawAnswer): string[] {
  return (JSON.parse(body).errors ?? []).map(({ path }: { path: string }) => path);
}

describe("mass assignment", () => {
  const HIDDEN_FIELDS: Record<string, unknown> = {
    ...{ id: 99, isPublic: true, is_public: true, budget: 1, key: "k", owner: 12, owner_id: 12 },
    ...{ createdAt: "2020-01-01T00:00:00Z", updatedAt: "2020-01-01T00:00:00Z", tasks: [], isMine: true },
  };

  test.each(["POST /api/project", `PATCH /api/project/${OWN}`])("of hidden fields: %s", async (line) => {
    for (const [name, value] of Object.entries(HIDDEN_FIELDS)) {
      const answer = await send(line, { body: { name: "new", [name]: value } });
      expect([answer.status, paths(answer)], name).toEqual([400, [`/${name}`]]);
    }
    await expectUnchanged();
  });

  test.each(["POST /api/user", "PATCH /api/user/11"])("of what makes an admin: %s", async (line) => {
    for (const name of ["isAdmin", "is_admin", "IsAdmin", "isAdmin ", "user.isAdmin", "id", "roles"]) {
      const answer = await send(line, { body: { mail: "new", [name]: true } });
      expect(answer.status, name).toBe(400);
    }
    await expectUnchanged();
  });

  test.each([
    [`POST /api/project/${OWN}/tasks`, { title: "new" }, "project"],
    [`PATCH /api/project/${OWN}/tasks/31`, { title: "new" }, "project"],
    [`POST /api/project/${OWN}/tasks/31/steps`, { text: "new" }, "task"],
    [`PATCH /api/project/${OWN}/tasks/31/steps/41`, { text: "new" }, "task"],
  ])("of the foreign key to the parent: %s", async (line, body, parent) => {
    for (const [name, value] of [
      [`${parent}_id`, 32],
      [`${parent}_id`, null],
      [parent, { id: 32 }],
      [`${parent}Id`, 32],
    ] as const) {
      const answer = await send(line, { body: { ...body, [name]: value } });
      expect([answer.status, paths(answer)], name).toEqual([400, [`/${name}`]]);
    }
    await expectUnchanged();
  });
});

describe("a child under the wrong parent", () => {
  const verbs = (path: string): [string, Sending][] => [
    [`GET ${path}`, {}],
    [`PATCH ${path}`, { body: {} }],
    [`DELETE ${path}`, {}],
    [`POST ${path}/touch`, {}],
  ];

  test.each([
    ["depth 2, another's child", `/api/project/${OWN}/tasks/32`, `/api/project/${OWN}/tasks/99`],
    ["depth 2, a hidden parent", `/api/project/${HIDDEN}/tasks/32`, "/api/project/99/tasks/32"],
    ["depth 2, through the public one", "/api/project/23/tasks/31", "/api/project/23/tasks/99"],
    [
      "depth 3, a sibling's child",
      `/api/project/${OWN}/tasks/31/steps/43`,
      `/api/project/${OWN}/tasks/31/steps/99`,
    ],
    [
      "depth 3, another's child",
      `/api/project/${OWN}/tasks/31/steps/42`,
      `/api/project/${OWN}/tasks/31/steps/99`,
    ],
    [
      "depth 3, the wrong grandparent",
      `/api/project/${OWN}/tasks/32/steps/42`,
      `/api/project/${OWN}/tasks/99/steps/42`,
    ],
    [
      "depth 3, a hidden grandparent",
      `/api/project/${HIDDEN}/tasks/32/steps/42`,
      "/api/project/99/tasks/32/steps/42",
    ],
  ])("%s: is missing, for every verb", async (_, path, missing) => {
    for (const [index, [line, sending]] of verbs(path).entries()) {
      const [other = ""] = verbs(missing)[index] ?? [];
      expect((await send(line, sending)).status, line).toBe(404);
      await expectSame(send(line, sending), send(other, sending));
    }
    await expectUnchanged();
  });

  test.each([
    [`/api/project/${HIDDEN}/tasks`, "/api/project/99/tasks", { title: "new" }],
    [`/api/project/${OWN}/tasks/32/steps`, `/api/project/${OWN}/tasks/99/steps`, { text: "new" }],
    [`/api/project/${HIDDEN}/tasks/32/steps`, "/api/project/99/tasks/32/steps", { text: "new" }],
  ])("%s: there is no collection, to list, create or run", async (path, missing, body) => {
    expect((await send(`GET ${path}`)).status).toBe(404);
    expect((await send(`POST ${path}`, { body })).status).toBe(404);
    await expectSame(send(`GET ${path}`), send(`GET ${missing}`));
    await expectSame(send(`POST ${path}`, { body }), send(`POST ${missing}`, { body }));
    if (path.endsWith("steps")) {
      expect((await send(`POST ${path}/wipe`)).status).toBe(404);
      await expectSame(send(`POST ${path}/wipe`), send(`POST ${missing}/wipe`));
    }
    await expectUnchanged();
  });
});

describe("hidden rows are not revealed", () => {
  test("by counts and pages", async () => {
    const { body } = await send("GET /api/project?pageSize=1");
    expect(JSON.parse(body)).toMatchObject({ totalCount: 2, totalPages: 2, data: [{ id: OWN }] });
    expect(JSON.parse((await send("GET /api/project?page=3&pageSize=1")).body).data).toEqual([]);
    expect(JSON.parse((await send("GET /api/project", { as: null })).body).totalCount).toBe(1);
  });

  test("by filters and sorts that a client makes up", async () => {
    for (const query of [
      "name=hidden",
      "filter=name",
      "sort=key",
      "order=budget",
      "id=22",
      "fields=key",
      "page[$gt]=0",
    ]) {
      const answer = await send(`GET /api/project?${query}`);
      expect([answer.status, JSON.parse(answer.body).code], query).toEqual([400, "validation"]);
    }
  });

  test.each<[string, string, Sending]>([
    ["a body that is wrong", "PATCH", { body: { name: 5 } }],
    ["an empty body", "PATCH", { body: {} }],
    ["a value that is taken", "PATCH", { body: { name: "own" } }],
    ["a value that is right", "PATCH", { body: { name: "new" } }],
    ["If-Match", "PATCH", { body: { name: "new" }, headers: [["If-Match", '"x"']] }],
    ["If-Match of anything", "DELETE", { headers: [["If-Match", "*"]] }],
    ["a delete", "DELETE", {}],
    ["If-None-Match of anything", "GET", { headers: [["If-None-Match", "*"]] }],
    ["HEAD", "HEAD", {}],
    ["OPTIONS", "OPTIONS", {}],
    ["a method that is not there", "PUT", { body: {} }],
  ])("by errors: %s", async (_, method, sending) => {
    for (const as of [11, null]) {
      const question = { ...sending, as };
      await expectSame(
        send(`${method} /api/project/${HIDDEN}`, question),
        send(`${method} /api/project/99`, question),
      );
    }
    await expectUnchanged();
  });

  test("by what a conflict says", async () => {
    const { status, body } = await send("POST /api/project", { body: { name: "hidden" } });
    expect([status, JSON.parse(body).code]).toEqual([409, "conflict"]);
    expect(body).not.toMatch(/22|bob|project__|secret/);
  });
});

describe("hidden fields are not revealed", () => {
  test("by any answer", async () => {
    const answers = [
      await send("POST /api/user", { body: { mail: "new", pin: "4711-pin" } }),
      await send("PATCH /api/user/11", { body: { pin: "4711-pin" } }),
      await send("PATCH /api/user/11", { body: { mail: "bob", pin: "4711-pin" } }),
      await send("POST /api/user", { body: { mail: 5, pin: "4711-pin" } }),
      await send("GET /api/project"),
      await send(`GET /api/project/${OWN}`),
    ];
    for (const { body, headers } of answers) {
      expect(body + JSON.stringify([...headers])).not.toMatch(/4711-pin|1111|secret|budget/);
    }
    expect(site.logged.join("")).not.toMatch(/4711-pin|1111/);
  });

  test("by entity tags", async () => {
    const tag = async () => (await send(`GET /api/project/${OWN}`)).headers.get("etag");
    const before = await tag();
    await site.database.execute(`update public.project set key = 'other', budget = 77 where id = ${OWN}`);
    expect(await tag()).toBe(before);
  });
});

describe("null and empty lists", () => {
  test.each(CLOSED_RULES.map((rule, index) => [rule, index] as const))(
    "open nothing: %s",
    async (_, index) => {
      expect((await send(`GET /api/c${index}/project`, { as: null })).status).toBe(401);
      expect((await send(`GET /api/c${index}/project`, { as: 999 })).status).toBe(401);
      expect((await send(`GET /api/c${index}/project`)).status).toBe(200);
    },
  );
});

describe("objects where scalars are expected", () => {
  const OBJECTS: readonly unknown[] = [
    { $ne: null },
    { $gt: "" },
    ["a"],
    [],
    {},
    { toString: "x" },
    { length: 5 },
    true,
    5,
  ];

  test("in bodies", async () => {
    for (const name of OBJECTS) {
      for (const line of ["POST /api/project", `PATCH /api/project/${OWN}`]) {
        const answer = await send(line, { body: { name } });
        expect([answer.status, paths(answer)], JSON.stringify(name)).toEqual([400, ["/name"]]);
      }
    }
    await expectUnchanged();
  });

  test("in query strings and paths", async () => {
    for (const query of ["page[]=1", "page[$gt]=1", "page={}", "page=1&page=2", "pageSize[a]=1"]) {
      expect((await send(`GET /api/project?${query}`)).status, query).toBe(400);
    }
    for (const id of [
      "[21]",
      "{}",
      "%7B%22$gt%22:0%7D",
      "21,22",
      "21%20or%201=1",
      "21;",
      "*",
      "null",
      "true",
    ]) {
      expect((await send(`GET /api/project/${id}`)).status, id).toBe(404);
    }
  });
});

describe("prototype keys", () => {
  test.each([
    '{"name":"new","__proto__":{"isPublic":true}}',
    '{"name":"new","constructor":{"prototype":{"isPublic":true}}}',
    '{"name":"new","prototype":{"isPublic":true}}',
    '{"__proto__":{"name":"new"}}',
    '{"name":"new","hasOwnProperty":1}',
    '{"name":"new","toString":1,"valueOf":2}',
  ])("are unknown fields: %s", async (body) => {
    expect((await send("POST /api/project", { body })).status).toBe(400);
    expect(Object.hasOwn(Object.prototype, "isPublic") || Object.hasOwn(Object.prototype, "name")).toBe(
      false,
    );
    await expectUnchanged();
  });

  test("are no parameters, and no records", async () => {
    expect((await send("GET /api/project?__proto__=1")).status).toBe(400);
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect((await send(`GET /api/project/${name}`)).status).toBe(404);
      expect((await send(`GET /api/${name}`)).status).toBe(404);
    }
  });
});
