// Selects: which properties of a record go out, and in what shape. Secrets never do.

import type { Expression, Select, SelectItem, Type } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/expressions.js";
import { duplicateName, unknownMember } from "../diagnostics/messages/names.js";
import type { Member, Model } from "../resolve/program.js";
import {
  isMissing,
  type Name,
  type SelectItem as SelectItemNode,
  type Select as SelectNode,
} from "../syntax/tree.js";
import { type Check, modelOf } from "./context.js";
import { BROKEN_VALUE, inferExpression } from "./expression.js";
import { inferMember } from "./path.js";
import { EMPTY_SCOPE, type Scope, scopeOfModel } from "./scope.js";

/** Without a select: the direct fields, never secrets. */
export function checkSelect(check: Check, node: SelectNode | undefined, model: string, outer: Scope): Select {
  const declared = modelOf(check, model);
  if (!declared) return { model, items: [] };
  if (!node) return { model, items: directFields(check, declared) };
  const scope: Scope = { ...scopeOfModel(outer, model, "a response"), secrets: false };
  const context: SelectContext = { model: declared, scope };
  const seen = new Map<string, Span>();
  const items: SelectItem[] = [];
  for (const itemNode of node.items) {
    const span = itemNode.kind === "all" ? itemNode.span : itemNode.name.span;
    // A `*` after several of its names is one mistake: the first of them tells.
    let isTold = false;
    for (const item of checkItem(check, itemNode, context)) {
      const first = seen.get(item.name);
      if (!first) {
        seen.set(item.name, span);
        items.push(item);
      } else if (!isTold) {
        check.report(duplicateName(span, item.name, "this response", first));
        isTold = true;
      }
    }
  }
  return { model, items };
}

interface SelectContext {
  readonly model: Model;
  readonly scope: Scope;
}

function checkItem(check: Check, node: SelectItemNode, context: SelectContext): readonly SelectItem[] {
  switch (node.kind) {
    case "all":
      return directFields(check, context.model);
    case "member":
      return checkMember(check, node, context);
    case "value": {
      if (isMissing(node.name)) return [];
      const value = inferExpression(check, node.value, context.scope);
      return valueItem(check, value, { name: node.name.text, doc: node.doc ?? null, scope: context.scope });
    }
  }
}

function self(model: Model): Expression {
  const type: Type = { kind: "record", model: model.name, nullable: false };
  return { kind: "variable", type, variable: "this", name: "" };
}

function checkMember(
  check: Check,
  node: Extract<SelectItemNode, { kind: "member" }>,
  { model, scope }: SelectContext,
): SelectItem[] {
  const { name } = node;
  if (isMissing(name)) return [];
  const member = model.members.get(name.text);
  if (!member) {
    reportUnknown(check, name, model);
    return [];
  }
  const doc = node.doc ?? null;
  if (member.kind === "hook") {
    if (node.select) check.report(say.noSelect(node.select.span, name.text, "the result of a hook"));
    return [{ kind: "hook", name: name.text, hook: name.text, doc }];
  }
  const value = inferMember(check, self(model), { name, scope });
  const record = recordIn(value.type);
  if (node.select && !record) {
    if (value.type.kind !== "any") check.report(say.noSelect(node.select.span, name.text, value.type));
    return valueItem(check, value, { name: name.text, doc, scope });
  }
  if (!record) return valueItem(check, value, { name: name.text, doc, scope });
  const select = checkSelect(check, node.select, record.model, scope);
  return [nestedItem(value, { name: name.text, doc, select })];
}

function reportUnknown(check: Check, name: Name, model: Model): void {
  if (model.damaged) return;
  check.report(unknownMember(name.span, name.text, { model: model.name, known: [...model.members.keys()] }));
}

function recordIn(type: Type): Extract<Type, { kind: "record" }> | undefined {
  const inner = type.kind === "collection" ? type.of : type;
  return inner.kind === "record" ? inner : undefined;
}

interface ItemDetails {
  readonly name: string;
  readonly doc: string | null;
}

/** A value; a record or collection of records goes out with its direct fields. */
function valueItem(
  check: Check,
  value: Expression,
  { name, doc, scope }: ItemDetails & { readonly scope: Scope },
): SelectItem[] {
  const record = recordIn(value.type);
  if (!record) return [{ kind: "value", name, value, doc }];
  return [nestedItem(value, { name, doc, select: checkSelect(check, undefined, record.model, scope) })];
}

function nestedItem(
  value: Expression,
  { name, doc, select }: ItemDetails & { readonly select: Select },
): SelectItem {
  const many = value.type.kind === "collection";
  return { kind: "nested", name, value, many, nullable: value.type.nullable, select, doc };
}

function isDirect(member: Member): boolean {
  if (member.kind === "field") return !member.secret;
  return member.kind === "id" || member.kind === "key";
}

function directFields(check: Check, model: Model): readonly SelectItem[] {
  const known = check.directFields.get(model.name);
  if (known) return known;
  const scope = scopeOfModel(EMPTY_SCOPE, model.name, "a response");
  const fields = [...model.members.values()].filter(isDirect).map(
    (member): SelectItem => ({
      kind: "value",
      name: member.name,
      // Nothing can be wrong with it.
      value: check.isForDefinition
        ? inferMember(check, self(model), { name: { text: member.name, span: member.span }, scope })
        : BROKEN_VALUE,
      doc: member.kind === "field" ? (member.node?.doc ?? null) : null,
    }),
  );
  check.directFields.set(model.name, fields);
  return fields;
}
