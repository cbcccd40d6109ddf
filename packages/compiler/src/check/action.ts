// Actions with a target, and those that write nothing: query, validate, execute, respond.

import type { Action, CreateAction, Expression, Type } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/actions.js";
import type { Model } from "../resolve/program.js";
import {
  type ActionNode,
  type DeleteNode,
  type ExecuteNode,
  isMissing,
  itemOf,
  type Path,
  type ValidateNode,
  type WriteNode,
} from "../syntax/tree.js";
import { type ActionPlace, type CheckedAction, resultVariable } from "./action-place.js";
import { type Check, modelOf } from "./context.js";
import { checkHook } from "./hook.js";
import { inferMember, inferName } from "./path.js";
import { keptBy } from "./primary.js";
import { checkQueryAction } from "./query-action.js";
import { checkRespond } from "./respond.js";
import { checkConditionRule } from "./rule.js";
import type { Scope } from "./scope.js";
import { ANY } from "./types.js";
import { checkWrite } from "./write.js";

const NO_FIELDS = { fields: [], spans: new Map<string, Span>() };

export function checkTargetedAction(
  check: Check,
  node: ActionNode,
  place: ActionPlace,
): CheckedAction | undefined {
  switch (node.kind) {
    case "create":
      return checkCreate(check, node, place);
    case "update":
      return checkUpdate(check, node, place);
    case "delete":
      return checkDelete(check, node, place);
    case "query":
      return checkQueryAction(check, node, place);
    case "validate":
      return checkValidate(check, node, place);
    case "execute":
      return checkExecute(check, node, place);
    case "respond":
      return checkRespond(check, node, place);
  }
}

interface CreateTarget {
  readonly model: Model;
  readonly fixed: ReadonlyMap<string, Expression>;
  readonly link: CreateAction["link"];
}

function checkCreate(check: Check, node: WriteNode, place: ActionPlace): CheckedAction | undefined {
  if (!node.target) {
    check.report(say.targetNeeded(node.heading, "create"));
    return undefined;
  }
  const target = createTarget(check, node.target, place.scope);
  if (!target) return undefined;
  const { assignments, ...request } = checkNamedWrite(check, node, { kind: "create", place, ...target });
  const action: Action = {
    kind: "create",
    primary: false,
    alias: node.alias?.text ?? "",
    model: target.model.name,
    assignments,
    link: target.link,
    at: check.placeOf(node.span),
  };
  return { action, ...request, result: resultVariable(node.alias, target.model.name) };
}

interface NamedWrite {
  readonly kind: "create" | "update";
  readonly model: Model;
  readonly fixed: ReadonlyMap<string, Expression>;
  readonly noInput?: ReadonlySet<string>;
  readonly place: ActionPlace;
}

/** A write whose inputs stand under its alias in the request; so with inputs it needs one. */
function checkNamedWrite(check: Check, node: WriteNode, { place, ...write }: NamedWrite) {
  const name = node.alias && !isMissing(node.alias) ? node.alias.text : undefined;
  const prefix = name === undefined ? [] : [name];
  const span = node.heading;
  const { fields, assignments } = checkWrite(check, node, { prefix, scope: place.scope, span, ...write });
  if (fields.length === 0) return { assignments, ...NO_FIELDS };
  if (name === undefined) {
    const names = fields.map((field) => field.name);
    if (!node.alias && !node.body.damaged)
      check.report(say.inputNeedsAlias(node.heading, names, check.textOf(node.heading)));
    return { assignments, ...NO_FIELDS };
  }
  const required = fields.some((field) => field.required);
  return {
    assignments,
    fields: [{ kind: "object", name, required, fields } as const],
    spans: new Map([[name, node.alias?.span ?? node.heading]]),
  };
}

/** A model, a collection relation of a record, or a single relationship that may be missing. */
function createTarget(check: Check, path: Path, scope: Scope): CreateTarget | undefined {
  const [first, ...rest] = path.names;
  if (!first || isMissing(first)) return undefined;
  const model = modelOf(check, first.text);
  if (model && rest.length === 0 && !scope.variables.has(first.text))
    return { model, fixed: new Map(), link: null };
  const value = inferTarget(check, path, scope, [...check.program.models.keys()]);
  if (!value) return undefined;
  if (value.kind !== "member" || value.on.type.kind !== "record") {
    if (value.type.kind !== "any") {
      check.report(say.wrongTarget(path.span, "create", value.type, "a model or a relationship of a record"));
    }
    return undefined;
  }
  return relationshipTarget(check, path, { value, owner: modelOf(check, value.on.type.model) });
}

function relationshipTarget(
  check: Check,
  path: Path,
  {
    value,
    owner,
  }: { readonly value: Extract<Expression, { kind: "member" }>; readonly owner: Model | undefined },
): CreateTarget | undefined {
  const member = owner?.members.get(value.name);
  if (member?.kind === "relation" && member.through && member.from !== undefined) {
    const model = modelOf(check, member.from);
    return model && { model, fixed: new Map([[member.through.name, value.on]]), link: null };
  }
  if (member?.kind === "reference" && member.to !== undefined) {
    const model = modelOf(check, member.to);
    if (!member.nullable) check.report(say.alwaysThere(path.span, check.textOf(path.span)));
    return model && { model, fixed: new Map(), link: { record: value.on, reference: member.name } };
  }
  if (member?.kind === "query") check.report(say.queryTarget(path.span, check.textOf(path.span)));
  else if (value.type.kind !== "any") {
    check.report(say.wrongTarget(path.span, "create", value.type, "a model or a relationship of a record"));
  }
  return undefined;
}

