// The actions of an endpoint, in order, and the request they need. An endpoint that writes has one primary
// action, of its own kind; where the block has none, the default one is added: before the others, except a
// delete, which comes last so that the others still see the record.

import type { Action, RequestField, RequestSchema } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/actions.js";
import { aliasShadows } from "../diagnostics/messages/names.js";
import { type ActionNode, type EndpointNode, isMissing, itemOf } from "../syntax/tree.js";
import { checkTargetedAction } from "./action.js";
import {
  type ActionPlace,
  type ActionsPlace,
  type CheckedAction,
  type FieldSpan,
  headingOf,
} from "./action-place.js";
import type { Check } from "./context.js";
import { checkExtraInputs, type ExtraInputs } from "./extra-inputs.js";
import { checkPrimary, isPrimary } from "./primary.js";
import { type Scope, type Variable, withVariable } from "./scope.js";
import { ANY } from "./types.js";

export interface CheckedActions {
  readonly request: RequestSchema | null;
  readonly actions: readonly Action[];
}

export function checkActions(check: Check, endpoint: EndpointNode, place: ActionsPlace): CheckedActions {
  if (endpoint.endpoint === "get" || endpoint.endpoint === "list") return { request: null, actions: [] };
  const extra = checkExtraInputs(check, itemOf(endpoint.body, "extra"), place.scope);
  const runner = new ActionRunner(check, endpoint, { ...place, scope: extra.scope }, extra);
  for (const node of plan(check, endpoint)) runner.run(node);
  return runner.finish(extra);
}

/** The actions in the order in which they run; undefined stands for the default primary action. */
function plan(check: Check, endpoint: EndpointNode): (ActionNode | undefined)[] {
  const written = itemOf(endpoint.body, "action")?.body.items ?? [];
  if (endpoint.endpoint === "custom") return [...written];
  const primaries = written.filter((node) => isPrimary(node));
  const own = primaries.filter((node) => node.kind === endpoint.endpoint);
  for (const wrong of primaries.filter((node) => node.kind !== endpoint.endpoint)) {
    check.report(say.wrongPrimary(headingOf(wrong), wrong.kind, endpoint.endpoint));
  }
  const [first, second] = own;
  if (first && second)
    check.report(say.secondPrimary(headingOf(second), endpoint.endpoint, headingOf(first)));
  const kept = written.filter((node) => node === first || !isPrimary(node));
  if (first || primaries.length > 0) return kept;
  return endpoint.endpoint === "delete" ? [...kept, undefined] : [undefined, ...kept];
}

/** Runs through the actions, carrying names and request fields along. */
class ActionRunner {
  readonly #check: Check;
  readonly #endpoint: EndpointNode;
  readonly #place: ActionsPlace;
  readonly #fields: Map<string, FieldSpan>;
  readonly #actions: Action[] = [];
  #scope: Scope;
  #responder: Span | undefined;

  constructor(check: Check, endpoint: EndpointNode, place: ActionsPlace, extra: ExtraInputs) {
    this.#check = check;
    this.#endpoint = endpoint;
    this.#place = place;
    this.#scope = place.scope;
    this.#fields = new Map(extra.fields.map((entry) => [entry.field.name, entry]));
  }

