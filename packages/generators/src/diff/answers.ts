// What an endpoint answers when all went well: status, headers, and the shape of the body, property by property.

import { type Endpoint, type Expression, printType, type Select, type SelectItem } from "@stoa/definition";
import type { NamedShape, Shape } from "../outline/shapes.js";
import * as say from "./answer-messages.js";
import type { Finding } from "./change.js";
import {
  type Comparison,
  definitionsOf,
  type Shown,
  type ShownSide,
  type Side,
  typePair,
} from "./comparison.js";
import { meaningOf } from "./meaning.js";
import { enumChange, relateTypes, type TypePair } from "./value-types.js";

interface Answer {
  /** Null where it is worked out, or up to code. */
  readonly status: string | null;
  readonly contentType: string | null;
  readonly headers: readonly string[];
  readonly shape: Shape | null;
  readonly isUpToCode: boolean;
}

export function compareAnswers(comparison: Comparison): Finding[] {
  const [before, after] = [answerOf(comparison.before), answerOf(comparison.after)];
  if (before.isUpToCode || after.isUpToCode) {
    if (before.isUpToCode === after.isUpToCode) return [];
    const words = ({ isUpToCode }: Answer): string =>
      isUpToCode ? "what code says" : "what the program says";
    return [say.answerChanged(words(before), words(after))];
  }
  return [
    ...compareStatus(before.status, after.status),
    ...(before.contentType === after.contentType || before.contentType === null || after.contentType === null
      ? []
      : [say.contentTypeChanged(before.contentType, after.contentType)]),
    ...after.headers.filter((name) => !before.headers.includes(name)).map(say.headerAdded),
    ...before.headers.filter((name) => !after.headers.includes(name)).map(say.headerRemoved),
    ...compareSaid(comparison),
    ...compareBodies(comparison, before.shape, after.shape),
  ];
}

const WORKED_OUT = "that is worked out";

function compareStatus(before: string | null, after: string | null): Finding[] {
  return before === after ? [] : [say.statusChanged(before ?? WORKED_OUT, after ?? WORKED_OUT)];
}

/** Headers that both have, and a status that both work out: what they are worked out from. */
function compareSaid({ before, after }: Comparison): Finding[] {
  const [old, now] = [valuesSaid(before), valuesSaid(after)];
  return [...now]
    .filter(([name, meaning]) => old.has(name) && old.get(name) !== meaning)
    .map(([name]) => say.valueChanged(name));
}

function valuesSaid({ operation, view }: Side): Map<string, string> {
  const respond = operation.endpoint.actions.find((action) => action.kind === "respond");
  if (respond === undefined) return new Map();
  const { status, headers } = respond;
  const isWorkedOut = status !== null && textOf(status) === null;
  return new Map([
    ...(isWorkedOut ? [["status", meaningOf(view, status)] as const] : []),
    ...headers
      .filter(({ name }) => !/^content-type$/i.test(name))
      .map(({ name, value }) => [name.toLowerCase(), meaningOf(view, value)] as const),
  ]);
}

function answerOf({ operation, outline }: Side): Answer {
  const { endpoint, group } = operation;
  const shape = outline.responses.get(operation) ?? null;
  const isUpToCode = endpoint.actions.some((action) => action.kind === "execute" && action.responds);
  const respond = endpoint.actions.find((action) => action.kind === "respond");
  if (respond !== undefined) {
    const isType = ({ name }: { readonly name: string }): boolean => /^content-type$/i.test(name);
    return {
      status: respond.status === null ? "200" : textOf(respond.status),
      contentType: textOf(respond.headers.find(isType)?.value) ?? "application/json",
      headers: respond.headers.filter((header) => !isType(header)).map(({ name }) => name.toLowerCase()),
      ...{ shape, isUpToCode },
    };
  }
  const hasGet = group.entrypoint.endpoints.some(({ kind }) => kind === "get");
  const headers = endpoint.kind === "create" && hasGet ? ["location"] : [];
  return { status: statusOf(endpoint), contentType: null, headers, shape, isUpToCode };
}

