// How an entrypoint finds one record: a path on which every step is unique.

import { type Identify, isValueType, type ValueType } from "@stoa/definition";
import * as say from "../diagnostics/messages/api.js";
import { secretExposed } from "../diagnostics/messages/expressions.js";
import { unknownMember } from "../diagnostics/messages/names.js";
import { snakeCase } from "../naming.js";
import type { Member, Model } from "../resolve/program.js";
import { isMissing, type Name, type Path } from "../syntax/tree.js";
import { type Check, modelOf, typeOfMember } from "./context.js";
import { withNull } from "./types.js";

export interface UniquePath {
  readonly names: readonly string[];
  readonly type: ValueType;
}

const ID: ValueType = { kind: "integer", nullable: false };

/** The identifier of a model's records: the path given, or `id`. */
export function checkIdentify(
  check: Check,
  path: Path | undefined,
  model: Model,
): Omit<Identify, "parameter"> {
  const id = model.members.get("id");
  const fallback = { path: ["id"], type: id?.kind === "id" ? id.type : ID };
  const found = path && checkUniquePath(check, path, model);
  return found ? { path: found.names, type: found.type } : fallback;
}

export function parameterName(model: string, path: readonly string[], taken: readonly string[]): string {
  const base = [model, ...path].map(snakeCase).join("_");
  if (!taken.includes(base)) return base;
  let number = 2;
  while (taken.includes(`${base}_${number}`)) number++;
  return `${base}_${number}`;
}

/** Undefined after a report: an unknown name, or a step that is not unique. */
export function checkUniquePath(check: Check, path: Path, start: Model): UniquePath | undefined {
  let model = start;
  for (const [index, name] of path.names.entries()) {
    const member = findMember(check, model, name);
    if (!member) return undefined;
    const isLast = index === path.names.length - 1;
    if (!checkStep(check, { name, member, model, isLast })) return undefined;
    if (isLast) return lastStep(check, path, { name, member, model });
    const next = targetOf(member);
    const nextModel = next === undefined ? undefined : modelOf(check, next);
    if (!nextModel) return undefined;
    model = nextModel;
  }
  return undefined;
}

function findMember(check: Check, model: Model, name: Name): Member | undefined {
  if (isMissing(name)) return undefined;
  const member = model.members.get(name.text);
  if (!member && !model.damaged) {
    check.report(
      unknownMember(name.span, name.text, { model: model.name, known: [...model.members.keys()] }),
    );
  }
  return member;
}

function targetOf(member: Member): string | undefined {
  if (member.kind === "reference") return member.to;
  return member.kind === "relation" ? member.from : undefined;
}

interface Step {
  readonly name: Name;
  readonly member: Member;
  readonly model: Model;
}

function checkStep(
  check: Check,
  { name, member, model, isLast }: Step & { readonly isLast: boolean },
): boolean {
  const fits = isLast
    ? ["id", "field", "key"].includes(member.kind)
    : member.kind === "reference" || member.kind === "relation";
  if (!fits) {
    check.report(say.identifyStep(name.span, name.text, member.kind, isLast));
    return false;
  }
  if (isUnique(member)) return true;
  const reference =
    member.kind === "key" ? member.reference : member.kind === "relation" ? member.through : undefined;
  if (member.kind === "relation" && !reference) return false;
  const where =
    member.kind === "relation"
      ? `\`${member.from}.${reference?.name}\``
      : `\`${model.name}.${reference?.name ?? name.text}\``;
  check.report(
    say.identifyNotUnique(name.span, {
      step: name.text,
      model: model.name,
      kind: member.kind === "field" ? "field" : "reference",
      declared: reference?.span ?? member.span,
      change: `add \`unique\` to ${where}, or choose another path`,
    }),
  );
  return false;
}

function isUnique(member: Member): boolean {
  switch (member.kind) {
    case "id":
      return true;
    case "field":
    case "reference":
      return member.unique;
    case "key":
      return member.reference.unique;
    case "relation":
      return member.through?.unique === true;
    case "computed":
    case "query":
    case "hook":
      return false;
  }
}

function lastStep(check: Check, path: Path, { name, member, model }: Step): UniquePath | undefined {
  if (member.kind === "field" && member.secret) {
    check.report(secretExposed(name.span, name.text, "a path"));
    return undefined;
  }
  const type = withNull(typeOfMember(check, model, member), false);
  if (!isValueType(type)) return undefined;
  if (type.kind === "json" || type.kind === "float" || type.kind === "boolean") {
    check.report(say.identifyType(name.span, name.text, type));
    return undefined;
  }
  return { names: path.names.map((step) => step.text), type };
}
