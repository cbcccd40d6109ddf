// Whether an update can change what a rule says of its record. Where it cannot, what held before holds after.

import type { Expression, MemberExpression, Model, Type, UpdateAction } from "@stoa/definition";
import { someOf } from "../rules.js";
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
    someOf(clause, (part) => part.kind === "member" && readsWritten(part, model, columns));
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
      return modelOf(on.type) === model.name && columns.has(columnOf(model, name));
    case "relation":
      return modelOf(type) === model.name;
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

/** The model of a record, or of a collection's records. */
function modelOf(type: Type): string | undefined {
  const of = type.kind === "collection" ? type.of : type;
  return of.kind === "record" ? of.model : undefined;
}
