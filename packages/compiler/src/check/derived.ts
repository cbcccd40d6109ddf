// Computeds and queries of models: their types follow from their expressions.

import { type Expression, isValueType } from "@stoa/definition";
import { computedType } from "../diagnostics/messages/queries.js";
import type { Model } from "../resolve/program.js";
import type { Expr } from "../syntax/tree.js";
import type { Check, Derived, DerivedMember } from "./context.js";
import { BROKEN_VALUE, inferExpression } from "./expression.js";
import { checkQuery } from "./query.js";
import { EMPTY_SCOPE, type Scope, scopeOfModel } from "./scope.js";
import { ANY } from "./types.js";

export function modelScope(model: Model, place: string): Scope {
  return scopeOfModel(EMPTY_SCOPE, model.name, place);
}

export function derive(check: Check, model: Model, member: DerivedMember): Derived {
  if (member.kind === "computed") {
    const { name, value: syntax } = member.node;
    const found = inferExpression(check, syntax, modelScope(model, "a computed"));
    const value = checkValue(check, found, { name: name.text, syntax });
    return { kind: "computed", type: value.type, value };
  }
  const { node } = member;
  const scope: Scope = { ...modelScope(model, "a query"), self: "owner" };
  const what = `the query \`${node.name.text}\``;
  const checked = checkQuery(check, node.body, { what, span: node.name.span, scope, fromModels: false });
  return { kind: "query", type: checked?.type ?? ANY, query: checked?.query };
}

/** A computed can stand where a field can, so it holds what a field can hold. */
function checkValue(
  check: Check,
  value: Expression,
  { name, syntax }: { readonly name: string; readonly syntax: Expr },
): Expression {
  const { type } = value;
  if (isValueType(type) || type.kind === "any" || type.kind === "null") return value;
  // A query can begin with a path through the record, not with the user.
  const isPath = value.kind === "member" && startOf(value) !== "auth";
  const text = check.textOf(syntax.span);
  check.report(computedType(syntax.span, { name, type, text, isPath }));
  return BROKEN_VALUE;
}

function startOf(expression: Expression): string {
  if (expression.kind === "member") return startOf(expression.on);
  return expression.kind === "variable" ? expression.variable : expression.kind;
}
