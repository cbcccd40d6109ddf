import { createHash } from "node:crypto";
import { compile } from "@stoa/compiler";
import { applyPush, planPush } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../database/test/server.js";
import { type Application, createApplication } from "../src/index.js";

const SOURCE = `
model User { field mail { type string, unique } field password { type string, secret } }
model Note {
  field text { type string }
  reference owner { to User }
  hook caller { inline "ctx.auth === null ? null : ctx.auth.id" }
}
auth { model User, password { identify mail, secret password } }
api {
  entrypoint Note as note {
    authorize { true }
    response { text, caller }
    list endpoint {}
    get endpoint {}
    create endpoint { action { create { set owner_id 41 } } }
    GET many "page" { action { execute as who { hook { inline "ctx.auth === null ? null : ctx.auth.id" } } respond { body { who: who } } } }
  }
}
`;
const TOKEN = `stoa_${"a".repeat(43)}`;

describe("code knows who calls", () => {
  let application: Application;

  beforeAll(async () => {
    const { definition } = compile([{ name: "app.stoa", text: SOURCE }]);
    const { database } = await testDatabase();
    await applyPush(database, await planPush(database, definition as Definition));
    await database.execute(`insert into public."user" (id, mail, password) overriding system value values (41, 'a', 'x');
      insert into note (id, text, owner_id) overriding system value values (7, 'hello', 41)`);
    await database.query(
      "insert into _stoa.session (token_hash, user_id, expires_at) values ($1, '41', now() + interval '1 day')",
      [createHash("sha256").update(TOKEN).digest("hex")],
    );
    application = createApplication({ definition: definition as Definition, database });
  });

  async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
    const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
    const answer = await application.fetch(
      new Request(`http://localhost/api/note${path}`, { headers, ...init }),
    );
    return answer.json();
  }

  it("in a get", async () => {
    expect(await ask("/7")).toEqual({ text: "hello", caller: 41 });
  });

  it("in a list", async () => {
    expect(await ask("")).toContainEqual({ text: "hello", caller: 41 });
  });

  it("in the answer to a write", async () => {
    const body = JSON.stringify({ text: "new" });
    expect(await ask("", { method: "POST", body })).toEqual({ text: "new", caller: 41 });
  });

  it("in an action", async () => {
    expect(await ask("/page")).toEqual({ who: 41 });
  });

  it("and that it is nobody", async () => {
    expect(await ask("/7", { headers: {} })).toEqual({ text: "hello", caller: null });
  });
});
