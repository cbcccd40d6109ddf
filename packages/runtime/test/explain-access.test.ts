// Who can do what, explained: the table of all rules, and for a user and a record the clause that decides. What is
// said of a request is what the server answers.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { explainAccess, listAccess, type Place, placesOf } from "../src/index.js";
import type { Setup } from "./conformance/notation.js";
import { openSite, type Site } from "./conformance/site.js";
import { watch } from "./conformance/watch.js";

const SOURCE = `
auth { model User, jwt { issuer "i", audience "a", jwks "k", subject mail } }
model User { field mail { type string, unique } field isAdmin { type boolean, nullable } }
model Note {
  field slug { type string, unique }
  field isOpen { type boolean, nullable }
  reference owner { to User }
  relation marks { from Mark, through note }
}
model Mark { field text { type string } reference note { to Note } }
api {
  entrypoint Note as note {
    identify { through slug }
    list endpoint { authorize { true } }
    get endpoint { authorize { note.isOpen or note.owner is @auth } }
    update endpoint { authorize { @auth is not null and note.owner is @auth and not note.isOpen } action { update { input { slug } } } }
    entrypoint marks as mark {
      authorize { @auth.isAdmin and mark.text is not "x" and note.owner is @auth }
      get endpoint {}
      create endpoint {}
    }
  }
  entrypoint Mark { list endpoint {} }
}
`;

const SETUP: readonly Setup[] = [
  row("user", { id: 11, mail: "ann", is_admin: true }),
  row("user", { id: 12, mail: "bob" }),
  row("note", { id: 21, slug: "open", is_open: true, owner_id: 11 }),
  row("note", { id: 22, slug: "closed", is_open: false, owner_id: 11 }),
  row("note", { id: 23, slug: "maybe", owner_id: 11 }),
  row("mark", { id: 31, text: "x", note_id: 21 }),
  row("mark", { id: 32, text: "y", note_id: 21 }),
];

function row(table: string, values: Record<string, unknown>): Setup {
  return { kind: "row", table, values };
}

let site: Site;
beforeAll(async () => {
  site = await openSite({ source: SOURCE, setup: SETUP });
});
afterAll(() => site.close());

function placeOf(name: string): Place {
  const place = placesOf(site.definition).find(({ endpoint }) => endpoint.name === name);
  if (place === undefined) throw new Error(`There is no endpoint ${name}.`);
  return place;
}

test("the table has a line for each rule, and marks what is open", () => {
  const rows = listAccess(site.definition, placesOf(site.definition));
  const lines = rows.map(({ name, guard, rules }) =>
    [`${name} ${guard}`, ...rules.map(({ of, about, condition }) => `  ${of} ${about}: ${condition}`)].join(
      "\n",
    ),
  );
  expect(lines.join("\n")).toBe(`note.list public
note.get rules
  note.get record: note.isOpen or note.owner is @auth
note.update rules
  note.update user: @auth is not null
  note.update record: note.owner is @auth
  note.update record: not note.isOpen
note.marks.get rules
  marks user: @auth.isAdmin
  marks record: mark.text is not "x"
  marks record: note.owner is @auth
note.marks.create rules
  marks user: @auth.isAdmin
  marks record: mark.text is not "x"
  marks record: note.owner is @auth
mark.list unguarded`);
});

interface Expected {
  readonly status: number;
  readonly decides: string | null;
  readonly clauses: string;
}

const METHODS: Readonly<Record<string, string>> = { get: "GET", update: "PATCH", create: "POST" };

async function answerOf(name: string, userId: string | null, records: readonly string[]) {
  const place = placeOf(name);
  const { database, statements } = watch(site.database);
  const answer = await explainAccess(site.definition, place, { database, question: { userId, records } });
  expect(statements).toHaveLength(1);
  const { status, decides, clauses } = answer;
  const shown = clauses.map(({ holds, parts }) => [holds, ...parts.map((part) => part.holds)].join("/"));
  return {
    answer,
    found: { status, decides: clauses[decides ?? -1]?.clause ?? null, clauses: shown.join(" ") },
  };
}

