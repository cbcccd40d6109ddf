// Which endpoint became which. The address decides, since that is what clients know; an endpoint whose address is gone
// may be found again by what it is: the same kind of endpoint of the same resource.

import type { Operation } from "../outline/operations.js";
import type { Renames } from "./renames.js";

export interface OperationPair {
  readonly before: Operation;
  readonly after: Operation;
}

export interface Pairing {
  readonly pairs: readonly OperationPair[];
  readonly added: readonly Operation[];
  readonly removed: readonly Operation[];
}

type KeyOf = (operation: Operation, renames: Renames | null) => string;

/** From the strongest claim to the weakest. */
const KEYS: readonly KeyOf[] = [
  ({ endpoint }) => `${endpoint.method} ${addressOf(endpoint.path)}`,
  (operation, renames) =>
    `${apiOf(operation)} ${resourcesOf(operation, renames)} ${operation.endpoint.method} ${ownPath(operation)}`,
  (operation, renames) => `${apiOf(operation)} ${resourcesOf(operation, renames)} ${ownPath(operation)}`,
  (operation, renames) => `${resourcesOf(operation, renames)} ${ownPath(operation)}`,
];

export function pairOperations(
  before: readonly Operation[],
  after: readonly Operation[],
  renames: Renames,
): Pairing {
  const found = new Map<Operation, Operation>();
  const used = new Set<Operation>();
  for (const keyOf of KEYS) {
    const old = byKey(
      before.filter((operation) => !used.has(operation)),
      (each) => keyOf(each, null),
    );
    const now = byKey(
      after.filter((operation) => !found.has(operation)),
      (each) => keyOf(each, renames),
    );
    for (const [key, [operation, ...others]] of now) {
      const [source, ...rivals] = old.get(key) ?? [];
      if (!operation || !source || others.length > 0 || rivals.length > 0) continue;
      found.set(operation, source);
      used.add(source);
    }
  }
  return {
    pairs: [...found].map(([now, old]) => ({ before: old, after: now })),
    added: after.filter((operation) => !found.has(operation)),
    removed: before.filter((operation) => !used.has(operation)),
  };
}

function byKey(operations: readonly Operation[], keyOf: (operation: Operation) => string) {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const key = keyOf(operation);
    groups.set(key, [...(groups.get(key) ?? []), operation]);
  }
  return groups;
}

/** The names of parameters are nobody's concern. */
export function addressOf(path: string): string {
  return path.replace(/\{[^}]*\}/g, "{}");
}

function apiOf({ group, entrypoints }: Operation): string {
  return group.path.length > entrypoints.length ? String(group.path[0]) : "";
}

/** `Author.books`, by the old names. */
function resourcesOf({ entrypoints }: Operation, renames: Renames | null): string {
  return entrypoints
    .map(({ resource, target }, index) => {
      if (renames === null) return resource;
      if (target.kind === "model") return renames.modelBefore(resource);
      return renames.memberBefore(entrypoints[index - 1]?.model ?? "", resource);
    })
    .join(".");
}

/** Built-in endpoints are told by their kind, custom ones by what stands after the address of their entrypoint. */
function ownPath({ endpoint }: Operation): string {
  const { kind, cardinality, path } = endpoint;
  return kind === "custom" ? `${cardinality} ${path.slice(path.lastIndexOf("/"))}` : kind;
}
