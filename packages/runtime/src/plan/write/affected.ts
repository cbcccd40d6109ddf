// Whether a change can alter what a rule says of a record. Where it cannot, what held before holds after.

import {
  type Action,
  type Expression,
  type MemberExpression,
  type Model,
  modelOfType,
  someExpression,
} from "@stoa/definition";
import { writtenMember } from "./assign.js";

/** Columns of rows that were there before, and are changed. */
export interface Change {
  readonly model: Model;
  readonly columns: ReadonlySet<string>;
}

/** What an action changes of existing rows; null where it changes none. */
export function changeOf(action: Action, models: readonly Model[]): Change | null {
  switch (action.kind) {
    case "update":
      return changeOfMembers(action.model, action.assignments, models);
    case "query":
      if (action.operation.kind !== "update") return null;
      return changeOfMembers(action.query.model, action.operation.assignments, models);
    case "create": {
      // The reference through which a record is created is set to it.
      const owner = action.link === null ? undefined : modelOfType(action.link.record.type);
      if (action.link === null || owner === undefined) return null;
      return changeOfMembers(owner, [{ member: action.link.reference }], models);
    }
    default:
      return null;
  }
}

function changeOfMembers(
  name: string,
  assignments: readonly { readonly member: string }[],
  models: readonly Model[],
): Change {
  const model = models.find((each) => each.name === name);
  if (model === undefined) throw new Error(`The definition has no model \`${name}\`.`);
  const columns = new Set(assignments.map(({ member }) => writtenMember(model, member).column));
  for (const member of model.members) {
    if (member.kind === "field" && member.maintained) columns.add(member.column);
  }
  return { model, columns };
}

/** A no is sure; a yes may be too careful. */
export function mayAffect({ model, columns }: Change): (clause: Expression) => boolean {
  return (clause) =>
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
