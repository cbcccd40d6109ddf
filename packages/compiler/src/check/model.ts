// Models: defaults, validations, computeds, queries, hooks, composite keys, and names in the database.

import type { Expression, Hook, Rule } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/models.js";
import { duplicateName, unknownMember } from "../diagnostics/messages/names.js";
import type { FieldMember, Model } from "../resolve/program.js";
import { type Expr, isMissing, itemOf, itemsOf, type Name } from "../syntax/tree.js";
import { type Check, type CheckedModel, derivedOf } from "./context.js";
import { modelScope } from "./derived.js";
import { fitExpression } from "./fit.js";
import { checkHook } from "./hook.js";
import { checkFieldRule } from "./rule.js";
import { EMPTY_SCOPE, type Scope } from "./scope.js";
import { ANY } from "./types.js";

export function checkModel(check: Check, model: Model): CheckedModel {
  const defaults = new Map<string, Expression>();
  const rules = new Map<string, Rule>();
  const hooks = new Map<string, Hook>();
  for (const member of model.members.values()) {
    if (member.kind === "computed" || member.kind === "query") derivedOf(check, model, member);
    if (member.kind === "hook") {
      const scope = modelScope(model, "a hook's argument");
      const place = { span: member.node.name.span, scope, fromModels: false };
      hooks.set(member.name, checkHook(check, member.node.body, place));
    }
    if (member.kind === "field") {
      const value = checkDefault(check, model, member);
      if (value) defaults.set(member.name, value);
      const rule = checkValidate(check, model, member);
      if (rule) rules.set(member.name, rule);
    }
  }
  checkComposites(check, model);
  checkRenames(check, model);
  return { model, defaults, rules, hooks };
}

const CONSTANT: Scope = { ...EMPTY_SCOPE, place: "a default", onZero: "error" };

function checkDefault(check: Check, model: Model, field: FieldMember): Expression | undefined {
  const node = field.node && itemOf(field.node.body, "default");
  if (!node) return undefined;
  const what = `\`${model.name}.${field.name}\``;
  return checkConstant(check, node.value, { type: field.type ?? ANY, what });
}

/** An expression over literals and functions. */
export function checkConstant(
  check: Check,
  syntax: Expr,
  wanted: Parameters<typeof fitExpression>[3],
): Expression | undefined {
  const variable = findVariable(syntax);
  if (!variable) return fitExpression(check, syntax, CONSTANT, wanted);
  check.report(say.defaultNotConstant(variable));
  return undefined;
}

/** The first name or path in an expression. */
function findVariable(syntax: Expr): Span | undefined {
  switch (syntax.kind) {
    case "name":
    case "auth":
    case "member":
      return syntax.span;
    case "call":
      return syntax.arguments.map(findVariable).find((span) => span !== undefined);
    case "array":
      return syntax.items.map(findVariable).find((span) => span !== undefined);
    case "struct":
      return syntax.entries.map((entry) => findVariable(entry.value)).find((span) => span !== undefined);
    case "unary":
      return findVariable(syntax.operand);
    case "binary":
      return findVariable(syntax.left) ?? findVariable(syntax.right);
    case "string":
    case "integer":
    case "float":
    case "boolean":
    case "null":
    case "missing":
      return undefined;
  }
}

function checkValidate(check: Check, model: Model, field: FieldMember): Rule | null | undefined {
  const node = field.node && itemOf(field.node.body, "validate");
  if (!node) return undefined;
  return checkFieldRule(check, node.value, {
    type: field.type ?? ANY,
    what: `\`${model.name}.${field.name}\``,
  });
}

function checkComposites(check: Check, model: Model): void {
  for (const node of itemsOf(model.node.body, "unique")) checkStoredNames(check, model, node.members);
  for (const node of itemsOf(model.node.body, "index")) {
    checkStoredNames(
      check,
      model,
      node.members.map((member) => member.name),
    );
  }
}

/** Keys and indexes are over what is stored. */
function checkStoredNames(check: Check, model: Model, names: readonly Name[]): void {
  const seen = new Map<string, Span>();
  for (const name of names) {
    const member = model.members.get(name.text);
    const first = seen.get(name.text);
    if (first) check.report(duplicateName(name.span, name.text, "this list", first));
    seen.set(name.text, name.span);
    if (!member && !model.damaged) {
      const known = [...model.members.values()].filter(isStored).map((candidate) => candidate.name);
      check.report(
        unknownMember(name.span, name.text, { model: model.name, known, kind: "field or reference" }),
      );
    }
    if (member && !isStored(member))
      check.report(say.notStored(name.span, name.text, member.kind, member.span));
  }
}

function isStored(member: { readonly kind: string }): boolean {
  return ["id", "field", "key", "reference"].includes(member.kind);
}

/** `was` names what is gone: an old name that still exists was not renamed. */
function checkRenames(check: Check, model: Model): void {
  const claimed = new Map<string, Span>();
  for (const member of model.members.values()) {
    const was =
      member.kind === "reference"
        ? itemOf(member.node.body, "was")
        : member.kind === "field" && member.node
          ? itemOf(member.node.body, "was")
          : undefined;
    if (!was || isMissing(was.name)) continue;
    const still = model.members.get(was.name.text);
    const first = claimed.get(was.name.text);
    if (still) check.report(say.stillThere(was.name.span, was.name.text, still.span));
    else if (first) check.report(say.renamedTwice(was.name.span, was.name.text, first));
    claimed.set(was.name.text, was.name.span);
  }
}
