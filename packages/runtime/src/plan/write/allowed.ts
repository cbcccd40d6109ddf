// Who may write what. A rule about the record refuses whoever may see the record with 403; to all others the record
// is not there. What a client changes must still be theirs to change afterwards.

import type { Action, AuthorizeRule, Endpoint, Entrypoint, Expression } from "@stoa/definition";
import { From } from "../../sql/from.js";
import { type Scope, withRecord } from "../../sql/scope.js";
import { addChain } from "../chain.js";
import type { Place } from "../place.js";
import { conditionsOf, markOf } from "../refusal.js";
import { conjuncts, mentionsAlias, mentionsRecord } from "../rules.js";

/** The entrypoints whose records the path of an endpoint identifies. */
export function boundEntrypoints({ entrypoints, endpoint }: Place): readonly Entrypoint[] {
  return endpoint.cardinality === "one" ? entrypoints : entrypoints.slice(0, -1);
}

/** One row if the caller may know the record, and the endpoint's rules about it refuse them. */
export function forbiddenBranch(place: Place, scope: Scope): string[] {
  const rules = recordRules(place.endpoint.authorize);
  const bound = boundEntrypoints(place);
  const shown = showing(bound.at(-1));
  if (rules.length === 0 || shown === undefined) return [];
  const from = new From(scope.context);
  const { last, scope: inner } = addChain(bound, scope, from);
  if (last === null) return [];
  for (const condition of conditionsOf(place, scope)) from.where(condition);
  const visible = withRecord(inner, last);
  for (const condition of [...shown.authorize.map((rule) => rule.condition), ...filterOf(shown)]) {
    from.where(scope.emitter.condition(condition, visible));
  }
  const allowed = rules.map((rule) => scope.emitter.condition(rule, inner)).join(" and ");
  from.where(`not coalesce(${allowed}, false)`);
  return [`select ${markOf(scope)}${from.render()}`];
}

function recordRules(rules: readonly AuthorizeRule[]): Expression[] {
  return rules.flatMap(({ condition }) => conjuncts(condition)).filter(mentionsRecord);
}

/** The endpoint that shows single records of an entrypoint: get, or without one the list. */
function showing(entrypoint: Entrypoint | undefined): Endpoint | undefined {
  const endpoints = entrypoint?.endpoints ?? [];
  return endpoints.find(({ kind }) => kind === "get") ?? endpoints.find(({ kind }) => kind === "list");
}

function filterOf({ list }: Endpoint): Expression[] {
  return list?.filter ? [list.filter] : [];
}

/** The rules that must hold of the record after an update as well; none where the request changes nothing of it. */
export function rulesAfter({ entrypoints, endpoint }: Place, action: Action): Expression[] {
  const own = entrypoints.at(-1);
  if (own === undefined || action.kind !== "update" || endpoint.cardinality !== "one") return [];
  const isOwn = action.target.kind === "variable" && action.target.name === own.alias;
  const isFromClient = action.assignments.some(({ kind }) => kind === "input" || kind === "lookup");
  if (!isOwn || !isFromClient) return [];
  return [...own.authorize, ...endpoint.authorize]
    .flatMap(({ condition }) => conjuncts(condition))
    .filter((condition) => mentionsAlias(condition, own.alias));
}
