// Whoever changes their password wants to be rid of whoever knew the old one: all sessions of the user end, but for
// the one that made the change. A statement that writes passwords notes the users, and the next one ends their
// sessions. It has to be the next one: only then does it see sessions that began while the first waited for the
// user's record, which logins lock.

import { qualifyName, quoteName, SYSTEM_SCHEMA } from "@stoa/database";
import type { Assignment, Definition, Model } from "@stoa/definition";
import { idColumn } from "../../sql/from.js";
import type { Scope } from "../../sql/scope.js";
import type { Statement } from "../statement.js";
import { ROWS } from "./create.js";
import { isPassword } from "./passwords.js";

const SETTING = "stoa.users";

export interface Change {
  readonly model: Model;
  readonly assignments: readonly Assignment[];
  readonly isOptional: (field: readonly string[]) => boolean;
}

/** A branch of the statement that makes the change; none where it writes no passwords. */
export function notedUsers({ model, assignments, isOptional }: Change, definition: Definition, scope: Scope) {
  const password = assignments.find(({ member }) => isPassword(definition, model.name, member));
  if (password === undefined) return [];
  const mayBeMissing = password.kind === "input" && isOptional(password.field);
  const given = mayBeMissing
    ? ` and ${scope.context.parameter({ kind: "given", path: password.field })}`
    : "";
  const ids = `select string_agg(${quoteName(idColumn(model))}::text, ',') as ids from ${ROWS}`;
  return [
    `select 'k' || left(set_config('${SETTING}', ids, true), 0) from (${ids}) n where ids is not null${given}`,
  ];
}

/** Where nothing was noted, nothing ends. */
export function endSessions(): Statement {
  const users = `string_to_array(nullif(current_setting('${SETTING}', true), ''), ',')`;
  const isOther = "token_hash is distinct from $1::text";
  const table = qualifyName(SYSTEM_SCHEMA, "session");
  return {
    sql: `delete from ${table} where user_id = any(${users}) and ${isOther}`,
    bindings: [{ kind: "session" }],
  };
}
