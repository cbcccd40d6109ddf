// Rules about the user alone: they are checked beside the records, so that a refusal says nothing about them.

import { idOf } from "../sql/from.js";
import type { Scope } from "../sql/scope.js";
import { userRules } from "./chain.js";
import type { Place } from "./place.js";

/** One row if a rule about the user does not hold. It comes from no table, so nothing else shows through it. */
export function refusal(rules: readonly string[], scope: Scope): string[] {
  if (rules.length === 0) return [];
  const mark = scope.auth === null ? "'f'" : `case when ${idOf(scope.auth)} is null then 'u' else 'f' end`;
  return [`select ${mark} where not coalesce(${rules.join(" and ")}, false)`];
}

export function conditionsOf(place: Place, scope: Scope): string[] {
  return userRules(place).map((rule) => scope.emitter.condition(rule, scope));
}

export function unionOf(branches: readonly string[]): string {
  const [first = "", ...rest] = branches;
  return rest.length === 0 ? first : branches.map((branch) => `(${branch})`).join(" union all ");
}
