// What answers look like, between the definition and its texts: objects have names, and those that look alike share
// one. The document makes schemas of them, the client types.

import type {
  Action,
  Definition,
  Expression,
  Model,
  Select,
  SelectItem,
  Type,
  ValueType,
  VariableExpression,
} from "@stoa/definition";
import { type NameList, pascalCase } from "./names.js";
import type { Group, Operation } from "./operations.js";
import { mayBeLost } from "./range.js";

export type Shape =
  | { readonly kind: "value"; readonly type: ValueType }
  | { readonly kind: "object"; readonly name: string; readonly nullable: boolean }
  | { readonly kind: "list"; readonly of: Shape; readonly nullable: boolean }
  | { readonly kind: "null" }
  /** What code gives: any JSON. */
  | { readonly kind: "any" };

export interface NamedShape {
  readonly name: string;
  /** The model whose record it shows, if it is one's. */
  readonly model: Model | null;
  readonly properties: readonly ShapeProperty[];
}

export interface ShapeProperty {
  readonly name: string;
  readonly shape: Shape;
  readonly doc: string | null;
  /** The member it shows as it is stored, for examples. */
  readonly member: string | null;
}

/** The objects of a program, each named when it is first met. */
export class Shapes {
  readonly #definition: Definition;
  readonly #names: NameList;
  readonly #byContent = new Map<string, NamedShape>();

  constructor(definition: Definition, names: NameList) {
    this.#definition = definition;
    this.#names = names;
  }

  get all(): readonly NamedShape[] {
    return [...this.#byContent.values()];
  }

  ofSelect({ model, items }: Select, ...wanted: readonly string[]): Extract<Shape, { kind: "object" }> {
    const properties = items.map((item) => this.#propertyOf(model, item, wanted));
    return this.#object(this.#modelOf(model), properties, wanted);
  }

  /** Of what is sent back; records that a query has picked out are shown as its select says. */
  ofExpression(expression: Expression, actions: readonly Action[], ...wanted: readonly string[]): Shape {
    const { type } = expression;
    if (expression.kind === "struct") {
      const properties = expression.entries.map(({ name, value }) => ({
        ...{ name, doc: null, member: null },
        shape: this.ofExpression(value, actions, ...below(wanted, name)),
      }));
      return this.#object(null, properties, wanted);
    }
    const select = expression.kind === "variable" ? selectOf(expression, actions) : null;
    if (select === null) return this.#ofValue(expression, false, wanted);
    const object = this.ofSelect(select, ...wanted);
    if (type.kind === "collection") return { kind: "list", of: object, nullable: type.nullable };
    return { ...object, nullable: type.nullable };
  }

  ofType(type: Type, ...wanted: readonly string[]): Shape {
    switch (type.kind) {
      case "record":
        return { ...this.ofRecord(type.model), nullable: type.nullable };
      case "struct": {
        const properties = type.fields.map(({ name, type: of }) => ({
          ...{ name, doc: null, member: null },
          shape: this.ofType(of, ...below(wanted, name)),
        }));
        return { ...this.#object(null, properties, wanted), nullable: type.nullable };
      }
      case "array":
      case "collection":
        return { kind: "list", of: this.ofType(type.of, ...below(wanted, "item")), nullable: type.nullable };
      case "null":
        return { kind: "null" };
      case "any":
        return { kind: "any" };
      default:
        return { kind: "value", type };
    }
  }

  /** All that is stored of a record, but its secrets. */
  ofRecord(model: string): Extract<Shape, { kind: "object" }> {
    const found = this.#modelOf(model);
    const properties = (found?.members ?? []).flatMap((member): ShapeProperty[] => {
      if (member.kind !== "id" && member.kind !== "field" && member.kind !== "key") return [];
      if (member.kind === "field" && member.secret) return [];
      const doc = member.kind === "field" ? member.doc : null;
      return [{ name: member.name, shape: { kind: "value", type: member.type }, doc, member: member.name }];
    });
    return this.#object(found, properties, [`${model}Record`]);
  }

  #modelOf(name: string): Model | null {
    return this.#definition.models.find((model) => model.name === name) ?? null;
  }

  #propertyOf(model: string, item: SelectItem, wanted: readonly string[]): ShapeProperty {
    const doc = item.doc ?? this.#docOf(model, item.name);
    const shape = this.#shapeOfItem(item, below(wanted, item.name));
    return { name: item.name, shape, doc, member: memberOf(item) };
  }

  #shapeOfItem(item: SelectItem, wanted: readonly string[]): Shape {
    switch (item.kind) {
      case "value":
        return this.#ofValue(item.value, true, wanted);
      case "nested": {
        const object = this.ofSelect(item.select, ...wanted);
        if (item.many) return { kind: "list", of: object, nullable: item.nullable };
        return { ...object, nullable: item.nullable };
      }
      case "hook":
        return { kind: "any" };
    }
  }

