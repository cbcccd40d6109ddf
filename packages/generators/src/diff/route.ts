// How an endpoint is reached: method, address, what identifies records, and its name in generated clients.

import type { Identify } from "@stoa/definition";
import { printType } from "@stoa/definition";
import type { Operation } from "../outline/operations.js";
import type { Finding } from "./change.js";
import { type Comparison, definitionsOf, typePair } from "./comparison.js";
import * as say from "./endpoint-messages.js";
import { addressOf } from "./pairs.js";
import type { Renames } from "./renames.js";
import { relateTypes } from "./value-types.js";

export function compareRoutes(comparison: Comparison): Finding[] {
  const { before, after } = comparison;
  const [old, now] = [before.operation, after.operation];
  const isMoved = addressOf(old.endpoint.path) !== addressOf(now.endpoint.path);
  // A new address means a new name; only a new name alone is worth a line.
  const isRenamed = old.id !== now.id && !isMoved;
  return [
    ...(isMoved ? [say.pathChanged(old.endpoint.path, now.endpoint.path)] : []),
    ...(old.endpoint.method === now.endpoint.method
      ? []
      : [say.methodChanged(old.endpoint.method, now.endpoint.method)]),
    ...(isRenamed ? [say.operationRenamed(old.id, now.id)] : []),
    ...compareIdentifiers(comparison),
  ];
}

interface Identifier {
  readonly identify: Identify;
  /** `slug` of the model, by its old name. */
  readonly path: string;
}

function compareIdentifiers(comparison: Comparison): Finding[] {
  const { before, after, renames } = comparison;
  const [old, now] = [identifiersOf(before.operation, null), identifiersOf(after.operation, renames)];
  // Where a record is reached by other steps, the address says it all.
  if (old.length !== now.length) return [];
  return now.flatMap((identifier, index) => {
    const source = old[index];
    return source ? compareIdentifier(comparison, source, identifier) : [];
  });
}

function compareIdentifier(comparison: Comparison, before: Identifier, after: Identifier): Finding[] {
  const [old, now] = [before.identify.path.join("."), after.identify.path.join(".")];
  if (before.path !== after.path) return [say.identifierChanged(old, now)];
  const types = { before: before.identify.type, after: after.identify.type };
  const relation = relateTypes(typePair(definitionsOf(comparison), types), "text");
  const words = { before: printType(types.before), after: printType(types.after) };
  if (relation !== "same") return [say.identifierType(now, words, relation === "wider")];
  const [oldName, newName] = [before.identify.parameter, after.identify.parameter];
  return oldName === newName ? [] : [say.identifierRenamed(oldName, newName)];
}

/** Those that stand in the path. */
function identifiersOf({ entrypoints, endpoint }: Operation, renames: Renames | null): Identifier[] {
  const inPath = endpoint.cardinality === "one" ? entrypoints : entrypoints.slice(0, -1);
  return inPath.flatMap(({ identify, model }) => {
    if (identify === null) return [];
    const [first = "", ...rest] = identify.path;
    const path = [renames?.memberBefore(model, first) ?? first, ...rest].join(".");
    return [{ identify, path }];
  });
}
