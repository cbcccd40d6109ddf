// Rules: who may use an endpoint.

import type { AuthorizeRule } from "@stoa/definition";
import type { ExpressionProperty } from "../syntax/tree.js";
import { checkAnonymous } from "./anonymous.js";
import { type Check, modelOf } from "./context.js";
import { inferCondition } from "./expression.js";
import type { HiddenName, Scope } from "./scope.js";

/** `authorize { … }`: over aliases and `@auth`; members are named through the alias of their record. */
export function checkAuthorize(
  check: Check,
  node: ExpressionProperty<"authorize">,
  outer: Scope,
  { model, hasRecord }: { readonly model: string; readonly hasRecord: boolean },
): AuthorizeRule {
  const hidden = new Map<string, HiddenName>(outer.hidden);
  for (const member of modelOf(check, model)?.members.values() ?? []) {
    const way = hasRecord
      ? `name the record with \`entrypoint … as <alias>\` and write \`<alias>.${member.name}\``
      : "there is no single record here; which records a list shows is said by its `filter`";
    const reason = `it is a member of \`${model}\`: ${way}`;
    if (!hidden.has(member.name)) hidden.set(member.name, { span: member.span, reason });
  }
  const scope: Scope = { ...outer, hidden, model: undefined, place: "a rule", secrets: true };
  const condition = inferCondition(check, node.value, scope, "a rule");
  checkAnonymous(check, { syntax: node.value, value: condition, facts: scope.facts });
  return { condition, at: check.placeOf(node.span) };
}
