// A statement while it is being planned: its scope, the user at its head, and its end.

import { qualifyName, quoteName, SYSTEM_SCHEMA } from "@stoa/database";
import type { Auth, Definition, FieldMember, Model } from "@stoa/definition";
import { type Binding, Context } from "../sql/context.js";
import { emitter } from "../sql/emitter.js";
import { idColumn, idOf, LoneRecord, rowRecord, type SqlRecord, tableOf } from "../sql/from.js";
import type { Scope } from "../sql/scope.js";
import { columnType } from "../sql/types.js";

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
  const { auth: by } = definition;
  const { record: user } = auth;
  const scope: Scope = {
    ...{ context, emitter, this: null, owner: null, strict: null, auth: auth.record },
    aliases: new Map(),
    results: new Map(),
    shapes: new Map(),
    defaults: new Map(),
    hasGoodCredentials: by === null || user === null ? null : () => hasGoodCredentials(by, user, context),
  };
  const finish = (body: string, heads: readonly string[] = []): Statement => {
    const all = [...auth.heads(), ...heads];
    const sql = all.length === 0 ? body : `with ${all.join(", ")} ${body}`;
    return { sql, bindings: context.bindings };
  };
  return { scope, finish };
}

/** The user, looked up at the head of the statement if anything asks for them. */
function authOf({ auth }: Definition, context: Context) {
  if (auth === null) return { record: null, heads: () => [] };
  const model = context.model(auth.model);
  let isUsed = false;
  const record = new LoneRecord(context, { model, isNullable: true }, (from) => {
    isUsed = true;
    return rowRecord(from, model, from.add(AUTH));
  });
  return {
    record,
    heads: () => (isUsed ? [`${AUTH} as materialized (${userQuery(auth, model, context)})`] : []),
  };
}

/** By the id that an in-process caller vouches for, by a session, or by the subject of a signed token. */
function userQuery({ password, jwt }: Auth, model: Model, context: Context): string {
  const id = model.members.find((member) => member.kind === "id");
  if (id === undefined) throw new Error(`The model \`${model.name}\` has no id.`);
  const ids = [
    context.parameter({ kind: "user", type: id.type }),
    ...(password === null ? [] : [sessionUser(columnType(id.type), context)]),
    ...(jwt === null ? [] : [subjectUser(jwt.subject, model, context)]),
  ];
  const wanted = ids.length === 1 ? ids[0] : `coalesce(${ids.join(", ")})`;
  return `select * from ${tableOf(model)} where ${quoteName(id.column)} = ${wanted}`;
}

function sessionUser(type: string, context: Context): string {
  const token = context.parameter({ kind: "session" });
  const isValid = `token_hash = ${token} and expires_at > now()`;
  return `(select user_id::${type} from ${qualifyName(SYSTEM_SCHEMA, "session")} where ${isValid})`;
}

function subjectUser(name: string, model: Model, context: Context): string {
  const subject = subjectParameter(name, model, context);
  const column = quoteName(subjectField(name, model).column);
  return `(select ${quoteName(idColumn(model))} from ${tableOf(model)} where ${column} = ${subject})`;
}

function subjectParameter(name: string, model: Model, context: Context): string {
  return context.parameter({ kind: "subject", type: subjectField(name, model).type });
}

function subjectField(name: string, model: Model): FieldMember {
  const field = model.members.find((member) => member.name === name);
  if (field?.kind !== "field") throw new Error(`\`${model.name}.${name}\` is no field.`);
  return field;
}

/** Holds unless the caller has shown credentials that nobody has: they say something, and there is no user. */
function hasGoodCredentials({ password, jwt, model }: Auth, user: SqlRecord, context: Context): string {
  const shown = [
    ...(password === null ? [] : [context.parameter({ kind: "session" })]),
    ...(jwt === null ? [] : [subjectParameter(jwt.subject, context.model(model), context)]),
  ];
  const areNone = shown.map((parameter) => `${parameter} is null`).join(" and ");
  return shown.length === 0 ? "true" : `((${areNone}) or ${idOf(user)} is not null)`;
}
