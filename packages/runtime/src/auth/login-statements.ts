// The statements of a login. The first counts the attempt before anything is compared, so that many attempts at once
// are as many as one after the other; the last begins the session, if the secret is still the one that was compared.

import { qualifyName, quoteName, SYSTEM_SCHEMA } from "@stoa/database";
import type { Auth, Definition, FieldMember, Model } from "@stoa/definition";
import { Context } from "../sql/context.js";
import { From, idColumn, rowRecord, tableOf } from "../sql/from.js";
import { datetimeText, ROW, rowObject } from "../sql/json.js";
import { directColumns } from "../sql/select.js";
import { columnType } from "../sql/types.js";

export interface LoginLimits {
  /** Failures until no more attempts are taken. */
  readonly perAccount: number;
  readonly perAddress: number;
  /** From the first failure on. */
  readonly windowMs: number;
}

export const LOGIN_LIMITS: LoginLimits = { perAccount: 10, perAddress: 50, windowMs: 15 * 60_000 };

/** The users of an application who log in with a secret. */
export interface Accounts {
  readonly model: Model;
  readonly identify: FieldMember;
  readonly secret: FieldMember;
}

export function accountsOf(definition: Definition, { model: name, password }: Auth): Accounts | null {
  if (password === null) return null;
  const model = new Context(definition).model(name);
  return { model, identify: fieldOf(model, password.identify), secret: fieldOf(model, password.secret) };
}

export function fieldOf(model: Model, name: string): FieldMember {
  const field = model.members.find((member) => member.name === name);
  if (field?.kind !== "field") throw new Error(`\`${model.name}.${name}\` is no field.`);
  return field;
}

const ATTEMPT = qualifyName(SYSTEM_SCHEMA, "login_attempt");
const SESSION = qualifyName(SYSTEM_SCHEMA, "session");
/** More than any limit; the count must not overflow. */
const MOST_ATTEMPTS = 1_000_000;

/**
 * Parameters: the key of the account, that of the address or null, and what identifies the user. Gives the seconds
 * to wait, or null; and the user's id and hash, if there is one. An address that is blocked counts against no
 * account: nobody can lock others out from there.
 */
export function attemptStatement({ model, identify, secret }: Accounts, limits: LoginLimits): string {
  const { perAccount, perAddress, windowMs } = limits;
  const id = `u.${quoteName(idColumn(model))}::text`;
  const isUser = `u.${quoteName(identify.column)} = $3::${columnType(identify.type)}`;
  const isBlocked = `exists (select 1 from "$address" where attempts > ${perAddress})`;
  const blocked = `select ends_at from "$address" where attempts > ${perAddress} union all select ends_at from "$account" where attempts > ${perAccount}`;
  return `with "$address" as (${countAttempt("$2", "$2::text is not null", windowMs)}),
    "$account" as (${countAttempt("$1", `not ${isBlocked}`, windowMs)}),
    "$wait" as (select ceil(extract(epoch from max(ends_at) - now()))::int as seconds from (${blocked}) b)
    select json_build_object('wait', w.seconds, 'id', ${id}, 'hash', u.${quoteName(secret.column)})::text
    from "$wait" w left join ${tableOf(model)} u on w.seconds is null and ${isUser}`;
}

function countAttempt(key: string, condition: string, windowMs: number): string {
  const isOver = "a.ends_at <= now()";
  return `insert into ${ATTEMPT} as a (key, attempts, ends_at)
    select ${key}::text, 1, now() + ${interval(windowMs)} where ${condition}
    on conflict (key) do update set
      attempts = case when ${isOver} then 1 else least(a.attempts + 1, ${MOST_ATTEMPTS}) end,
      ends_at = case when ${isOver} then excluded.ends_at else a.ends_at end
    returning a.attempts, a.ends_at`;
}

function interval(ms: number): string {
  return `interval '${Math.round(ms)} milliseconds'`;
}

/**
 * Parameters: the user's id, the hash that was compared, the hash of the token, and the keys of account and address.
 * A session gives back the attempt that was counted for it. The user is locked: a change of the secret that is
 * under way is waited for, and one that comes later ends this session.
 */
export function sessionStatement({ model, secret }: Accounts, definition: Definition, ttlMs: number): string {
  const id = model.members.find((member) => member.kind === "id");
  if (id === undefined) throw new Error(`The model \`${model.name}\` has no id.`);
  const from = new From(new Context(definition));
  const columns = directColumns(rowRecord(from, model, from.add(quoteName("$user"))));
  const column = quoteName(id.column);
  const isUser = `${column} = $1::${columnType(id.type)} and ${quoteName(secret.column)} = $2::text`;
  const hasUser = `exists (select 1 from "$user")`;
  return `with "$user" as (select * from ${tableOf(model)} where ${isUser} for share),
    "$session" as (insert into ${SESSION} (token_hash, user_id, expires_at)
      select $3::text, ${column}::text, now() + ${interval(ttlMs)} from "$user" returning expires_at),
    "$address" as (update ${ATTEMPT} set attempts = attempts - 1
      where key = $5::text and attempts > 0 and ${hasUser} returning 1),
    "$account" as (delete from ${ATTEMPT}
      where key = $4::text and ${hasUser} and (select count(*) from "$address") >= 0)
    select concat('{"expiresAt":', to_json(${datetimeText("s.expires_at")}),
      ',"user":', (select ${rowObject(columns)} from (select ${columns}${from.render()}) ${ROW}), '}')
    from "$session" s`;
}

/** Parameters: the user's id, the hash that was compared, and one of the same secret that is made as hashes are now. */
export function rehashStatement({ model, secret }: Accounts): string {
  const id = model.members.find((member) => member.kind === "id");
  if (id === undefined) throw new Error(`The model \`${model.name}\` has no id.`);
  const column = quoteName(secret.column);
  return `update ${tableOf(model)} set ${column} = $3::text
    where ${quoteName(id.column)} = $1::${columnType(id.type)} and ${column} = $2::text`;
}

const CLEANED_AT_ONCE = 500;

/** What is over, a few at a time; what others are about to use or to delete is left to them. */
export const CLEANING = [
  `with "$old" as (delete from ${SESSION} where token_hash in (select token_hash from ${SESSION}
    where expires_at <= now() limit ${CLEANED_AT_ONCE} for update skip locked) returning 1)
    select count(*)::text from "$old"`,
  `with "$old" as (delete from ${ATTEMPT} where key in (select key from ${ATTEMPT}
    where ends_at <= now() limit ${CLEANED_AT_ONCE} for update skip locked) returning 1)
    select count(*)::text from "$old"`,
] as const;

export function isWholeBatch(count: number): boolean {
  return count >= CLEANED_AT_ONCE;
}
