// One model: its members by name, with types and targets.

import type { ValueType } from "@stoa/definition";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/models.js";
import { duplicateName, unknownMember, unknownModel } from "../diagnostics/messages/names.js";
import { type MissingWord, missingProperties, missingProperty } from "../diagnostics/messages/syntax.js";
import {
  type FieldNode,
  isMissing,
  itemOf,
  itemsOf,
  type ModelItem,
  type ModelNode,
  type ReferenceNode,
  type RelationNode,
} from "../syntax/tree.js";
import type { FieldMember, IdMember, Member, Model, ReferenceMember, RelationMember } from "./program.js";
import { resolveValueType, type TypeNames } from "./value-type.js";

export interface ModelNames extends TypeNames {
  readonly models: ReadonlyMap<string, ModelNode>;
}

type Report = (diagnostic: Diagnostic) => void;

export function resolveModel(node: ModelNode, names: ModelNames, report: Report): Model {
  const resolver = { names, report };
  const members = new Map<string, Member>();
  const owner = `the model \`${node.name.text}\``;
  const add = (member: Member): void => {
    const first = members.get(member.name);
    if (first?.kind === "id") report(say.idIsThere(member.span));
    else if (first) report(duplicateName(member.span, member.name, owner, first.span));
    else members.set(member.name, member);
  };
  add(resolveId(node, resolver));
  for (const item of node.body.items) for (const member of resolveItem(item, node, resolver)) add(member);
  const nameless = node.body.items.some((item) => "name" in item && isMissing(item.name));
  return { name: node.name.text, node, members, damaged: node.body.damaged || nameless };
}

interface Resolver {
  readonly names: ModelNames;
  readonly report: Report;
}

function resolveItem(item: ModelItem, model: ModelNode, resolver: Resolver): Member[] {
  if ("name" in item && isMissing(item.name)) return [];
  switch (item.kind) {
    case "field":
      return [resolveField(item, resolver)];
    case "reference":
      return withKey(resolveReference(item, resolver));
    case "relation":
      return [resolveRelation(item, model, resolver)];
    case "computed":
      return [{ kind: "computed", name: item.name.text, span: item.name.span, node: item }];
    case "query":
      return [{ kind: "query", name: item.name.text, span: item.name.span, node: item }];
    case "hook":
      return [{ kind: "hook", name: item.name.text, span: item.name.span, node: item }];
    case "timestamps":
      return [timestamp("createdAt", item.span), timestamp("updatedAt", item.span)];
    case "id":
    case "unique":
    case "index":
    case "dbname":
    case "was":
      return [];
  }
}

function resolveId(node: ModelNode, { names, report }: Resolver): IdMember {
  const item = itemOf(node.body, "id");
  const integer: ValueType = { kind: "integer", nullable: false };
  if (!item) return { kind: "id", name: "id", type: integer, span: node.name.span };
  const written = itemOf(item.body, "type");
  if (!written) {
    if (!item.body.damaged) report(missingProperty(item.span, "An id", "type", "id { type uuid }"));
    return { kind: "id", name: "id", type: integer, span: item.span };
  }
  const type = resolveValueType(written.type, false, { names, report });
  const isRight = type?.kind === "integer" || type?.kind === "uuid";
  if (type && !isRight) report(say.idType(written.type.span, written.type.name.text));
  return { kind: "id", name: "id", type: isRight ? type : integer, span: item.span };
}

function timestamp(name: string, span: Span): FieldMember {
  const type: ValueType = { kind: "datetime", nullable: false };
  return { kind: "field", name, span, type, unique: false, secret: false, hasDefault: true, node: undefined };
}

function resolveField(node: FieldNode, { names, report }: Resolver): FieldMember {
  const { name, body } = node;
  const written = itemOf(body, "type");
  if (!written && !body.damaged) {
    report(
      missingProperty(name.span, `The field \`${name.text}\``, "type", `field ${name.text} { type string }`),
    );
  }
  const nullable = itemOf(body, "nullable") !== undefined;
  return {
    kind: "field",
    name: name.text,
    span: name.span,
    type: written && resolveValueType(written.type, nullable, { names, report }),
    unique: itemOf(body, "unique") !== undefined,
    secret: itemOf(body, "secret") !== undefined,
    // What could not be read may be a default: its absence is not held against anybody.
    hasDefault: itemOf(body, "default") !== undefined || body.damaged,
    node,
  };
}

