// What users and rules cost: nothing. A program with accounts and rules sends as many statements as the same program
// without them, and waits for the database as often.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AuthSite, openAuth } from "./auth-site.js";

const USERS = `
auth { model User, password { identify email, secret password } }
model User {
  field email { type string, unique }
  field password { type string, secret }
  field pin { type string, secret, nullable }
  field name { type string }
  field balance { type decimal }
  field joinedAt { type datetime }
}
model Note {
  field text { type string }
  reference owner { to User, nullable }
  relation marks { from Mark, through note }
}
model Mark { field text { type string } reference note { to Note, on delete cascade } }
`;

/** The same endpoints, with rules in all positions or without. */
function programOf(rule: (text: string) => string, users: string): string {
  const own = "@auth is not null and note.owner is @auth";
  return `${users}
api {
  entrypoint Note as note {
    ${rule("@auth is not null")}
    list endpoint {}
    get endpoint { ${rule(own)} }
    create endpoint { action { create { input { text } deny { owner } } } }
    update endpoint { ${rule(own)} action { update { input { text } } } }
    delete endpoint { ${rule(own)} }
    POST one "touch" { ${rule(own)} action { update note { set text "touched" } } }
    entrypoint marks as mark {
      ${rule(own)}
      list endpoint { paginable }
      get endpoint {}
      create endpoint {}
      update endpoint {}
      delete endpoint {}
    }
  }
}
`;
}

let guarded: AuthSite;
let open: AuthSite;
let token: string;

const OPEN = USERS.replace(/^auth .*$/m, "");

async function fill({ database }: AuthSite, owner: number): Promise<void> {
  await database.execute(`
    insert into public.note (id, text, owner_id) overriding system value select n, 't', ${owner} from generate_series(1001, 1020) n;
    insert into public.mark (id, text, note_id) overriding system value select n, 't', n from generate_series(1001, 1020) n`);
}

beforeAll(async () => {
  guarded = await openAuth(
    {},
    programOf((text) => `authorize { ${text} }`, USERS),
  );
  open = await openAuth(
    {},
    programOf(() => "", OPEN),
  );
  for (const site of [guarded, open]) await fill(site, await site.addUser("ada@x.org"));
  token = await guarded.login("ada@x.org");
});
afterAll(async () => {
  await guarded.close();
  await open.close();
});

async function costOf(site: AuthSite, line: string, sent: object) {
  site.statements.length = 0;
  const before = site.roundTrips();
  const { status } = await site.send(line, sent);
  return { status, statements: site.statements.length, roundTrips: site.roundTrips() - before };
}

describe("with a session and rules everywhere", () => {
  test.each<[string, string, number, object?]>([
    ["a get", "GET /api/note/1001", 200],
    ["a list", "GET /api/note", 200],
    ["a create", "POST /api/note", 201, { text: "new" }],
    ["an update", "PATCH /api/note/1002", 200, { text: "new" }],
    ["a delete", "DELETE /api/note/1003", 204],
    ["a nested get", "GET /api/note/1004/marks/1004", 200],
    ["a nested page", "GET /api/note/1005/marks", 200],
    ["a nested create", "POST /api/note/1006/marks", 201, { text: "new" }],
    ["a nested update", "PATCH /api/note/1007/marks/1007", 200, { text: "new" }],
    ["a nested delete", "DELETE /api/note/1008/marks/1008", 204],
  ])("%s is one statement, as without", async (_, line, status, body) => {
    const sent = body === undefined ? {} : { body };
    const expected = { status, statements: 1, roundTrips: 1 };
    expect(await costOf(open, line, sent)).toEqual(expected);
    expect(await costOf(guarded, line, { ...sent, token })).toEqual(expected);
  });

  test("a custom endpoint waits once, as without", async () => {
    const line = "POST /api/note/1009/touch";
    expect(await costOf(open, line, {})).toMatchObject({ status: 204, roundTrips: 1 });
    expect(await costOf(guarded, line, { token })).toMatchObject({ status: 204, roundTrips: 1 });
  });
});
