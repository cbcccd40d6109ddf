// Which members of a model can be written, and what they take.

import {
  isValueType,
  type RequestField,
  type RequestSource,
  type Type,
  type ValueType,
} from "@stoa/definition";
import * as say from "../diagnostics/messages/actions.js";
import { unknownMember } from "../diagnostics/messages/names.js";
import type { FieldMember, Member, Model, ReferenceMember } from "../resolve/program.js";
import { isMissing, type Name } from "../syntax/tree.js";
import { type Check, typeOfMember } from "./context.js";

/** A member with a column of its own, under its own name: the reference stands for its key as well. */
export type WritableMember = FieldMember | ReferenceMember;

export function writableMembers(model: Model): WritableMember[] {
  return [...model.members.values()].filter(
    (member): member is WritableMember =>
      member.kind === "reference" || (member.kind === "field" && member.node !== undefined),
  );
}

/** The member that a name writes; undefined after a report. */
export function findWritable(check: Check, model: Model, name: Name): WritableMember | undefined {
  if (isMissing(name)) return undefined;
  const member = model.members.get(name.text);
  if (!member) {
    if (!model.damaged) {
      const known = writableMembers(model).map((candidate) => candidate.name);
      check.report(unknownMember(name.span, name.text, { model: model.name, known }));
    }
    return undefined;
  }
  if (member.kind === "key") return member.reference;
  if (member.kind === "reference" || (member.kind === "field" && member.node)) return member;
  check.report(say.notWritable(name.span, name.text, whyNot(member)));
  return undefined;
}

function whyNot(member: Member): string {
  switch (member.kind) {
    case "id":
    case "field":
      return "the system maintains it";
    case "relation":
      return "it is the other side of a reference: write the reference, or create the records";
    case "computed":
    case "query":
    case "hook":
      return `it is a ${member.kind}: its value is calculated`;
    case "key":
    case "reference":
      return "";
  }
}

/** Whether a record can be created without a value for this member. */
export function isOptional(member: WritableMember): boolean {
  if (member.kind === "reference") return member.nullable;
  return member.hasDefault || member.type === undefined || member.type.nullable;
}

/** The name of a member's input: references come by id. */
export function inputName(member: WritableMember): string {
  return member.kind === "reference" ? `${member.name}_id` : member.name;
}

export interface InputDetails {
  readonly required: boolean;
  readonly withDefault: boolean;
}

/** The request field of a member; undefined while its type is broken. */
export function requestField(
  check: Check,
  model: Model,
  member: WritableMember,
  { required, withDefault }: InputDetails,
): Extract<RequestField, { kind: "value" }> | undefined {
  const name = inputName(member);
  const type = valueTypeOf(check, model, name);
  if (!type) return undefined;
  const checked = check.models.get(model.name);
  const rule = checked?.rules.get(member.name);
  const source: RequestSource = { kind: "member", model: model.name, member: member.name };
  return {
    kind: "value",
    name,
    type,
    required,
    default: (withDefault ? checked?.defaults.get(member.name) : undefined) ?? null,
    validate: rule ? [rule] : [],
    doc: member.node?.doc ?? null,
    source,
  };
}

function valueTypeOf(check: Check, model: Model, name: string): ValueType | undefined {
  const member = model.members.get(name);
  const type: Type | undefined = member && typeOfMember(check, model, member);
  return type && isValueType(type) ? type : undefined;
}
