// Who may write what. A rule about the record refuses whoever may see the record with 403; to all others the record
// is not there. What a client changes must still be theirs to change afterwards.

import type { Action, Assignment, Endpoint, Entrypoint, Expression, Model } from "@stoa/definition";
import { From } from "../../sql/from.js";
import { type Scope, withRecord } from "../../sql/scope.js";
import { addChain, addClauses } from "../chain.js";
import type { Place } from "../place.js";
import { conditionsOf, markOf } from "../refusal.js";
import { clausesOfPath, mentions, mentionsAlias, recordClauses } from "../rules.js";
import { changeOf, mayAffect } from "./affected.js";

/** The entrypoints whose records the path of an endpoint identifies. */
export function boundEntrypoints({ entrypoints, endpoint }: Place): readonly Entrypoint[] {
  return endpoint.cardinality === "one" ? entrypoints : entrypoints.slice(0, -1);
}

/** One row if the caller may know the record, and the endpoint's rules about it refuse them. */
export function forbiddenBranch(place: Place, scope: Scope): string[] {
  const rules = clausesOfPath(place);
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

/**
 * The record was there and allowed when the statement began, and `found` is empty all the same: it has changed while it
 * was waited for. What it is now, and what is to be said about it, only another statement can see.
 */
export function overtakenBranch(place: Place, scope: Scope, found: string): string[] {
  const rules = clausesOfPath(place);
  if (rules.length === 0 || place.endpoint.cardinality !== "one") return [];
  const from = new From(scope.context);
  const { last, scope: inner } = addChain(boundEntrypoints(place), scope, from);
  if (last === null) return [];
  from.where(`not exists (select 1 from ${found})`);
  for (const condition of conditionsOf(place, scope)) from.where(condition);
  addClauses(rules, inner, from);
  return [`select 'w'${from.render()}`];
}

/** The endpoint that shows single records of an entrypoint: get, or without one the list. */
export function showing(entrypoint: Entrypoint | undefined): Endpoint | undefined {
  const endpoints = entrypoint?.endpoints ?? [];
  return endpoints.find(({ kind }) => kind === "get") ?? endpoints.find(({ kind }) => kind === "list");
}

function filterOf({ list }: Endpoint): Expression[] {
  return list?.filter ? [list.filter] : [];
}

/** Clauses that must hold once more when an action has written, and the alias of the record that it has created. */
export interface RulesAfter {
  readonly created: string | null;
  readonly clauses: readonly Expression[];
}

/**
 * Null where nothing has to be looked at again. Whatever is changed, the records of the path must still be within the
 * rules of their entrypoints. The rules of the endpoint itself are asked once more only where a client has a say in
 * the change: `authorize { order.isOpen }` is the condition for closing an order, which closing it cannot fulfil.
 */
export function rulesAfter(place: Place, action: Action, models: readonly Model[]): RulesAfter | null {
  const { entrypoints, endpoint } = place;
  const own = entrypoints.at(-1);
  const ofEntrypoints = entrypoints.flatMap(({ authorize }) => authorize);
  const created =
    action.kind === "create" && action.primary && endpoint.kind === "create" ? (own?.alias ?? null) : null;
  const bound = boundEntrypoints(place).map(({ alias }) => alias);
  const change = changeOf(action, models);
  const isAffected = change === null ? () => false : mayAffect(change);
  const rules = isOfClient(action, bound) ? [...ofEntrypoints, ...endpoint.authorize] : ofEntrypoints;
  const clauses = recordClauses(rules).filter((clause) => {
    if (created !== null && mentionsAlias(clause, created)) return true;
    return isAffected(clause) && bound.some((alias) => mentionsAlias(clause, alias));
  });
  return clauses.length === 0 ? null : { created, clauses };
}

/** Whether a client has a say in what an action writes, or in which records it writes. */
function isOfClient(action: Action, bound: readonly string[]): boolean {
  switch (action.kind) {
    case "create":
      return action.primary;
    case "update":
      return action.assignments.some((each) => isFromClient(each, bound));
    case "query": {
      if (action.operation.kind !== "update") return false;
      const { filter } = action.query;
      if (filter !== null && dependsOnClient(filter, bound)) return true;
      return action.operation.assignments.some((each) => isFromClient(each, bound));
    }
    default:
      return false;
  }
}

/** What the actions before have found may be what the client has named. */
function dependsOnClient(value: Expression, bound: readonly string[]): boolean {
  return mentions(value, ({ variable, name }) =>
    variable === "alias" ? !bound.includes(name) : variable === "input",
  );
}

function isFromClient(assignment: Assignment, bound: readonly string[]): boolean {
  switch (assignment.kind) {
    case "input":
    case "lookup":
      return true;
    case "set":
    case "parent":
      return dependsOnClient(assignment.value, bound);
    case "hook":
      return assignment.hook.arguments.some(({ value }) =>
        value.kind === "expression" ? dependsOnClient(value.expression, bound) : true,
      );
  }
}
