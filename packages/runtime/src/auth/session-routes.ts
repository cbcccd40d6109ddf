// GET /api/auth/me and POST /api/auth/logout: one statement each, with the user at its head as in any other.

import { type Database, qualifyName, quoteName, SYSTEM_SCHEMA } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import type { Call, Outcome, Route } from "../exchange.js";
import { refusal, unionOf } from "../plan/refusal.js";
import { draftStatement, type Statement } from "../plan/statement.js";
import { bindRead } from "../run/bind.js";
import { NOT_FOUND, refusalOf } from "../run/refusals.js";
import { idOf } from "../sql/from.js";
import { ROW, rowObject } from "../sql/json.js";
import { directColumns } from "../sql/select.js";
import { queryProblem } from "./no-query.js";

export function sessionRoutes(definition: Definition, database: Database): Route[] {
  const me = meStatement(definition);
  const end = logoutStatement(definition);
  return [
    { name: "auth.me", method: "GET", path: "/api/auth/me", handle: (call) => tellUser(me, database, call) },
    {
      ...{ name: "auth.logout", method: "POST", path: "/api/auth/logout" },
      handle: (call) => logOut(end, database, call),
    },
  ];
}

/** A draft, the user, and the branch that refuses everybody else. */
function draftForUser(definition: Definition) {
  const { scope, finish } = draftStatement(definition);
  const { auth, hasGoodCredentials } = scope;
  if (auth === null) throw new Error("The program has no users.");
  const isUser = `${idOf(auth)} is not null`;
  const rules = hasGoodCredentials === null ? [isUser] : [hasGoodCredentials(), isUser];
  return { scope, finish, auth, isUser, refused: refusal(rules, scope) };
}

function meStatement(definition: Definition): Statement {
  const { finish, auth, isUser, refused } = draftForUser(definition);
  const columns = directColumns(auth);
  const shown = `select ${rowObject(columns)}::text from (select ${columns} where ${isUser}) ${ROW}`;
  return finish(unionOf([...refused, shown]));
}

function logoutStatement(definition: Definition): Statement {
  const { scope, finish, isUser, refused } = draftForUser(definition);
  const token = scope.context.parameter({ kind: "session" });
  const table = qualifyName(SYSTEM_SCHEMA, "session");
  const ended = `${quoteName("$ended")} as (delete from ${table} where token_hash = ${token} returning 1)`;
  return finish(unionOf([...refused, `select 'k' where ${isUser}`]), [ended]);
}

async function tellUser(statement: Statement, database: Database, call: Call): Promise<Outcome> {
  const problem = queryProblem(call);
  if (problem !== null) return problem;
  const rows = await run(statement, database, call);
  const [row] = rows;
  if (row === undefined) return NOT_FOUND;
  const headers = { "Cache-Control": "no-store" };
  return refusalOf(rows) ?? { kind: "reply", status: 200, headers, body: { kind: "bytes", bytes: row } };
}

async function logOut(statement: Statement, database: Database, call: Call): Promise<Outcome> {
  const problem = queryProblem(call);
  if (problem !== null) return problem;
  const rows = await run(statement, database, call);
  return refusalOf(rows) ?? { kind: "reply", status: 204, headers: {}, body: { kind: "none" } };
}

async function run(
  { sql, bindings }: Statement,
  database: Database,
  { userId, credentials, departure }: Call,
): Promise<readonly Uint8Array[]> {
  const parameters = bindRead(bindings, { identifiers: [], page: null, userId, credentials });
  const { rows, failure } = await database.batch([{ sql, parameters }], { signal: departure });
  if (failure !== null) throw failure;
  return rows[0] ?? [];
}
