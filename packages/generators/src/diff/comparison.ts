// What all comparisons of two endpoints know.

import { type Definition, enumValuesOf, type ValueType } from "@stoa/definition";
import type { Operation } from "../outline/operations.js";
import type { Outline } from "../outline/outline.js";
import type { View } from "./meaning.js";
import type { Renames } from "./renames.js";
import type { TypePair } from "./value-types.js";

export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly renames: Renames;
  /** `POST /api/author`, as it is now. */
  readonly where: string;
}

export interface Side extends ShownSide {
  readonly operation: Operation;
}

/** As much as is needed to compare what is shown. */
export interface Shown {
  readonly before: ShownSide;
  readonly after: ShownSide;
  readonly renames: Renames;
}

export interface ShownSide {
  readonly outline: Outline;
  readonly view: View;
}

export function placeOf({ endpoint }: Operation): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** Aliases are told by where they stand: another name for the same record is no change. */
export function aliasesOf({ entrypoints, endpoint }: Operation): Map<string, string> {
  const records = entrypoints.map(({ alias }, index) => [alias, `record ${index}`] as const);
  const results = endpoint.actions.flatMap((action, index) =>
    "alias" in action && action.alias !== null ? [[action.alias, `result ${index}`] as const] : [],
  );
  return new Map([...results, ...records]);
}

export function typePair(
  { before, after }: { readonly before: Definition; readonly after: Definition },
  types: { readonly before: ValueType; readonly after: ValueType },
): TypePair {
  return { ...types, valuesBefore: enumValuesOf(before), valuesAfter: enumValuesOf(after) };
}

export function definitionsOf({ before, after }: Shown) {
  return { before: before.outline.definition, after: after.outline.definition };
}