function statusOf({ kind }: Endpoint): string {
  if (kind === "create") return "201";
  return kind === "delete" || kind === "custom" ? "204" : "200";
}

function textOf(expression: Expression | undefined): string | null {
  return expression?.kind === "literal" && expression.value !== null ? String(expression.value) : null;
}

function compareBodies(comparison: Comparison, before: Shape | null, after: Shape | null): Finding[] {
  if (before === null && after === null) return [];
  if (before === null) return [say.answerAdded("with a body")];
  if (after === null) return [say.answerChanged("with a body", "nothing")];
  const [old, now] = [selectOf(comparison.before), selectOf(comparison.after)];
  const changes = compareShapes(comparison, { before, after, name: "", selects: [old, now] });
  return [...changes, ...compareBodyValues(comparison, changes)];
}

function selectOf({ operation }: Side): Select | null {
  return operation.endpoint.response;
}

/** Of `respond`: the same shape, worked out in another way. */
function compareBodyValues({ before, after }: Comparison, changes: readonly Finding[]): Finding[] {
  const [old, now] = [before, after].map(({ operation }) =>
    operation.endpoint.actions.find((action) => action.kind === "respond"),
  );
  if (old === undefined || now === undefined || changes.length > 0) return [];
  const isSame = meaningOf(before.view, old.body) === meaningOf(after.view, now.body);
  return isSame ? [] : [say.valueChanged("body")];
}

// ---------------------------------------------------------------- shapes

interface ShapePair {
  readonly before: Shape;
  readonly after: Shape;
  /** `books.title`; empty for the whole. */
  readonly name: string;
  readonly selects: readonly [Select | null, Select | null];
}

export function compareShapes(comparison: Shown, pair: ShapePair): Finding[] {
  const { before, after, name } = pair;
  if (before.kind === "value" && after.kind === "value") {
    return compareValues(
      name,
      typePair(definitionsOf(comparison), { before: before.type, after: after.type }),
    );
  }
  if (before.kind === "object" && after.kind === "object") {
    return [...compareNulls(pair), ...compareProperties(comparison, pair, [before.name, after.name])];
  }
  if (before.kind === "list" && after.kind === "list") {
    return [
      ...compareNulls(pair),
      ...compareShapes(comparison, { ...pair, before: before.of, after: after.of }),
    ];
  }
  if (before.kind === after.kind) return [];
  const words = { before: shapeWords(before), after: shapeWords(after) };
  // Anything could have been there before; null could, where null was allowed.
  const isNarrower = before.kind === "any" || (after.kind === "null" && mayBeNull(before));
  return [
    isNarrower ? say.propertyNarrower(name || "body", words) : say.propertyWider(name || "body", words),
  ];
}

function mayBeNull(shape: Shape): boolean {
  switch (shape.kind) {
    case "value":
      return shape.type.nullable;
    case "object":
    case "list":
      return shape.nullable;
    case "null":
    case "any":
      return true;
  }
}

function compareNulls({ before, after, name }: ShapePair): Finding[] {
  const [old, now] = [mayBeNull(before), mayBeNull(after)];
  if (old === now) return [];
  return [now ? say.propertyNullable(name || "body") : say.propertyNotNullable(name || "body")];
}

function shapeWords(shape: Shape): string {
  switch (shape.kind) {
    case "value":
      return printType(shape.type);
    case "object":
      return "an object";
    case "list":
      return "a list";
    case "null":
      return "null";
    case "any":
      return "anything";
  }
}

