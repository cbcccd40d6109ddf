// Single mistakes, as a hand could make them in a definition.

import fc from "fast-check";

export interface Mutant {
  readonly value: unknown;
  readonly did: "delete" | "add key" | "add item" | "replace" | "rename kind";
  /** JSON pointers of the changed object or list, and of what was changed in it. */
  readonly container: string;
  readonly place: string;
}

/** A value with one mistake in it, anywhere. */
export function arbitraryMutant(value: unknown, kinds: readonly string[]): fc.Arbitrary<Mutant> {
  return fc
    .constantFrom(...collectContainers(value, ""))
    .chain((container) => fc.oneof(...listChanges(container, kinds)).map((change) => ({ container, change })))
    .map(({ container: { pointer }, change: { did, key, ...change } }) => {
      const copy: unknown = JSON.parse(JSON.stringify(value));
      const target = lookUp(copy, pointer);
      if ("to" in change) define(target, key, change.to);
      else if (Array.isArray(target)) target.splice(Number(key), 1);
      else Reflect.deleteProperty(target, key);
      return { value: copy, did, container: pointer, place: pointer + toSegment(key) };
    });
}

interface Change {
  readonly did: Mutant["did"];
  readonly key: string;
  /** Absent: the key is deleted. */
  readonly to?: unknown;
}

function listChanges({ keys, isList }: Container, kinds: readonly string[]): fc.Arbitrary<Change>[] {
  const other = fc.constantFrom<unknown>(null, true, 0, -1, 1.5, "", "x", [], [1], {}, { kind: "x" });
  const newKey = isList
    ? fc.constant(String(keys.length))
    : fc.constantFrom("x", "__proto__", "constructor", "toString", "kinds", "a/b~c", "");
  const change = (did: Change["did"], rest: { key: fc.Arbitrary<string>; to?: fc.Arbitrary<unknown> }) =>
    fc.record({ did: fc.constant(did), ...rest });
  const changes = [change(isList ? "add item" : "add key", { key: newKey, to: other })];
  if (keys.length > 0) {
    const key = fc.constantFrom(...keys);
    changes.push(change("delete", { key }), change("replace", { key, to: other }));
  }
  if (!isList && keys.includes("kind")) {
    changes.push(change("rename kind", { key: fc.constant("kind"), to: fc.constantFrom(...kinds, "x") }));
  }
  return changes;
}

/** Unlike an assignment, this makes `__proto__` a key like any other. */
function define(target: object, key: string, value: unknown): void {
  Reflect.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

interface Container {
  readonly pointer: string;
  readonly keys: readonly string[];
  readonly isList: boolean;
}

function collectContainers(value: unknown, pointer: string): Container[] {
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  return [
    { pointer, keys: entries.map(([key]) => key), isList: Array.isArray(value) },
    ...entries.flatMap(([key, item]) => collectContainers(item, pointer + toSegment(key))),
  ];
}

function toSegment(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The object or list that a JSON pointer names. */
function lookUp(value: unknown, pointer: string): object {
  const keys = pointer.split("/").slice(1);
  const found = keys.reduce<unknown>((inner, segment) => {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined;
  }, value);
  if (typeof found !== "object" || found === null) throw new Error(`nothing at ${pointer}`);
  return found;
}
