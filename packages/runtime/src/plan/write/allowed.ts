// Who may write what. A rule about the record refuses whoever may see the record with 403; to all others the record
// is not there. What a client changes must still be theirs to change afterwards.

import type { Action, Assignment, Endpoint, Entrypoint, Expression, Model } from "@stoa/definition";
import { From } from "../../sql/from.js";
import { type Scope, withRecord } from "../../sql/scope.js";
import { addChain } from "../chain.js";
import type { Place } from "../place.js";
import { conditionsOf, markOf } from "../refusal.js";
import { clausesOfPath, mentions, mentionsAlias, recordClauses } from "../rules.js";
import { mayAffect } from "./affected.js";

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

/** The endpoint that shows single records of an entrypoint: get, or without one the list. */
function showing(entrypoint: Entrypoint | undefined): Endpoint | undefined {
  const endpoints = entrypoint?.endpoints ?? [];
  return endpoints.find(({ kind }) => kind === "get") ?? endpoints.find(({ kind }) => kind === "list");
}

function filterOf({ list }: Endpoint): Expression[] {
  return list?.filter ? [list.filter] : [];
}

/** Clauses that must hold once more when a record has been written, and the alias that names it there. */
export interface RulesAfter {
  readonly alias: string;
  readonly clauses: readonly Expression[];
}

/** Null where nothing has to be looked at again: what is all the program's own, or changes nothing for the rules. */
export function rulesAfter(place: Place, action: Action, models: readonly Model[]): RulesAfter | null {
  const alias = writtenAlias(place, action);
  if (alias === null) return null;
  const { entrypoints, endpoint } = place;
  const clauses = recordClauses([
    ...entrypoints.flatMap(({ authorize }) => authorize),
    ...endpoint.authorize,
  ]);
  const isAffected = action.kind === "update" ? mayAffect(action, models) : () => true;
  const about = clauses.filter((clause) => mentionsAlias(clause, alias) && isAffected(clause));
  return about.length === 0 ? null : { alias, clauses: about };
}

/** The entrypoint's alias for the record that an action creates, or changes as the client says. */
function writtenAlias(place: Place, action: Action): string | null {
  const own = place.entrypoints.at(-1);
  if (action.kind === "create")
    return action.primary && place.endpoint.kind === "create" ? (own?.alias ?? null) : null;
  if (action.kind !== "update") return null;
  const bound = boundEntrypoints(place).map(({ alias }) => alias);
  const alias = firstAlias(action.target, place.endpoint.actions);
  if (alias === null || !bound.includes(alias)) return null;
  return action.assignments.some((each) => isFromClient(each, bound)) ? alias : null;
}

/** A record may have got further names from the updates before. */
function firstAlias(target: Expression, actions: readonly Action[]): string | null {
  if (target.kind !== "variable") return null;
  const before = actions.find((action) => action.kind === "update" && action.alias === target.name);
  return before?.kind === "update" ? firstAlias(before.target, actions) : target.name;
}

/** Whether a client has a say in a value. What the actions before have found may be what the client has named. */
function isFromClient(assignment: Assignment, bound: readonly string[]): boolean {
  const depends = (value: Expression): boolean =>
    mentions(value, ({ variable, name }) =>
      variable === "alias" ? !bound.includes(name) : variable === "input",
    );
  switch (assignment.kind) {
    case "input":
    case "lookup":
      return true;
    case "set":
    case "parent":
      return depends(assignment.value);
    case "hook":
      return assignment.hook.arguments.some(({ value }) =>
        value.kind === "expression" ? depends(value.expression) : true,
      );
  }
}
