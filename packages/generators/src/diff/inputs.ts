// What requests bring: which inputs there are, which must be there, and what is taken for them.

import { printExpression, printType, type RequestField } from "@stoa/definition";
import { conflictPaths, pointerOf, valueFields } from "../outline/input-errors.js";
import type { Finding } from "./change.js";
import { type ClauseChange, clausesOf, compareClauses, printClauses } from "./clauses.js";
import { type Comparison, definitionsOf, typePair } from "./comparison.js";
import { ruleCondition } from "./conditions.js";
import * as say from "./input-messages.js";
import { meaningOf } from "./meaning.js";
import type { Renames } from "./renames.js";
import { type Direction, enumChange, relateTypes, type TypePair } from "./value-types.js";

type ValueField = Extract<RequestField, { readonly kind: "value" }>;

export function compareInputs(comparison: Comparison): Finding[] {
  const [old, now] = [comparison.before, comparison.after].map((side) => side.operation.endpoint.request);
  return [
    ...compareFields(comparison, old?.fields ?? [], now?.fields ?? [], []),
    ...compareUniques(comparison, old?.fields ?? [], now?.fields ?? []),
  ];
}

/** Inputs that were there already, and whose values may be taken now, or no longer. */
function compareUniques(
  comparison: Comparison,
  before: readonly RequestField[],
  after: readonly RequestField[],
): Finding[] {
  const [old, now] = [comparison.before, comparison.after].map(({ outline, operation }) =>
    conflictPaths(outline.definition, operation.endpoint),
  );
  const known = pathsOf(before);
  return pathsOf(after)
    .filter((path) => known.includes(path))
    .flatMap((path): Finding[] => {
      const [wasUnique, isUnique] = [old?.includes(path), now?.includes(path)];
      if (wasUnique === isUnique) return [];
      const name = path.slice(1).replaceAll("/", ".");
      return [isUnique ? say.inputUnique(comparison.where, name) : say.inputNotUnique(name)];
    });
}

function pathsOf(fields: readonly RequestField[]): string[] {
  return valueFields(fields).map(({ path }) => pointerOf(path));
}

function compareFields(
  comparison: Comparison,
  before: readonly RequestField[],
  after: readonly RequestField[],
  above: readonly string[],
): Finding[] {
  const nameOf = (field: RequestField): string => [...above, field.name].join(".");
  const sourceOf = (field: RequestField): RequestField | undefined =>
    before.find(({ name }) => name === field.name) ??
    before.find((old) => !has(after, old.name) && isRenamed(comparison.renames, old, field));
  const used = new Set(after.map(sourceOf));
  const changes = after.flatMap((field): Finding[] => {
    const old = sourceOf(field);
    if (old === undefined) return [addedField(comparison, field, nameOf(field))];
    const renamed =
      old.name === field.name ? [] : [say.inputRenamed(comparison.where, nameOf(old), nameOf(field))];
    return [...renamed, ...compareField(comparison, old, field, above)];
  });
  const removed = before.filter((field) => !used.has(field));
  return [...changes, ...removed.map((field) => say.inputRemoved(comparison.where, nameOf(field)))];
}

function has(fields: readonly RequestField[], name: string): boolean {
  return fields.some((field) => field.name === name);
}

function isRenamed(renames: Renames, before: RequestField, after: RequestField): boolean {
  if (before.kind === "object" || after.kind === "object") return false;
  const [from, to] = [before.source, after.source];
  if (from.kind !== "member" || to.kind !== "member") return false;
  const isSameModel = renames.modelBefore(to.model) === from.model;
  return isSameModel && renames.memberBefore(to.model, to.member) === from.member;
}

function addedField({ where }: Comparison, field: RequestField, name: string): Finding {
  return field.required ? say.requiredInputAdded(where, name) : say.inputAdded(name);
}

function compareField(
  comparison: Comparison,
  before: RequestField,
  after: RequestField,
  above: readonly string[],
): Finding[] {
  const name = [...above, after.name].join(".");
  const { where } = comparison;
  const presence =
    before.required === after.required
      ? []
      : [after.required ? say.inputRequired(where, name) : say.inputOptional(name)];
  if (before.kind === "object" && after.kind === "object") {
    return [...presence, ...compareFields(comparison, before.fields, after.fields, [...above, after.name])];
  }
  if (before.kind === "object" || after.kind === "object") {
    return [
      ...presence,
      say.inputNarrower(where, name, { before: wordsFor(before), after: wordsFor(after) }),
    ];
  }
  const pair = typePair(definitionsOf(comparison), { before: before.type, after: after.type });
  return [
    ...presence,
    ...compareTypes(comparison, name, pair),
    ...compareValidators(comparison, name, before, after),
    ...compareDefaults(comparison, name, before, after),
  ];
}

function wordsFor(field: RequestField): string {
  return field.kind === "object" ? "an object" : printType(field.type);
}

function compareTypes({ where, after }: Comparison, name: string, pair: TypePair): Finding[] {
  const direction: Direction = after.operation.endpoint.request?.in === "query" ? "text" : "input";
  // A query string cannot say null.
  const nulls =
    pair.before.nullable === pair.after.nullable || direction === "text"
      ? []
      : [pair.after.nullable ? say.inputNullable(name) : say.inputNotNullable(where, name)];
  const relation = relateTypes(pair, direction);
  if (relation === "same") return nulls;
  const values = enumChange(pair);
  if (values !== undefined) {
    return [
      ...nulls,
      ...(values.removed.length > 0 ? [say.inputValuesRemoved(where, name, values.removed)] : []),
      ...(values.added.length > 0 ? [say.inputValuesAdded(name, values.added)] : []),
    ];
  }
  const words = {
    before: printType({ ...pair.before, nullable: false }),
    after: printType({ ...pair.after, nullable: false }),
  };
  return [
    ...nulls,
    relation === "wider" ? say.inputWider(name, words) : say.inputNarrower(where, name, words),
  ];
}

function compareValidators(
  { where, ...sides }: Comparison,
  name: string,
  before: ValueField,
  after: ValueField,
): Finding[] {
  const old = before.validate.flatMap((rule) => clausesOf(ruleCondition(sides.before.view, rule)));
  const now = after.validate.flatMap((rule) => clausesOf(ruleCondition(sides.after.view, rule)));
  return compareTests(where, name, compareClauses(old, now));
}

/** What is asked of the values of an input. */
export function compareTests(
  where: string,
  name: string,
  { relation, added, removed }: ClauseChange,
): Finding[] {
  const words = { before: printClauses(removed), after: printClauses(added) };
  switch (relation) {
    case "same":
      return [];
    case "stricter":
      return [say.inputStricter(where, name, words.after)];
    case "laxer":
      return [say.inputLaxer(name, words.before)];
    case "different":
      if (words.before === words.after) return [say.inputTestChanged(where, name, words.after)];
      return [say.inputRuleChanged(where, name, words)];
  }
}

/** What stands in for an input that may be left out, before and after. */
function compareDefaults(
  { where, ...sides }: Comparison,
  name: string,
  before: ValueField,
  after: ValueField,
): Finding[] {
  if (before.required || after.required) return [];
  const [old, now] = [before.default, after.default];
  const meaning = (field: ValueField, view: Comparison["before"]["view"]): string =>
    field.default === null ? "null" : meaningOf(view, field.default);
  if (meaning(before, sides.before.view) === meaning(after, sides.after.view)) return [];
  const words = (value: ValueField["default"]): string => (value === null ? "null" : printExpression(value));
  return [say.inputDefaultChanged(where, name, { before: words(old), after: words(now) })];
}
