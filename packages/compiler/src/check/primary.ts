// The endpoint's own action: creating, updating or deleting the record the endpoint is about.

import type { CreateAction, Expression } from "@stoa/definition";
import { resultNamedTwice } from "../diagnostics/messages/actions.js";
import type { ActionNode, DeleteNode, Name, WriteNode } from "../syntax/tree.js";
import { type ActionPlace, type CheckedAction, resultVariable } from "./action-place.js";
import { type EntrypointContext, recordVariable } from "./chain.js";
import { type Check, modelOf } from "./context.js";
import { checkWrite } from "./write.js";

/** The name of a result that the source gives none. */
const UNNAMED = "$result";

/** Create, update or delete without a target: the endpoint's own, if it is of its kind. */
export function isPrimary(node: ActionNode): node is WriteNode | DeleteNode {
  return (
    (node.kind === "create" || node.kind === "update" || node.kind === "delete") && node.target === undefined
  );
}

/** `node` is undefined for the default action. */
export function checkPrimary(
  check: Check,
  node: ActionNode | undefined,
  place: ActionPlace,
): CheckedAction | undefined {
  const { context, endpoint } = place;
  const model = modelOf(check, context.target.model);
  if (!model) return undefined;
  const at = check.placeOf(node?.span ?? endpoint.heading);
  const record = recordVariable(context.alias, model.name);
  if (endpoint.endpoint === "delete") {
    const action = { kind: "delete", primary: true, model: model.name, target: record, at } as const;
    return { action, fields: [], spans: new Map(), result: undefined };
  }
  const kind = endpoint.endpoint === "create" ? "create" : "update";
  const written = node?.kind === "create" || node?.kind === "update" ? node : undefined;
  const name = resultName(check, written, place);
  const alias = name?.text ?? UNNAMED;
  const { assignments, fields, spans } = checkWrite(check, written, {
    kind,
    model,
    scope: place.scope,
    fixed: kind === "create" ? createdBy(context) : keptBy(context),
    prefix: [],
    span: written?.heading ?? endpoint.heading,
  });
  const common = { primary: true, alias, model: model.name, assignments, at };
  const action =
    kind === "create"
      ? ({ kind: "create", ...common, link: linkOf(context) } as const)
      : ({ kind: "update", ...common, target: record } as const);
  return { action, fields, spans, result: resultVariable(name, model.name) };
}

/** The endpoint names its result, or the action does. */
function resultName(check: Check, node: WriteNode | undefined, { endpoint }: ActionPlace): Name | undefined {
  if (endpoint.alias && node?.alias) {
    check.report(resultNamedTwice(node.alias.span, endpoint.alias.span));
  }
  return endpoint.alias ?? node?.alias;
}

/** Through a relation, the new record points at its parent. */
function createdBy({ chain, target }: EntrypointContext): Map<string, Expression> {
  if (target.via !== "relation" || !target.reference || !chain.record) return new Map();
  return new Map([[target.reference.name, chain.record.value]]);
}

/** A nested record stays with its parent. */
export function keptBy({ target }: EntrypointContext): Map<string, null> {
  const isTied = target.reference !== undefined && target.via !== "reference";
  return isTied ? new Map([[target.reference.name, null]]) : new Map();
}

/** Through a reference, the parent points at the new record. */
function linkOf({ chain, target }: EntrypointContext): CreateAction["link"] {
  if (target.via !== "reference" || !target.reference || !chain.record) return null;
  return { record: chain.record.value, reference: target.reference.name };
}
