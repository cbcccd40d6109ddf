// What one action sees, and what it gives: shared by all kinds of actions.

import type { Action, Method, RequestField } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import { type ActionNode, type EndpointNode, isMissing, type Name } from "../syntax/tree.js";
import type { EntrypointContext } from "./chain.js";
import type { Scope, Variable } from "./scope.js";

export interface ActionsPlace {
  readonly context: EntrypointContext;
  readonly scope: Scope;
  readonly cardinality: "one" | "many";
  readonly method: Method;
}

/** One action, with what it asks of the request and the name it gives to its result. */
export interface CheckedAction {
  readonly action: Action;
  readonly fields: readonly RequestField[];
  readonly spans: ReadonlyMap<string, Span>;
  readonly result: Variable | undefined;
}

/** What one action sees: the names so far, and what came before it. */
export interface ActionPlace extends ActionsPlace {
  readonly endpoint: EndpointNode;
  readonly fields: ReadonlyMap<string, FieldSpan>;
  readonly isLast: boolean;
}

export interface FieldSpan {
  readonly field: RequestField;
  readonly span: Span;
}

export function headingOf(node: ActionNode): Span {
  return node.kind === "validate" ? node.span : node.heading;
}

export function resultVariable(
  alias: Name | undefined,
  model: string,
  nullable = false,
): Variable | undefined {
  if (!alias || isMissing(alias)) return undefined;
  return { name: alias.text, kind: "alias", type: { kind: "record", model, nullable }, span: alias.span };
}