function withKey(reference: ReferenceMember): Member[] {
  return [reference, { kind: "key", name: `${reference.name}_id`, span: reference.span, reference }];
}

function resolveReference(node: ReferenceNode, { names, report }: Resolver): ReferenceMember {
  const { name, body } = node;
  const to = itemOf(body, "to");
  if (!to && !body.damaged) {
    report(missingProperty(name.span, `The reference \`${name.text}\``, "to", "to Author"));
  }
  const nullable = itemOf(body, "nullable") !== undefined;
  const onDelete = itemOf(body, "on");
  if (onDelete?.effect === "set null" && !nullable && !body.damaged)
    report(say.setNullNeedsNullable(onDelete.span, name));
  const target = to && !isMissing(to.name) ? to.name : undefined;
  const isKnown = target !== undefined && names.models.has(target.text);
  if (target && !isKnown && !names.damaged) {
    report(unknownModel(target.span, target.text, [...names.models.keys()]));
  }
  return {
    kind: "reference",
    name: name.text,
    span: name.span,
    to: isKnown ? target.text : undefined,
    unique: itemOf(body, "unique") !== undefined,
    nullable,
    onDelete: onDelete?.effect ?? "restrict",
    node,
  };
}

function resolveRelation(node: RelationNode, model: ModelNode, resolver: Resolver): RelationMember {
  const { name, body } = node;
  const from = itemOf(body, "from");
  const through = itemOf(body, "through");
  const owner = `The relation \`${name.text}\``;
  const { report, names } = resolver;
  const missing: MissingWord[] = [];
  if (!from) missing.push(["from", "from Book"]);
  if (!through) missing.push(["through", "through author"]);
  if (missing.length > 0 && !body.damaged) report(missingProperties(name.span, owner, missing));
  const other = from && !isMissing(from.name) ? names.models.get(from.name.text) : undefined;
  if (from && !isMissing(from.name) && !other && !names.damaged) {
    report(unknownModel(from.name.span, from.name.text, [...names.models.keys()]));
  }
  const reference = other && through ? findReference(node, other, model, resolver) : undefined;
  return {
    kind: "relation",
    name: name.text,
    span: name.span,
    from: other?.name.text,
    through: reference,
    node,
  };
}

/** The reference on the other side; it must exist and point back at this model. */
function findReference(
  node: RelationNode,
  other: ModelNode,
  model: ModelNode,
  resolver: Resolver,
): ReferenceMember | undefined {
  const through = itemOf(node.body, "through");
  if (!through || isMissing(through.name)) return undefined;
  const wanted = through.name;
  const found = itemsOf(other.body, "reference").find((reference) => reference.name.text === wanted.text);
  if (!found) {
    reportNoReference(wanted, other, model, resolver);
    return undefined;
  }
  const target = itemOf(found.body, "to");
  // What is wrong with the reference itself is reported where it stands.
  const silent = { names: resolver.names, report: () => {} };
  if (target && resolver.names.models.has(target.name.text) && target.name.text !== model.name.text) {
    resolver.report(
      say.relationMismatch(wanted.span, { other, model, reference: found, target: target.name }),
    );
    return undefined;
  }
  return resolveReference(found, silent);
}

function reportNoReference(
  wanted: { readonly text: string; readonly span: Span },
  other: ModelNode,
  model: ModelNode,
  { report }: Resolver,
): void {
  const items = other.body.items.flatMap((item) => ("name" in item && item.kind !== "was" ? [item] : []));
  const wrong = items.find((item) => item.name.text === wanted.text);
  if (wrong) return report(say.notAReference(wanted.span, wrong.kind, other, wrong.name));
  if (other.body.damaged || items.some((item) => isMissing(item.name))) return;
  const references = itemsOf(other.body, "reference").map((reference) => reference.name.text);
  report(
    unknownMember(wanted.span, wanted.text, {
      model: other.name.text,
      known: references,
      kind: "reference",
      example: `reference ${wanted.text} { to ${model.name.text} }`,
    }),
  );
}