  #ofValue(expression: Expression, isLenient: boolean, wanted: readonly string[]): Shape {
    const shape = this.ofType(expression.type, ...wanted);
    const isLost = mayBeLost({ definition: this.#definition, isLenient }, expression);
    return isLost ? orNull(shape) : shape;
  }

  #docOf(model: string, name: string): string | null {
    const member = this.#modelOf(model)?.members.find((each) => each.name === name);
    return member !== undefined && "doc" in member ? member.doc : null;
  }

  #object(
    model: Model | null,
    properties: readonly ShapeProperty[],
    wanted: readonly string[],
  ): Extract<Shape, { kind: "object" }> {
    const content = JSON.stringify([model?.name, properties]);
    const known = this.#byContent.get(content);
    const shape = known ?? { name: this.#names.take(...wanted), model, properties };
    if (known === undefined) this.#byContent.set(content, shape);
    return { kind: "object", name: shape.name, nullable: false };
  }
}

function selectOf({ variable, name }: VariableExpression, actions: readonly Action[]): Select | null {
  if (variable !== "alias") return null;
  const query = actions.find((action) => action.kind === "query" && action.alias === name);
  return query?.kind === "query" && query.operation.kind === "select" ? query.operation.select : null;
}

function orNull(shape: Shape): Shape {
  switch (shape.kind) {
    case "value":
      return { kind: "value", type: { ...shape.type, nullable: true } };
    case "object":
    case "list":
      return { ...shape, nullable: true };
    case "null":
    case "any":
      return shape;
  }
}

function below(wanted: readonly string[], name: string): string[] {
  return wanted.map((each) => each + pascalCase(name));
}

function memberOf(item: SelectItem): string | null {
  if (item.kind !== "value" || item.value.kind !== "member") return null;
  const { on, name, member } = item.value;
  const isOwn = on.kind === "variable" && on.variable === "this";
  return isOwn && (member === "field" || member === "id" || member === "key") ? name : null;
}

/**
 * The shape of what most endpoints of an entrypoint answer has the entrypoint's name; those of the others have the
 * endpoint's.
 */
export function nameResponses(group: Group, shapes: Shapes): Map<Operation, Shape> {
  const answering = group.operations.filter(({ endpoint }) => endpoint.response !== null);
  const counts = new Map<string, number>();
  for (const { endpoint } of answering) {
    const content = JSON.stringify(endpoint.response);
    counts.set(content, (counts.get(content) ?? 0) + 1);
  }
  const rank = ({ endpoint }: Operation): number => counts.get(JSON.stringify(endpoint.response)) ?? 0;
  // Sorting keeps the order of those that are alike.
  const ordered = [...answering].sort((left, right) => rank(right) - rank(left));
  const own = pascalCase(...group.path);
  return new Map(
    ordered.flatMap((operation): [Operation, Shape][] => {
      const { response } = operation.endpoint;
      if (response === null) return [];
      return [[operation, shapes.ofSelect(response, own, pascalCase(operation.id))]];
    }),
  );
}
