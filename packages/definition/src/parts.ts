// The parts of a value, as its shape sees them.

import { casesOf, type ObjectShape, type PlainShape, type ShapeNode } from "./shape.js";

export interface Part {
  readonly key: string | number;
  readonly value: unknown;
  readonly shape: ShapeNode;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** In the order of the shape, without optional keys that are absent. The value must fit the shape. */
export function partsOf(value: unknown, shape: PlainShape): readonly Part[] {
  if (shape.kind === "list" && Array.isArray(value)) {
    return value.map((item: unknown, index) => ({ key: index, value: item, shape: shape.of }));
  }
  if (shape.kind === "tuple" && Array.isArray(value)) {
    return shape.items.map((item, index) => ({ key: index, value: value[index], shape: item.shape }));
  }
  if (shape.kind === "object" && isObject(value)) return partsOfObject(value, shape);
  if (shape.kind === "union" && isObject(value)) {
    const variant = casesOf(shape).get(String(value.kind));
    if (variant !== undefined) return partsOfObject(value, variant);
  }
  throw new Error(`the value does not fit its shape, which is: ${shape.kind}`);
}

function partsOfObject(value: JsonObject, shape: ObjectShape): Part[] {
  const parts: Part[] = [];
  for (const [key, field] of shape.fields) {
    if (!field.optional || Object.hasOwn(value, key))
      parts.push({ key, value: value[key], shape: field.shape });
  }
  return parts;
}
