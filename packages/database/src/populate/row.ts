// A row while it is made and while its children are: its members by name, among them its id, the keys of its
// references, and the records they point at where these are at hand.

import { type Definition, type Json, jsonOf, type Member, type Model, type Value } from "@stoa/definition";

export interface Row {
  [name: string]: Value;
}

/** Rows inherit nothing, since members may have any name; created in one way, so that they are fast. */
class PlainRow {}
Object.setPrototypeOf(PlainRow.prototype, null);

export function createRow(): Row {
  return new PlainRow() as Row;
}

export type StoredMember = Extract<Member, { readonly kind: "id" | "field" | "key" }>;

/** Members with a column of their own. */
export function storedMembers(model: Model): StoredMember[] {
  return model.members.filter(
    (member): member is StoredMember =>
      member.kind === "id" || member.kind === "field" || member.kind === "key",
  );
}

const MASK = "(secret)";

/** What a row holds so far, for messages: secrets are masked. */
export function describeRow(model: Model, row: Row): Record<string, Json> {
  const known = storedMembers(model).filter((member) => row[member.name] !== undefined);
  return Object.fromEntries(
    known.map((member) => {
      const isSecret = member.kind === "field" && member.secret;
      return [member.name, isSecret ? MASK : jsonOf(row[member.name] ?? null, member.type)];
    }),
  );
}

/** A record as a hook gets it: what is stored of it. */
export function rowJson(model: Model, row: Row): Json {
  return Object.fromEntries(
    storedMembers(model).map((member) => [member.name, jsonOf(row[member.name] ?? null, member.type)]),
  );
}

/** The definition is checked when it is read, so a name in it that means nothing is a bug. */
export function findModel(definition: Definition, name: string): Model {
  const model = definition.models.find((candidate) => candidate.name === name);
  if (!model) throw new Error(`The definition has no model \`${name}\`.`);
  return model;
}

export function findMember(model: Model, name: string): Member {
  const member = model.members.find((candidate) => candidate.name === name);
  if (!member) throw new Error(`The model \`${model.name}\` has no member \`${name}\`.`);
  return member;
}