function compareValues(name: string, pair: TypePair): Finding[] {
  const [old, now] = [pair.before, pair.after];
  const nulls =
    old.nullable === now.nullable
      ? []
      : [now.nullable ? say.propertyNullable(name || "body") : say.propertyNotNullable(name || "body")];
  const relation = relateTypes(pair, "output");
  if (relation === "same") return nulls;
  const values = enumChange(pair);
  if (values !== undefined) {
    return [
      ...nulls,
      ...(values.added.length > 0 ? [say.propertyValuesAdded(name || "body", values.added)] : []),
      ...(values.removed.length > 0 ? [say.propertyValuesRemoved(name || "body", values.removed)] : []),
    ];
  }
  const words = {
    before: printType({ ...old, nullable: false }),
    after: printType({ ...now, nullable: false }),
  };
  const isNarrower = relation === "narrower";
  return [
    ...nulls,
    isNarrower ? say.propertyNarrower(name || "body", words) : say.propertyWider(name || "body", words),
  ];
}

function compareProperties(
  comparison: Shown,
  pair: ShapePair,
  [oldName, newName]: readonly [string, string],
): Finding[] {
  const before = namedShape(comparison.before, oldName);
  const after = namedShape(comparison.after, newName);
  const pathOf = (name: string): string => (pair.name === "" ? name : `${pair.name}.${name}`);
  const oldNames = renamedProperties(comparison, pair, before, after);
  const used = new Set([...oldNames.values()]);
  const changes = after.properties.flatMap((property): Finding[] => {
    const source = before.properties.find(({ name }) => name === oldNames.get(property.name));
    if (source === undefined) return [say.propertyAdded(pathOf(property.name))];
    const renamed = source.name !== property.name;
    const items = [itemOf(pair.selects[0], source.name), itemOf(pair.selects[1], property.name)] as const;
    const inside = compareShapes(comparison, {
      ...{ before: source.shape, after: property.shape, name: pathOf(property.name) },
      selects: [nestedOf(items[0]), nestedOf(items[1])],
    });
    return [
      ...(renamed ? [say.propertyRenamed(pathOf(source.name), pathOf(property.name))] : []),
      ...inside,
      ...compareItems(comparison, items, pathOf(property.name)),
    ];
  });
  const removed = before.properties.filter(({ name }) => !used.has(name));
  return [...changes, ...removed.map(({ name }) => say.propertyRemoved(pathOf(name)))];
}

function namedShape({ outline }: ShownSide, name: string): NamedShape {
  const found = outline.shapes.all.find((shape) => shape.name === name);
  if (found === undefined) throw new Error(`There is no shape \`${name}\`.`);
  return found;
}

/** From new names of properties to old ones: the same, or by `was` where that shows the same member. */
function renamedProperties(
  { renames }: Shown,
  { selects }: ShapePair,
  before: NamedShape,
  after: NamedShape,
): Map<string, string> {
  const has = ({ properties }: NamedShape, name: string): boolean =>
    properties.some((each) => each.name === name);
  const model = after.model?.name ?? "";
  return new Map(
    after.properties.flatMap(({ name, member }): [string, string][] => {
      if (has(before, name)) return [[name, name]];
      const shown = member ?? memberOf(itemOf(selects[1], name));
      const old = shown === null ? name : renames.memberBefore(model, shown);
      return shown === name && old !== name && has(before, old) && !has(after, old) ? [[name, old]] : [];
    }),
  );
}

// ---------------------------------------------------------------- what is shown

function itemOf(select: Select | null, name: string): SelectItem | undefined {
  return select?.items.find((item) => item.name === name);
}

function nestedOf(item: SelectItem | undefined): Select | null {
  return item?.kind === "nested" ? item.select : null;
}

function memberOf(item: SelectItem | undefined): string | null {
  if (item === undefined || item.kind === "hook" || item.value.kind !== "member") return null;
  return item.value.on.kind === "variable" ? item.value.name : null;
}

/** The same shape of something else. */
function compareItems(
  { before, after }: Shown,
  [old, now]: readonly [SelectItem | undefined, SelectItem | undefined],
  name: string,
): Finding[] {
  if (old === undefined || now === undefined) return [];
  const meaning = (item: SelectItem, { view }: ShownSide): string =>
    item.kind === "hook" ? `hook ${item.hook}` : meaningOf(view, item.value);
  return meaning(old, before) === meaning(now, after) ? [] : [say.valueChanged(name)];
}
