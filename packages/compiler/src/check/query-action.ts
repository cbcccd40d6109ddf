// Query actions: read records for later actions, or change many at once.

import type { Action, Assignment, QueryAction, Type } from "@stoa/definition";
import * as say from "../diagnostics/messages/queries.js";
import { isMissing, itemOf, type QueryActionNode, type QueryUpdateNode } from "../syntax/tree.js";
import type { ActionPlace, CheckedAction } from "./action-place.js";
import { type Check, modelOf } from "./context.js";
import { type CheckedQuery, checkQuery } from "./query.js";
import type { Variable } from "./scope.js";
import { checkSelect } from "./select.js";
import { ANY, withNull } from "./types.js";
import { checkWrite } from "./write.js";

export function checkQueryAction(
  check: Check,
  node: QueryActionNode,
  place: ActionPlace,
): CheckedAction | undefined {
  const { scope } = place;
  const what = node.alias ? `the query \`${node.alias.text}\`` : "this query";
  const checked = checkQuery(check, node.body, { what, span: node.heading, scope, fromModels: true });
  checkShape(check, node);
  const operation = checked && checkOperation(check, node, checked);
  const result = resultOf(node, operation?.type ?? ANY);
  if (!checked || !operation) return fallback(check, node, result);
  const action: Action = {
    kind: "query",
    alias: node.alias?.text ?? null,
    query: checked.query,
    operation: operation.operation,
    at: check.placeOf(node.span),
  };
  return { action, fields: [], spans: new Map(), result };
}

/** A broken query still names its result, so that later actions do not complain. */
function fallback(check: Check, node: QueryActionNode, result: Variable | undefined): CheckedAction {
  const nothing = { kind: "literal", type: ANY, value: null } as const;
  const action: Action = {
    kind: "respond",
    body: nothing,
    status: null,
    headers: [],
    at: check.placeOf(node.span),
  };
  return { action, fields: [], spans: new Map(), result };
}

function resultOf({ alias }: QueryActionNode, type: Type): Variable | undefined {
  if (!alias || isMissing(alias)) return undefined;
  return { name: alias.text, kind: "alias", type, span: alias.span };
}

function checkShape(check: Check, { body }: QueryActionNode): void {
  const operations = [itemOf(body, "select"), itemOf(body, "update"), itemOf(body, "delete")].filter(
    (item) => item !== undefined,
  );
  const [first, second] = operations;
  if (first && second) check.report(say.twoOperations(second.span, first.span));
  const aggregate = itemOf(body, "aggregate");
  if (first && aggregate) check.report(say.aggregateWithOperation(first.span, first.kind));
  if (first && first.kind !== "select") {
    const limits = [itemOf(body, "limit"), itemOf(body, "offset"), itemOf(body, "order")];
    const limit = limits.find((item) => item !== undefined);
    if (limit) check.report(say.limitedWrite(limit.span, limit.kind === "order" ? "order by" : limit.kind));
  }
}

interface CheckedOperation {
  readonly operation: QueryAction["operation"];
  /** Type of the alias. */
  readonly type: Type;
}

function checkOperation(check: Check, { body }: QueryActionNode, checked: CheckedQuery): CheckedOperation {
  // Without the record that `one` asks for, the actions after it do not run.
  const type = checked.query.result.kind === "one" ? withNull(checked.type, false) : checked.type;
  const update = itemOf(body, "update");
  if (update) {
    const assignments = checkUpdate(check, update, checked);
    return { operation: { kind: "update", assignments }, type };
  }
  if (itemOf(body, "delete")) return { operation: { kind: "delete" }, type };
  const select = itemOf(body, "select");
  const chosen = select ? checkSelect(check, select.select, checked.query.model, checked.scope) : null;
  return { operation: { kind: "select", select: chosen }, type };
}

function checkUpdate(
  check: Check,
  node: QueryUpdateNode,
  { query, scope }: CheckedQuery,
): readonly Assignment[] {
  const model = modelOf(check, query.model);
  if (!model) return [];
  const body = { items: node.body.items, span: node.body.span, damaged: node.body.damaged };
  const written = {
    kind: "update" as const,
    target: undefined,
    alias: undefined,
    heading: node.span,
    body,
    span: node.span,
    doc: undefined,
  };
  return checkWrite(check, written, {
    kind: "update",
    model,
    scope,
    fixed: new Map(),
    prefix: [],
    span: node.span,
  }).assignments;
}
