// Phase 4: the checked program → the definition. No diagnostics are left to report: this phase only runs on
// programs without errors. Declarations are sorted by name, so that the order of files does not show.

import {
  DEFINITION_VERSION,
  type Definition,
  type Enum,
  type Member,
  type Model,
  type Place,
} from "@stoa/definition";
import type { CheckedProgram } from "../check/check.js";
import type { CheckedModel } from "../check/context.js";
import type { Span } from "../diagnostics/diagnostic.js";
import type { FieldMember, ReferenceMember, Member as ResolvedMember } from "../resolve/program.js";
import { itemOf } from "../syntax/tree.js";
import { columnOfMember, idType, lowerTable } from "./table.js";

export type PlaceOf = (span: Span) => Place;

export interface LowerInput {
  readonly checked: CheckedProgram;
  readonly sources: readonly string[];
  readonly placeOf: PlaceOf;
}

export function lower({ checked, sources, placeOf }: LowerInput): Definition {
  return {
    version: DEFINITION_VERSION,
    sources,
    enums: byName(lowerEnums(checked, placeOf)),
    models: byName(checked.models.map((model) => lowerModel(checked, model, placeOf))),
    validators: byName(checked.validators),
    auth: checked.auth,
    apis: [...checked.apis].sort((a, b) => compare(a.prefix, b.prefix)),
    populators: byName(checked.populators),
    runtimes: byName(checked.runtimes),
    generators: [...checked.generators].sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b))),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byName<Node extends { readonly name: string }>(nodes: readonly Node[]): Node[] {
  return [...nodes].sort((a, b) => compare(a.name, b.name));
}

function lowerEnums({ program }: CheckedProgram, placeOf: PlaceOf): Enum[] {
  return [...program.enums.values()].map(({ name, node }) => ({
    name,
    values: node.values.map((value) => ({ name: value.name.text, doc: value.doc ?? null })),
    doc: node.doc ?? null,
    at: placeOf(node.span),
  }));
}

function lowerModel(checked: CheckedProgram, checkedModel: CheckedModel, placeOf: PlaceOf): Model {
  const { model } = checkedModel;
  const { node } = model;
  return {
    name: model.name,
    was: itemOf(node.body, "was")?.name.text ?? null,
    timestamps: itemOf(node.body, "timestamps") !== undefined,
    members: [...model.members.values()].flatMap((member) =>
      lowerMember(member, { checked, checkedModel, placeOf }),
    ),
    table: lowerTable(checked.program, model),
    doc: node.doc ?? null,
    at: placeOf(node.span),
  };
}

interface MemberContext {
  readonly checked: CheckedProgram;
  readonly checkedModel: CheckedModel;
  readonly placeOf: PlaceOf;
}

function lowerMember(member: ResolvedMember, context: MemberContext): Member[] {
  const { checkedModel, checked, placeOf } = context;
  const { model } = checkedModel;
  switch (member.kind) {
    case "id":
      return [{ kind: "id", name: "id", type: member.type, column: "id" }];
    case "field":
      return lowerField(member, context);
    case "key": {
      const { reference } = member;
      const type = { ...idType(checked.program, reference), nullable: reference.nullable };
      const column = columnOfMember(model, reference.name);
      return [
        { kind: "key", name: member.name, reference: reference.name, type, column, unique: reference.unique },
      ];
    }
    case "reference":
      return lowerReference(member, context);
    case "relation":
      return [
        {
          kind: "relation",
          name: member.name,
          from: member.from ?? "",
          through: member.through?.name ?? "",
          single: member.through?.unique ?? false,
          doc: member.node.doc ?? null,
          at: placeOf(member.node.span),
        },
      ];
    case "computed":
    case "query":
    case "hook":
      return lowerDerived(member, context);
  }
}

function lowerField(field: FieldMember, { checkedModel, placeOf }: MemberContext): Member[] {
  if (!field.type) return [];
  const was = field.node && itemOf(field.node.body, "was");
  return [
    {
      kind: "field",
      name: field.name,
      type: field.type,
      column: columnOfMember(checkedModel.model, field.name),
      unique: field.unique,
      secret: field.secret,
      default: checkedModel.defaults.get(field.name) ?? null,
      validate: checkedModel.rules.get(field.name) ?? null,
      maintained: field.node === undefined,
      was: was?.name.text ?? null,
      doc: field.node?.doc ?? null,
      at: placeOf(field.node?.span ?? field.span),
    },
  ];
}

function lowerReference(reference: ReferenceMember, { checkedModel, placeOf }: MemberContext): Member[] {
  return [
    {
      kind: "reference",
      name: reference.name,
      to: reference.to ?? "",
      key: `${reference.name}_id`,
      column: columnOfMember(checkedModel.model, reference.name),
      unique: reference.unique,
      nullable: reference.nullable,
      onDelete: reference.onDelete,
      was: itemOf(reference.node.body, "was")?.name.text ?? null,
      doc: reference.node.doc ?? null,
      at: placeOf(reference.node.span),
    },
  ];
}

function lowerDerived(
  member: Extract<ResolvedMember, { kind: "computed" | "query" | "hook" }>,
  { checked, checkedModel, placeOf }: MemberContext,
): Member[] {
  const { name, node } = member;
  const documented = { doc: node.doc ?? null, at: placeOf(node.span) };
  if (member.kind === "hook") {
    const hook = checkedModel.hooks.get(name);
    return hook ? [{ kind: "hook", name, hook, ...documented }] : [];
  }
  const derived = checked.derived.get(`${checkedModel.model.name}.${name}`);
  if (derived?.kind === "computed") {
    return [{ kind: "computed", name, type: derived.type, value: derived.value, ...documented }];
  }
  if (!derived?.query) return [];
  return [{ kind: "query", name, type: derived.type, query: derived.query, ...documented }];
}
