// Computeds and queries of models: their types follow from their expressions.

import type { Model } from "../resolve/program.js";
import type { Check, Derived, DerivedMember } from "./context.js";
import { inferExpression } from "./expression.js";
import { checkQuery } from "./query.js";
import { EMPTY_SCOPE, type Scope, scopeOfModel } from "./scope.js";
import { ANY } from "./types.js";

export function modelScope(model: Model, place: string): Scope {
  return scopeOfModel(EMPTY_SCOPE, model.name, place);
}

export function derive(check: Check, model: Model, member: DerivedMember): Derived {
  if (member.kind === "computed") {
    const value = inferExpression(check, member.node.value, modelScope(model, "a computed"));
    return { kind: "computed", type: value.type, value };
  }
  const { node } = member;
  const scope: Scope = { ...modelScope(model, "a query"), self: "owner" };
  const what = `the query \`${node.name.text}\``;
  const checked = checkQuery(check, node.body, { what, span: node.name.span, scope, fromModels: false });
  return { kind: "query", type: checked?.type ?? ANY, query: checked?.query };
}
