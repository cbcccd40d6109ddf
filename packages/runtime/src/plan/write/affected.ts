// Whether an update can change what a rule says of its record. Where it cannot, what held before holds after.

import {
  type Expression,
  type MemberExpression,
  type Model,
  modelOfType,
  someExpression,
  type UpdateAction,
} from "@stoa/definition";
import { writtenMember } from "./assign.js";

/** A no is sure; a yes may be too careful. */
export function mayAffect({ model: name, assignments }: UpdateAction, models: readonly Model[]) {
  const model = models.find((each) => each.name === name);
  if (model === undefined) throw new Error(`The definition has no model \`${name}\`.`);
  const columns = new Set(assignments.map(({ member }) => writtenMember(model, member).column));
  for (const member of model.members) {
    if (member.kind === "field" && member.maintained) columns.add(member.column);
  }
  return (clause: Expression): boolean =>
    someExpression(clause, (part) => part.kind === "member" && readsWritten(part, model, columns));
}

function readsWritten(
  { on, name, member, type }: MemberExpression,
  model: Model,
  columns: ReadonlySet<string>,
): boolean {
  switch (member) {
    case "id":
    case "field":
    case "key":
    case "reference":
      return modelOfType(on.type) === model.name && columns.has(columnOf(model, name));
    case "relation":
      return modelOfType(type) === model.name;
    case "computed":
    case "query":
    case "hook":
      return true;
    case "json":
    case "part":
      return false;
  }
}

function columnOf({ members }: Model, name: string): string {
  const member = members.find((each) => each.name === name);
  return member !== undefined && "column" in member ? member.column : "";
}