/** A path from an alias; undefined after a report. */
export function inferTarget(
  check: Check,
  path: Path,
  scope: Scope,
  models: readonly string[] = [],
): Expression | undefined {
  const [first, ...rest] = path.names;
  if (!first || isMissing(first)) return undefined;
  const inner: Scope = { ...scope, place: "the target of an action", model: undefined };
  if (!scope.variables.has(first.text) && !scope.hidden.has(first.text)) {
    const known = [...scope.variables.keys(), ...models];
    if (!check.program.damaged) check.report(say.unknownTarget(first.span, first.text, known));
    return undefined;
  }
  const start = inferName(check, first, inner);
  return rest.reduce((on, name) => inferMember(check, on, { name, scope: inner }), start);
}

/** A record to act on; undefined after a report. */
function recordTarget(
  check: Check,
  path: Path,
  { scope, action }: { readonly scope: Scope; readonly action: string },
) {
  const [first] = path.names;
  const isModel =
    first && path.names.length === 1 && !scope.variables.has(first.text) && modelOf(check, first.text);
  if (first && isModel && !scope.hidden.has(first.text)) {
    check.report(say.modelTarget(path.span, action, first.text));
    return undefined;
  }
  return inferTarget(check, path, scope);
}

function checkUpdate(check: Check, node: WriteNode, place: ActionPlace): CheckedAction | undefined {
  if (!node.target) {
    check.report(say.targetNeeded(node.heading, "update"));
    return undefined;
  }
  const target = recordTarget(check, node.target, { scope: place.scope, action: "update" });
  if (!target) return undefined;
  const model = target.type.kind === "record" ? modelOf(check, target.type.model) : undefined;
  if (!model) {
    if (target.type.kind !== "any")
      check.report(say.wrongTarget(node.target.span, "update", target.type, "a record"));
    return undefined;
  }
  const { assignments, ...request } = checkNamedWrite(check, node, {
    kind: "update",
    model,
    fixed: new Map(),
    noInput: isOwnRecord(target, place) ? new Set(keptBy(place.context).keys()) : new Set(),
    place,
  });
  const action: Action = {
    kind: "update",
    primary: false,
    alias: node.alias?.text ?? "",
    model: model.name,
    target,
    assignments,
    at: check.placeOf(node.span),
  };
  return { action, ...request, result: resultVariable(node.alias, model.name, target.type.nullable) };
}

/** The record that the endpoint is about. */
function isOwnRecord(target: Expression, { context }: ActionPlace): boolean {
  return target.kind === "variable" && target.variable === "alias" && target.name === context.alias;
}

function checkDelete(check: Check, node: DeleteNode, place: ActionPlace): CheckedAction | undefined {
  if (!node.target) {
    check.report(say.targetNeeded(node.heading, "delete"));
    return undefined;
  }
  const target = recordTarget(check, node.target, { scope: place.scope, action: "delete" });
  if (!target) return undefined;
  const record: Type = target.type.kind === "collection" ? target.type.of : target.type;
  if (record.kind !== "record") {
    if (record.kind !== "any") {
      check.report(
        say.wrongTarget(node.target.span, "delete", target.type, "a record or a collection of records"),
      );
    }
    return undefined;
  }
  const at = check.placeOf(node.span);
  return {
    action: { kind: "delete", primary: false, model: record.model, target, at },
    ...NO_FIELDS,
    result: undefined,
  };
}

function checkValidate(check: Check, node: ValidateNode, place: ActionPlace): CheckedAction | undefined {
  const scope: Scope = { ...place.scope, place: "a validation", secrets: true, onZero: "error" };
  const rule = checkConditionRule(check, node.value, scope);
  if (!rule) return undefined;
  const key = node.key.value.split(".");
  const action: Action = { kind: "validate", key, rule, at: check.placeOf(node.span) };
  return { action, ...NO_FIELDS, result: undefined };
}

function checkExecute(check: Check, node: ExecuteNode, place: ActionPlace): CheckedAction | undefined {
  const hook = itemOf(node.body, "hook");
  if (!hook) {
    if (!node.body.damaged) check.report(say.executeNeedsHook(node.heading));
    return undefined;
  }
  const scope: Scope = { ...place.scope, secrets: true, onZero: "error" };
  const action: Action = {
    kind: "execute",
    alias: node.alias?.text ?? null,
    responds: itemOf(node.body, "responds") !== undefined,
    hook: checkHook(check, hook.hook.body, { span: hook.span, scope, fromModels: true }),
    at: check.placeOf(node.span),
  };
  const { alias } = node;
  const result =
    alias && !isMissing(alias)
      ? { name: alias.text, kind: "alias" as const, type: ANY, span: alias.span }
      : undefined;
  return { action, ...NO_FIELDS, result };
}
