// What an answer says of the written record beside its JSON: for a new one what identifies it, and the entity tag.

import type { SqlRecord } from "../../sql/from.js";
import type { Scope } from "../../sql/scope.js";
import { identifier } from "../chain.js";
import type { Place } from "../place.js";
import { representationOf, tagOf } from "../tag.js";

export function tagSource(place: Place): "answer" | "row" | "none" {
  const { response } = place.endpoint;
  if (response === null) return "none";
  const shown = JSON.stringify(response.items);
  return JSON.stringify(representationOf(place)?.items) === shown ? "answer" : "row";
}

/** Values with their marks, over the written record. */
export function aboutRecord(place: Place): ((record: SqlRecord, scope: Scope) => string)[] {
  return [...location(place), ...tag(place)];
}

function location({ entrypoints, endpoint }: Place) {
  const own = entrypoints.at(-1);
  const path = own?.identify?.path;
  if (endpoint.kind !== "create" || path === undefined) return [];
  if (!own?.endpoints.some(({ kind }) => kind === "get")) return [];
  return [(record: SqlRecord, scope: Scope) => `'i' || ${identifier(record, path, scope)}::text`];
}

function tag(place: Place) {
  const select = representationOf(place);
  if (tagSource(place) !== "row" || select === null) return [];
  return [(record: SqlRecord, scope: Scope) => `'e' || ${tagOf(select, record, scope)}`];
}
