// Entity tags: a hash of the JSON that get would send, so that a tag changes whenever that does. The server makes
// it of the bytes it sends, the database of the same text, where a write has to compare it.

import type { Select } from "@stoa/definition";
import { From, type SqlRecord } from "../sql/from.js";
import type { Scope } from "../sql/scope.js";
import { objectOf, selectColumns } from "../sql/select.js";
import { addChain, addClauses } from "./chain.js";
import type { Place } from "./place.js";
import { conditionsOf } from "./refusal.js";
import { clausesOfPath } from "./rules.js";

/** Of the 64 letters of the hash; enough to tell apart what can be told apart. */
export const TAG_LENGTH = 32;

/** How a record looks to those who get it; where nobody can, to those who write it. */
export function representationOf({ entrypoints, endpoint }: Place): Select | null {
  const get = entrypoints.at(-1)?.endpoints.find(({ kind }) => kind === "get");
  return get?.response ?? endpoint.response;
}

export function tagOf(select: Select, record: SqlRecord, scope: Scope): string {
  const json = objectOf(selectColumns(select, record, scope), new From(scope.context));
  return `left(encode(sha256(convert_to(${json}::text, 'UTF8')), 'hex'), ${TAG_LENGTH})`;
}

/** Holds if any tag will do, or the record's is among those that the request names. */
function hasTag(place: Place, record: SqlRecord, scope: Scope): string {
  const wanted = scope.context.parameter({ kind: "tags" });
  const select = representationOf(place);
  const matches = select === null ? "false" : `${tagOf(select, record, scope)} = any(${wanted})`;
  return `(${wanted} is null or ${matches})`;
}

/** Endpoints whose requests may be conditional. */
export function takesTags({ endpoint: { kind } }: Place): boolean {
  return kind === "update" || kind === "delete";
}

function checksTag(place: Place): boolean {
  return place.isConditional === true && takesTags(place);
}

export function addPrecondition(place: Place, record: SqlRecord, scope: Scope, from: From): void {
  if (checksTag(place)) from.where(hasTag(place, record, scope));
}

/** One row if the record is there, and is not the one that the client knows. */
export function changedBranch(place: Place, scope: Scope): string[] {
  if (!checksTag(place)) return [];
  const from = new From(scope.context);
  const { last, scope: inner } = addChain(place.entrypoints, scope, from);
  if (last === null) throw new Error("The endpoint has no entrypoint.");
  for (const rule of conditionsOf(place, scope)) from.where(rule);
  addClauses(clausesOfPath(place), inner, from);
  from.where(`not ${hasTag(place, last, inner)}`);
  return [`select 'm'${from.render()}`];
}
