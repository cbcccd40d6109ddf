// Queries: where the records come from, which of them, in what order, and what comes out.

import type { Expression, OrderTerm, Query, QueryResult, QuerySource, Type } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as sayExpression from "../diagnostics/messages/expressions.js";
import * as say from "../diagnostics/messages/queries.js";
import {
  type AggregateNode,
  type Block,
  type Expr,
  type FromNode,
  itemOf,
  itemsOf,
  type OrderByNode,
  type Path,
  type QueryProperty,
} from "../syntax/tree.js";
import { aggregateNeeds, aggregateType } from "./call.js";
import type { Check } from "./context.js";
import { inferCondition, inferExpression } from "./expression.js";
import { factsWhenTrue } from "./facts.js";
import { wholeNumber } from "./literal.js";
import { inferMember, inferName } from "./path.js";
import { type Scope, scopeOfModel, withFacts, withVariable } from "./scope.js";
import { isOrdered } from "./types.js";

export interface CheckedQuery {
  readonly query: Query;
  readonly type: Type;
  /** The scope of expressions about the queried records. */
  readonly scope: Scope;
}

export interface QueryPlace {
  /** What the query is, for messages: "the query `recent`". */
  readonly what: string;
  readonly span: Span;
  readonly scope: Scope;
  /** `from` may name a model, for all of its records. */
  readonly fromModels: boolean;
}

/** Undefined after a report when the source of the query is not known. */
export function checkQuery(
  check: Check,
  body: Block<QueryProperty>,
  place: QueryPlace,
): CheckedQuery | undefined {
  const from = itemOf(body, "from");
  if (!from) {
    if (!body.damaged) check.report(say.missingFrom(place.span, place.what));
    return undefined;
  }
  const source = resolveSource(check, from.path, place);
  if (!source) return undefined;
  const inner = queryScope(check, place.scope, { model: source.model, from });
  const filter = itemOf(body, "filter");
  const condition = filter && inferCondition(check, filter.value, inner, "a filter");
  const scope = condition ? withFacts(inner, factsWhenTrue(condition)) : inner;
  const result = checkResult(check, body, scope);
  const query: Query = {
    from: source.from,
    model: source.model,
    filter: condition ?? null,
    orderBy: checkOrderBy(check, itemOf(body, "order"), scope),
    limit: checkCount(check, itemOf(body, "limit"), 1),
    offset: checkCount(check, itemOf(body, "offset"), 0),
    result: result.result,
  };
  const record: Type = { kind: "record", model: source.model, nullable: false };
  return { query, type: result.type ?? resultType(result.result, record), scope };
}

function queryScope(
  check: Check,
  outer: Scope,
  { model, from }: { readonly model: string; readonly from: FromNode },
): Scope {
  const scope = scopeOfModel(outer, model, "a query");
  if (!from.alias) return scope;
  const { text: name, span } = from.alias;
  const taken = outer.variables.get(name);
  if (taken) check.report(say.aliasTaken(span, name, taken.span));
  const type: Type = { kind: "record", model, nullable: false };
  return withVariable(scope, { name, kind: "this", type, span });
}

interface Source {
  readonly from: QuerySource;
  readonly model: string;
}

function resolveSource(check: Check, path: Path, { scope, fromModels }: QueryPlace): Source | undefined {
  const [first, ...rest] = path.names;
  if (!first) return undefined;
  const isModel = fromModels && rest.length === 0 && check.program.models.has(first.text);
  if (isModel && !scope.variables.has(first.text)) {
    return { from: { kind: "model", model: first.text }, model: first.text };
  }
  const start = inferSourceName(check, first, { scope, fromModels });
  const end = rest.reduce((on, name) => inferMember(check, on, { name, scope }), start);
  return sourceOf(check, path, end);
}

/** The first name; where models may be named, an unknown one is most likely a model. */
function inferSourceName(
  check: Check,
  name: Path["names"][number],
  { scope, fromModels }: Pick<QueryPlace, "scope" | "fromModels">,
): Expression {
  const isMember = check.program.models.get(scope.model ?? "")?.members.has(name.text) === true;
  const known = isMember || scope.variables.has(name.text) || scope.hidden.has(name.text);
  const isModel = check.program.models.has(name.text);
  if (known || !(isModel || (fromModels && /^[A-Z]/.test(name.text)))) return inferName(check, name, scope);
  if (isModel) check.report(say.modelSource(name.span, name.text, fromModels));
  else if (!check.program.damaged)
    check.report(say.unknownSource(name.span, name.text, [...check.program.models.keys()]));
  return { kind: "literal", type: { kind: "any", nullable: false }, value: null };
}

function sourceOf(check: Check, path: Path, value: Expression): Source | undefined {
  const { type } = value;
  const record = type.kind === "collection" ? type.of : type;
  if (record.kind === "record") return { from: { kind: "path", path: value }, model: record.model };
  if (type.kind !== "any") check.report(say.notRecords(path.span, type));
  return undefined;
}

export function checkOrderBy(check: Check, node: OrderByNode | undefined, scope: Scope): OrderTerm[] {
  const inner: Scope = { ...scope, place: "an order" };
  return (node?.terms ?? []).map(({ value: syntax, descending }) => {
    const value = inferExpression(check, syntax, inner);
    const { kind } = value.type;
    const isRight = isOrdered(value.type) || ["boolean", "enum", "uuid", "any"].includes(kind);
    if (!isRight) check.report(sayExpression.notOrderable(syntax.span, value.type));
    return { value, descending };
  });
}

/** A whole number written out, at least `least`. */
function checkCount(
  check: Check,
  node: { readonly kind: string; readonly value: Expr } | undefined,
  least: number,
): number | null {
  if (!node || node.value.kind === "missing") return null;
  if (node.value.kind === "integer" && node.value.value >= least)
    return wholeNumber(check, node.value) ?? null;
  check.report(say.countNeeded(node.value.span, node.kind, least));
  return null;
}

interface CheckedResult {
  readonly result: QueryResult;
  readonly type?: Type;
}

/** At most one of `first`, `one` and the aggregates says what comes out. */
function checkResult(check: Check, body: Block<QueryProperty>, scope: Scope): CheckedResult {
  const wanted = [itemOf(body, "first"), itemOf(body, "one"), ...itemsOf(body, "aggregate")].filter(
    (node) => node !== undefined,
  );
  const [first, second] = wanted;
  if (first && second) check.report(say.twoResults(second.span, first.span));
  if (!first) return { result: { kind: "many" } };
  if (first.kind !== "aggregate") return { result: { kind: first.kind } };
  return checkAggregate(check, first, scope);
}

function checkAggregate(check: Check, node: AggregateNode, scope: Scope): CheckedResult {
  const { function: name } = node;
  const takesValue = name !== "count" && name !== "exists";
  if (takesValue !== (node.value !== undefined))
    check.report(say.aggregateValue(node.span, name, takesValue));
  const value = node.value ? inferExpression(check, node.value, scope) : null;
  const any: Type = { kind: "any", nullable: false };
  const of = value?.type ?? any;
  const type = of.kind === "any" && takesValue ? any : aggregateType(name, of);
  if (!type && node.value) {
    check.report(sayExpression.aggregateType(node.value.span, name, aggregateNeeds(name), of));
  }
  return { result: { kind: "aggregate", function: name, value }, type: type ?? any };
}

function resultType(result: QueryResult, record: Type): Type {
  // `one` promises more than the data can keep: only an action can end the request when the record is missing.
  if (result.kind === "first" || result.kind === "one") return { ...record, nullable: true } as Type;
  return { kind: "collection", of: record, nullable: false };
}
