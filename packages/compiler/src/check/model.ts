// Models: defaults, validations, computeds, queries, hooks, composite keys, and names in the database.

import type { Expression, Hook, Rule } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/models.js";
import { duplicateName, functionAsName, unknownMember, unknownName } from "../diagnostics/messages/names.js";
import type { FieldMember, Model } from "../resolve/program.js";
import { type Expr, isMissing, itemOf, itemsOf, type Name } from "../syntax/tree.js";
import { callOf, FUNCTION_NAMES } from "./call.js";
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
  const variable = findVariable(node.value);
  if (!variable) {
    const what = `\`${model.name}.${field.name}\``;
    return fitExpression(check, node.value, CONSTANT, { type: field.type ?? ANY, what });
  }
  // A name that is no member's is most likely a function without brackets, or an enum value without quotes.
  const isMember = variable.kind !== "name" || model.members.has(variable.name.text);
  if (isMember || !reportSlip(check, variable.name)) check.report(say.defaultNotConstant(variable.span));
  return undefined;
}

/** False when the name is neither a function's nor an enum value's. */
function reportSlip(check: Check, name: Name): boolean {
  const isFunction = FUNCTION_NAMES.includes(name.text);
  const enums = [...check.program.enums.values()];
  const owner = enums.find((declaration) => declaration.values.has(name.text));
  if (isFunction) check.report(functionAsName(name.span, name.text, callOf(name.text)));
  else if (owner) check.report(unknownName(name.span, name.text, [], owner.name));
  return isFunction || owner !== undefined;
}

type Variable = Extract<Expr, { kind: "name" | "auth" | "member" }>;

/** The first name or path in an expression. */
function findVariable(syntax: Expr): Variable | undefined {
  switch (syntax.kind) {
    case "name":
    case "auth":
      return syntax;
    case "member":
      return isMissing(syntax.name) ? findVariable(syntax.on) : syntax;
    case "call":
      return syntax.arguments.map(findVariable).find((variable) => variable !== undefined);
    case "array":
      return syntax.items.map(findVariable).find((variable) => variable !== undefined);
    case "struct":
      return syntax.entries
        .map((entry) => findVariable(entry.value))
        .find((variable) => variable !== undefined);
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
  for (const { kind, members, span } of itemsOf(model.node.body, "unique")) {
    checkStoredNames(check, model, { kind, span, names: members });
  }
  for (const { kind, members, span } of itemsOf(model.node.body, "index")) {
    checkStoredNames(check, model, { kind, span, names: members.map((member) => member.name) });
  }
}

interface StoredNames {
  readonly kind: "unique" | "index";
  readonly span: Span;
  readonly names: readonly Name[];
}

/** Keys and indexes are over what is stored. */
function checkStoredNames(check: Check, model: Model, { kind, span, names }: StoredNames): void {
  if (names.length === 0) check.report(say.emptyList(span, kind));
  const seen = new Map<string, Span>();
  for (const name of names) {
    const member = model.members.get(name.text);
    // A reference and its key are one column.
    const stored = member?.kind === "key" ? member.reference.name : name.text;
    const first = seen.get(stored);
    if (first) check.report(duplicateName(name.span, name.text, "this list", first));
    seen.set(stored, name.span);
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
