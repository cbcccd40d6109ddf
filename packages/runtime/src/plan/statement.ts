// A statement while it is being planned: its scope, the user at its head, and its end.

import { quoteName } from "@stoa/database";
import type { Definition, Model } from "@stoa/definition";
import { type Binding, Context } from "../sql/context.js";
import { emitter } from "../sql/emitter.js";
import { LoneRecord, rowRecord, tableOf } from "../sql/from.js";
import type { Scope } from "../sql/scope.js";

/** Constant SQL, and where its parameters come from. */
export interface Statement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
}

export interface Draft {
  readonly scope: Scope;
  /** The statement; `heads` are further queries for its WITH. Nothing is added to it afterwards. */
  finish(body: string, heads?: readonly string[]): Statement;
}

const AUTH = quoteName("$auth");

export function draftStatement(definition: Definition): Draft {
  const context = new Context(definition);
  const auth = authOf(definition, context);
  const scope: Scope = {
    ...{ context, emitter, this: null, owner: null, strict: null, auth: auth.record },
    aliases: new Map(),
    results: new Map(),
    shapes: new Map(),
  };
  const finish = (body: string, heads: readonly string[] = []): Statement => {
    const all = [...auth.heads(), ...heads];
    const sql = all.length === 0 ? body : `with ${all.join(", ")} ${body}`;
    return { sql, bindings: context.bindings };
  };
  return { scope, finish };
}

/** The user, looked up at the head of the statement if anything asks for them. */
function authOf(definition: Definition, context: Context) {
  if (definition.auth === null) return { record: null, heads: () => [] };
  const model = context.model(definition.auth.model);
  let isUsed = false;
  const record = new LoneRecord(context, { model, isNullable: true }, (from) => {
    isUsed = true;
    return rowRecord(from, model, from.add(AUTH));
  });
  return { record, heads: () => (isUsed ? [`${AUTH} as materialized (${userQuery(model, context)})`] : []) };
}

function userQuery(model: Model, context: Context): string {
  const id = model.members.find((member) => member.kind === "id");
  if (id === undefined) throw new Error(`The model \`${model.name}\` has no id.`);
  const user = context.parameter({ kind: "user", type: id.type });
  return `select * from ${tableOf(model)} where ${quoteName(id.column)} = ${user}`;
}