  run(node: ActionNode | undefined): void {
    const { context, cardinality, method } = this.#place;
    const place: ActionPlace = {
      context,
      cardinality,
      method,
      endpoint: this.#endpoint,
      scope: this.#scope,
      fields: this.#fields,
      isLast: node !== undefined && node === itemOf(this.#endpoint.body, "action")?.body.items.at(-1),
    };
    if (node) this.#checkResponder(node, place);
    const isOwn = node === undefined || (this.#endpoint.endpoint !== "custom" && isPrimary(node));
    const checked = isOwn
      ? checkPrimary(this.#check, node, place)
      : checkTargetedAction(this.#check, node, place);
    if (!checked) return this.#addBroken(node);
    this.#actions.push(checked.action);
    // A result without a name of its own has no place in the request either.
    const isNamed = !checked.result || this.#addResult(checked.result);
    if (isNamed) this.#addFields(checked, node);
  }

  /** `respond` and `responds`: in custom endpoints, once, and `respond` at the end. */
  #checkResponder(node: ActionNode, place: ActionPlace): void {
    const responds = node.kind === "execute" && itemOf(node.body, "responds") !== undefined;
    if (node.kind !== "respond" && !responds) return;
    const span = headingOf(node);
    const what = responds ? "`responds`" : "`respond`";
    if (this.#endpoint.endpoint !== "custom") {
      const hint = "the other endpoints answer with their record: shape it with `response { … }`";
      this.#check.report(say.respondMisplaced(span, `${what} is for custom endpoints.`, hint));
    } else if (this.#responder) {
      const hint = "a request has one answer";
      this.#check.report(say.respondMisplaced(span, `${what} comes second.`, hint, this.#responder));
    } else if (!responds && !place.isLast && !this.#respondsLater(node)) {
      this.#check.report(say.respondMisplaced(span, "`respond` is the last action.", "put it at the end"));
    }
    this.#responder = span;
  }

  /** A second answer is reported where it stands. */
  #respondsLater(node: ActionNode): boolean {
    const items = itemOf(this.#endpoint.body, "action")?.body.items ?? [];
    const later = items.slice(items.indexOf(node) + 1);
    return later.some(
      (item) => item.kind === "respond" || (item.kind === "execute" && itemOf(item.body, "responds")),
    );
  }

  #addFields({ fields, spans }: CheckedAction, node: ActionNode | undefined): void {
    const place = node ? headingOf(node) : this.#endpoint.heading;
    const method = this.#place.method;
    if (fields.length > 0 && (method === "GET" || method === "DELETE")) {
      this.#check.report(say.noBody(place, method, fields.flatMap(leafNames)));
      return;
    }
    for (const field of fields) {
      const span = spans.get(field.name) ?? place;
      const other = this.#fields.get(field.name);
      if (other) {
        const hint = "rename the extra input or the alias";
        this.#scope.used.add(field.name);
        this.#check.report(say.inputClash(other.span, field.name, span, hint));
      } else this.#fields.set(field.name, { field, span });
    }
  }

  /** The result of an action that could not be checked has its name all the same. */
  #addBroken(node: ActionNode | undefined): void {
    const alias = node && "alias" in node ? node.alias : undefined;
    if (alias && !isMissing(alias)) {
      this.#addResult({ name: alias.text, kind: "alias", type: ANY, span: alias.span });
    }
  }

  /** False after a report. */
  #addResult(result: Variable): boolean {
    const taken = this.#scope.variables.get(result.name);
    if (taken) {
      this.#check.report(aliasShadows(result.span, result.name, taken.span));
      return false;
    }
    const hidden = new Map(this.#scope.hidden);
    hidden.delete(result.name);
    this.#scope = withVariable({ ...this.#scope, hidden }, result);
    return true;
  }

  /** Keys of validations name inputs, also those of actions that come later. */
  #checkKeys(): void {
    const actions = itemOf(this.#endpoint.body, "action")?.body.items ?? [];
    const validations = actions.filter((node) => node.kind === "validate");
    if (validations.length === 0) return;
    const known = [...this.#fields.values()].flatMap(({ field }) =>
      field.kind === "value" ? [field.name] : field.fields.map((inner) => `${field.name}.${inner.name}`),
    );
    for (const node of validations) {
      if (known.includes(node.key.value)) continue;
      const isWritten = node.key.span.start < node.key.span.end;
      const isBroken = this.#place.scope.variables.get(node.key.value)?.kind === "input";
      if (isWritten && !isBroken) this.#check.report(say.unknownInput(node.key.span, node.key.value, known));
    }
  }

  finish(extra: ExtraInputs): CheckedActions {
    this.#checkKeys();
    for (const { field, span } of extra.fields) {
      if (!this.#scope.used.has(field.name)) this.#check.report(say.unusedInput(span, field.name));
    }
    const fields = [...this.#fields.values()].map((entry) => entry.field);
    const { method } = this.#place;
    const inQuery = method === "GET" || method === "DELETE";
    const request: RequestSchema | null =
      fields.length > 0 || this.#endpoint.endpoint !== "delete"
        ? { in: inQuery ? "query" : "body", fields }
        : null;
    return {
      request: this.#endpoint.endpoint === "custom" && fields.length === 0 ? null : request,
      actions: this.#actions,
    };
  }
}

function leafNames(field: RequestField): string[] {
  return field.kind === "value" ? [field.name] : field.fields.flatMap(leafNames);
}
