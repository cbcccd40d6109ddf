// Names and paths: what a name means, and what a member of a value is.

import type { Expression, MemberExpression, Type } from "@stoa/definition";
import type { Related, Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/expressions.js";
import * as sayNames from "../diagnostics/messages/names.js";
import type { Member, Model } from "../resolve/program.js";
import { isMissing, type Name } from "../syntax/tree.js";
import { callOf, FUNCTION_NAMES } from "./call.js";
import { type Check, modelOf, typeOfMember } from "./context.js";
import { pathKey } from "./facts.js";
import type { Scope, Variable } from "./scope.js";
import { ANY, withNull } from "./types.js";

const BROKEN: Expression = { kind: "literal", type: ANY, value: null };

export function inferName(check: Check, name: Name, scope: Scope): Expression {
  if (isMissing(name)) return BROKEN;
  const variable = scope.variables.get(name.text);
  const model = scope.model === undefined ? undefined : modelOf(check, scope.model);
  const member = model?.members.get(name.text);
  if (variable && member && model) {
    scope.used.add(variable.name);
    check.report(sayNames.ambiguousName(name.span, name.text, meanings(variable, member, model)));
    return BROKEN;
  }
  if (variable) return variableExpression(variable, scope);
  if (model && (member || (model.damaged && !scope.hidden.has(name.text)))) {
    return inferMember(check, selfExpression(scope, model.name), { name, scope });
  }
  reportUnknown(check, name, { scope, model });
  return BROKEN;
}

function meanings(variable: Variable, member: Member, model: Model): Related[] {
  return [
    {
      message: `the ${variable.kind === "this" ? "alias" : variable.kind} \`${variable.name}\``,
      span: variable.span,
    },
    { message: `the ${member.kind} \`${model.name}.${member.name}\``, span: member.span },
  ];
}

function selfExpression(scope: Scope, model: string): Expression {
  const type: Type = { kind: "record", model, nullable: false };
  return { kind: "variable", type, variable: scope.self, name: "" };
}

function variableExpression(variable: Variable, scope: Scope): Expression {
  scope.used.add(variable.name);
  const { type, kind } = variable;
  const name = kind === "this" ? "" : variable.name;
  return narrow({ kind: "variable", type, variable: kind, name }, scope);
}

function narrow<Node extends Expression>(expression: Node, scope: Scope): Node {
  if (!expression.type.nullable || scope.facts.size === 0) return expression;
  const key = pathKey(expression);
  if (key === undefined || !scope.facts.has(key)) return expression;
  return { ...expression, type: withNull(expression.type, false) };
}

function reportUnknown(
  check: Check,
  name: Name,
  { scope, model }: { scope: Scope; model: Model | undefined },
): void {
  const hidden = scope.hidden.get(name.text);
  if (hidden) {
    check.report(sayNames.nameOutOfScope(name.span, name.text, hidden.reason, hidden.span));
    return;
  }
  if (name.text === "auth" && check.auth && scope.noAuth === undefined) {
    check.report(sayNames.authWithoutSign(name.span));
    return;
  }
  if (check.program.damaged && !model && scope.variables.size === 0) return;
  if (FUNCTION_NAMES.includes(name.text)) {
    check.report(sayNames.functionAsName(name.span, name.text, callOf(name.text)));
    return;
  }
  if (check.program.models.has(name.text)) {
    const hint = `name the record where it comes from: \`entrypoint ${name.text} as <alias>\``;
    check.report(sayNames.modelAsName(name.span, name.text, hint));
    return;
  }
  const known = [...scope.variables.keys(), ...(model?.members.keys() ?? [])];
  const enumName = [...check.program.enums.values()].find((declaration) =>
    declaration.values.has(name.text),
  )?.name;
  check.report(sayNames.unknownName(name.span, name.text, known, enumName));
}

export function inferAuth(check: Check, span: Span, scope: Scope): Expression {
  if (scope.noAuth !== undefined) {
    check.report(say.outOfPlace(span, "`@auth`", scope.place, scope.noAuth));
    return BROKEN;
  }
  if (!check.auth) {
    if (!check.program.damaged) check.report(say.authMissing(span));
    return BROKEN;
  }
  if (check.auth.model === undefined) return BROKEN;
  const type: Type = { kind: "record", model: check.auth.model, nullable: true };
  return narrow({ kind: "variable", type, variable: "auth", name: "" }, scope);
}

interface MemberAccess {
  readonly name: Name;
  readonly scope: Scope;
}

/** `on.name`, for every kind of value. */
export function inferMember(check: Check, on: Expression, { name, scope }: MemberAccess): Expression {
  if (isMissing(name)) return BROKEN;
  const { type } = on;
  switch (type.kind) {
    case "record":
      return inferRecordMember(check, on, { name, scope, model: type.model });
    case "collection":
      return inferCollectionMember(check, on, { name, scope, of: type.of });
    case "json":
      return { kind: "member", type: { kind: "json", nullable: true }, on, name: name.text, member: "json" };
    case "struct": {
      const field = type.fields.find((candidate) => candidate.name === name.text);
      if (field) return narrow(partOf(on, name.text, field.type), scope);
      check.report(
        say.unknownPart(
          name.span,
          name.text,
          type.fields.map((known) => known.name),
        ),
      );
      return BROKEN;
    }
    case "any":
      return on.kind === "literal" ? BROKEN : partOf(on, name.text, ANY);
    default:
      check.report(say.noMembers(name.span, name.text, type));
      return BROKEN;
  }
}

function partOf(on: Expression, name: string, type: Type): MemberExpression {
  return { kind: "member", type: on.type.nullable ? withNull(type, true) : type, on, name, member: "part" };
}

function inferRecordMember(
  check: Check,
  on: Expression,
  access: MemberAccess & { readonly model: string },
): Expression {
  const found = findMember(check, on, access);
  if (!found) return BROKEN;
  const type = typeOfMember(check, found.model, found.member);
  const nullable = type.nullable || on.type.nullable;
  const expression: MemberExpression = {
    kind: "member",
    type: withNull(type, nullable),
    on,
    name: found.member.name,
    member: found.member.kind,
  };
  return narrow(expression, access.scope);
}

/** A member of every record of a collection; collections of collections are flattened. */
function inferCollectionMember(
  check: Check,
  on: Expression,
  access: MemberAccess & { readonly of: Type },
): Expression {
  if (access.of.kind === "any") return BROKEN;
  if (access.of.kind !== "record") {
    check.report(say.noMembers(access.name.span, access.name.text, on.type));
    return BROKEN;
  }
  if (isAggregate(check, access.name.text, access.of.model)) {
    const collection = on.kind === "member" ? on.name : "…";
    check.report(sayNames.aggregateMember(access.name.span, access.name.text, collection));
    return BROKEN;
  }
  const found = findMember(check, on, { model: access.of.model, ...access });
  if (!found) return BROKEN;
  const type = typeOfMember(check, found.model, found.member);
  if (type.kind === "any") return BROKEN;
  // Through a reference that may be null, there is a null for each record that has none.
  const of = type.kind === "collection" ? type.of : withNull(type, type.nullable || access.of.nullable);
  const collection: Type = { kind: "collection", of, nullable: on.type.nullable };
  return { kind: "member", type: collection, on, name: found.member.name, member: found.member.kind };
}

/** `books.count`, unless the records have such a member. */
function isAggregate(check: Check, name: string, model: string): boolean {
  const isName = ["count", "sum", "avg", "min", "max", "exists"].includes(name);
  return isName && !modelOf(check, model)?.members.has(name);
}

function findMember(
  check: Check,
  on: Expression,
  { name, scope, model: modelName }: MemberAccess & { readonly model: string },
): { readonly model: Model; readonly member: Member } | undefined {
  const model = modelOf(check, modelName);
  if (!model) return undefined;
  const member = model.members.get(name.text);
  if (!member) {
    if (!model.damaged) {
      const known = [...model.members.keys()];
      check.report(sayNames.unknownMember(name.span, name.text, { model: model.name, known }));
    }
    return undefined;
  }
  return isReadable(check, member, { name, scope, on }) ? { model, member } : undefined;
}

function isReadable(
  check: Check,
  member: Member,
  { name, scope, on }: MemberAccess & { readonly on: Expression },
): boolean {
  if (member.kind === "hook") {
    check.report(say.hookNotHere(name.span, name.text, scope.place));
    return false;
  }
  if (member.kind === "field" && member.secret && !scope.secrets) {
    check.report(say.secretExposed(name.span, name.text, scope.place));
    return false;
  }
  const isOwn = on.kind === "variable" && (on.variable === "this" || on.variable === "owner");
  if (scope.creating && isOwn && !["field", "reference", "key"].includes(member.kind)) {
    const hint = "only its fields and references have values yet";
    check.report(
      say.outOfPlace(name.span, `\`${name.text}\` of a record that does not exist yet`, scope.place, hint),
    );
    return false;
  }
  return true;
}