async function ask({ endpoint }: Place, userId: string | null, records: readonly string[]): Promise<number> {
  const left = [...records];
  const target = endpoint.path.replaceAll(/\{[^}]+\}/g, () => left.shift() ?? "");
  const method = METHODS[endpoint.kind] ?? "";
  const body = method === "GET" ? {} : { body: method === "POST" ? '{"text":"y"}' : "{}" };
  const headers = [["Content-Type", "application/json"]] as const;
  return (await site.send({ method, target, headers, userId, ...body })).status;
}

const OWNER = "note.owner is @auth";
const GET_RULE = "note.isOpen or note.owner is @auth";

describe("what decides, and what the server answers", () => {
  test.each<[string, string | null, readonly string[], Expected]>([
    ["note.get", null, ["open"], { status: 200, decides: null, clauses: "yes/yes/no" }],
    ["note.get", null, ["closed"], { status: 404, decides: GET_RULE, clauses: "no/no/no" }],
    ["note.get", null, ["maybe"], { status: 404, decides: GET_RULE, clauses: "null/null/no" }],
    ["note.get", "11", ["maybe"], { status: 200, decides: null, clauses: "yes/null/yes" }],
    ["note.get", "11", ["none"], { status: 404, decides: null, clauses: "unknown/unknown/unknown" }],
    [
      "note.update",
      null,
      ["none"],
      { status: 401, decides: "@auth is not null", clauses: "no unknown unknown unknown/unknown/unknown" },
    ],
    ["note.update", "12", ["open"], { status: 403, decides: OWNER, clauses: "yes no no yes/yes/no" }],
    ["note.update", "12", ["closed"], { status: 404, decides: OWNER, clauses: "yes no yes no/no/no" }],
    [
      "note.update",
      "11",
      ["open"],
      { status: 403, decides: "not note.isOpen", clauses: "yes yes no yes/yes/yes" },
    ],
    [
      "note.update",
      "11",
      ["maybe"],
      { status: 403, decides: "not note.isOpen", clauses: "yes yes null yes/null/yes" },
    ],
    ["note.update", "11", ["closed"], { status: 200, decides: null, clauses: "yes yes yes yes/no/yes" }],
    [
      "note.update",
      "99",
      ["closed"],
      { status: 401, decides: "@auth is not null", clauses: "no no yes no/no/no" },
    ],
    [
      "note.marks.get",
      "12",
      ["open", "32"],
      { status: 403, decides: "@auth.isAdmin", clauses: "null yes no" },
    ],
    [
      "note.marks.get",
      "11",
      ["open", "31"],
      { status: 404, decides: 'mark.text is not "x"', clauses: "yes no yes" },
    ],
    ["note.marks.get", "11", ["open", "32"], { status: 200, decides: null, clauses: "yes yes yes" }],
    [
      "note.marks.get",
      "11",
      ["closed", "32"],
      { status: 404, decides: null, clauses: "yes unknown unknown" },
    ],
    ["note.marks.get", "11", ["open", "abc"], { status: 404, decides: null, clauses: "yes unknown unknown" }],
    [
      "note.marks.create",
      "11",
      ["open"],
      { status: 201, decides: null, clauses: "yes unknown yes yes/yes/yes" },
    ],
  ])("%s by %s of %s", async (name, userId, records, expected) => {
    const { found } = await answerOf(name, userId, records);
    expect(found).toEqual(expected);
    expect(await ask(placeOf(name), userId, records)).toBe(expected.status);
  });

  test("it says who and what is not there", async () => {
    expect((await answerOf("note.get", "99", ["open"])).answer).toMatchObject({
      user: "missing",
      record: "found",
    });
    expect((await answerOf("note.get", "abc", ["none"])).answer).toMatchObject({
      user: "missing",
      record: "missing",
    });
    expect((await answerOf("note.list", null, [])).answer).toMatchObject({
      user: "nobody",
      record: "none",
      status: 200,
    });
  });
});
