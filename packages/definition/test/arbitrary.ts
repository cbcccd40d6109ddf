// Arbitrary values of any shape, so that a new field of the definition is tested the moment it has a shape.

import fc from "fast-check";
import type { Definition } from "../src/definition.js";
import {
  casesOf,
  type NamedShape,
  type ObjectShape,
  type ScalarShape,
  type ShapeNode,
  type UnionShape,
} from "../src/shape.js";
import { definitionShape } from "../src/shapes.js";

/** The one name that references use, and that `arbitraryDefinition` declares. */
export const KNOWN = "Known";

export function arbitraryOf(shape: ShapeNode, depth: number): fc.Arbitrary<unknown> {
  const deep = depth > 0;
  switch (shape.kind) {
    case "nullable":
      return deep ? fc.option(arbitraryOf(shape.of, depth), { nil: null }) : fc.constant(null);
    case "list":
      return deep ? fc.array(arbitraryOf(shape.of, depth - 1), { maxLength: 2 }) : fc.constant([]);
    case "tuple":
      return fc.tuple(...shape.items.map((item) => arbitraryOf(item.shape, depth - 1)));
    case "object":
      return arbitraryObject(shape, depth - 1);
    case "union":
      return fc.oneof(...variantsAt(shape, depth).map((variant) => arbitraryObject(variant, depth - 1)));
    case "named":
      return arbitraryNamed(shape, depth);
    default:
      return arbitraryScalar(shape);
  }
}

/** A definition without stray names. */
export function arbitraryDefinition(depth: number): fc.Arbitrary<Definition> {
  return arbitraryOf(definitionShape, depth).map((value) => declareKnown(value as Definition));
}

export function declareKnown(definition: Definition): Definition {
  const at = [0, 1, 1, 1, 1] as const;
  const named = { name: KNOWN, doc: null, at };
  const table = {
    name: KNOWN,
    columns: [],
    primaryKey: { name: "", columns: [] },
    uniques: [],
    foreignKeys: [],
    checks: [],
    indexes: [],
  };
  const assert = {
    kind: "literal",
    type: { kind: "boolean", nullable: false },
    value: true,
  } as const;
  return {
    ...definition,
    enums: [...definition.enums, { ...named, values: [] }],
    models: [...definition.models, { ...named, was: null, timestamps: false, members: [], table }],
    validators: [
      ...definition.validators,
      { ...named, arguments: [], assert, error: { code: "", message: null } },
    ],
    runtimes: [...definition.runtimes, { ...named, default: false, path: "" }],
  };
}

function arbitraryObject(shape: ObjectShape, depth: number): fc.Arbitrary<unknown> {
  const fields = [...shape.fields];
  const model = Object.fromEntries(fields.map(([key, field]) => [key, arbitraryOf(field.shape, depth)]));
  const requiredKeys = fields.filter(([, field]) => !field.optional).map(([key]) => key);
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

/** Without depth left, only the variants that end soonest. */
function variantsAt(shape: UnionShape, depth: number): readonly ObjectShape[] {
  const variants = [...new Set(casesOf(shape).values())];
  if (depth > 0) return variants;
  const lowest = Math.min(...variants.map(heightOf));
  return variants.filter((variant) => heightOf(variant) === lowest);
}

const arbitraries = new Map<string, fc.Arbitrary<unknown>>();

function arbitraryNamed(shape: NamedShape, depth: number): fc.Arbitrary<unknown> {
  const key = `${shape.name} ${Math.max(depth, 0)}`;
  const known = arbitraries.get(key);
  if (known !== undefined) return known;
  const made = arbitraryOf(shape.body(), depth);
  arbitraries.set(key, made);
  return made;
}

function arbitraryScalar(shape: ScalarShape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case "text":
      return shape.names === null ? arbitraryText : fc.constant(KNOWN);
    case "integer":
      return fc.integer({ min: shape.minimum ?? -1000 });
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "literal":
      return fc.constant(shape.value);
    case "choice":
      return fc.constantFrom(...shape.values);
    case "either":
      return fc.oneof(...shape.alternatives.map(arbitraryScalar));
  }
}

const arbitraryText = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "a/b~c", "\ud800", "\u2028") },
);

// ---------------------------------------------------------------- shapes

/** Every named shape that can be reached, by its name. */
export function collectNamed(root: ShapeNode): ReadonlyMap<string, NamedShape> {
  const found = new Map<string, NamedShape>();
  const visit = (shape: ShapeNode): void => {
    if (shape.kind === "named") {
      const known = found.get(shape.name);
      if (known === shape) return;
      if (known !== undefined) throw new Error(`two shapes have the name ${shape.name}`);
      found.set(shape.name, shape);
    }
    childrenOf(shape).forEach(visit);
  };
  visit(root);
  return found;
}

function childrenOf(shape: ShapeNode): readonly ShapeNode[] {
  switch (shape.kind) {
    case "nullable":
    case "list":
      return [shape.of];
    case "tuple":
      return shape.items.map((item) => item.shape);
    case "object":
      return [...shape.fields.values()].map((field) => field.shape);
    case "union":
      return shape.variants;
    case "named":
      return [shape.body()];
    default:
      return [];
  }
}

/** How many levels the smallest value of a shape has. Circles are cut by asking again until nothing changes. */
const heights = new Map<string, number>();

function heightOf(shape: ShapeNode): number {
  if (heights.size === 0) computeHeights();
  return estimateHeight(shape);
}

function computeHeights(): void {
  const named = collectNamed(definitionShape);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, shape] of named) {
      const height = estimateHeight(shape.body());
      changed ||= height !== heights.get(name);
      heights.set(name, height);
    }
  }
}

function estimateHeight(shape: ShapeNode): number {
  switch (shape.kind) {
    case "named":
      return heights.get(shape.name) ?? Number.POSITIVE_INFINITY;
    case "union":
      return Math.min(...shape.variants.map(estimateHeight));
    case "object":
      return 1 + Math.max(0, ...childrenOf(shape).map(estimateHeight));
    case "tuple":
      return 1 + Math.max(0, ...childrenOf(shape).map(estimateHeight));
    default:
      return 0;
  }
}
