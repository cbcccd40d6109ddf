// Rules about the user alone: they are checked beside the records, so that a refusal says nothing about them.

import { idOf } from "../sql/from.js";
import type { Scope } from "../sql/scope.js";
import { userRules } from "./chain.js";
import type { Place } from "./place.js";

/** One row if a rule about the user does not hold. It comes from no table, so nothing else shows through it. */
export function refusal(rules: readonly string[], scope: Scope): string[] {
  if (rules.length === 0) return [];
  return [`select ${markOf(scope)} where not coalesce(${rules.join(" and ")}, false)`];
}

/** Who is refused: somebody with bad credentials, nobody, or a user. */
export function markOf({ auth, hasGoodCredentials }: Scope): string {
  if (auth === null) return "'f'";
  const bad = hasGoodCredentials === null ? "" : `when not ${hasGoodCredentials()} then 'x' `;
  return `case ${bad}when ${idOf(auth)} is null then 'u' else 'f' end`;
}

/** One row with the id of the user, if there is one: for code, which cannot ask the statement. */
export function userBranch({ auth }: Scope): string[] {
  return auth === null ? [] : [`select 'U' || ${idOf(auth)}::text where ${idOf(auth)} is not null`];
}

/** Whatever has to hold of the user, whichever record it is about. */
export function conditionsOf(place: Place, scope: Scope): string[] {
  const rules = userRules(place).map((rule) => scope.emitter.condition(rule, scope));
  return scope.hasGoodCredentials === null ? rules : [scope.hasGoodCredentials(), ...rules];
}

export function unionOf(branches: readonly string[]): string {
  const [first = "", ...rest] = branches;
  return rest.length === 0 ? first : branches.map((branch) => `(${branch})`).join(" union all ");
}
