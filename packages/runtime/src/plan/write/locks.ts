// Which rows a program locks, and when. What an action decides by or computes from, and a later one changes, has to
// be the same version of a row: so it is locked before the first of them looks at it. Locks are no stronger than what
// is done to the row: whoever only points at it (a foreign key) need not wait for a change of its other columns.

import type { Action, Definition, DeleteAction, Expression, UpdateAction } from "@stoa/definition";
import type { Place } from "../place.js";
import { boundEntrypoints } from "./allowed.js";
import { computesFromMany, readsCopy, readsRows } from "./reads.js";

/** For rows that stay: does not get in the way of foreign keys that point at them. */
export const LOCK_TO_CHANGE = "for no key update";
/** For rows that go. */
export const LOCK_TO_DELETE = "for update";

/** The lock for a row of a model that the actions may write. */
export function lockFor(actions: readonly Action[], model: string): string {
  return actions.some((action) => deletes(action, model)) ? LOCK_TO_DELETE : LOCK_TO_CHANGE;
}

function deletes(action: Action, model: string): boolean {
  if (action.kind === "delete") return action.model === model;
  return action.kind === "query" && action.operation.kind === "delete" && action.query.model === model;
}

/** Rows of one model, locked by one statement. */
export interface RowLock {
  readonly model: string;
  readonly targets: readonly Expression[];
  readonly lock: string;
}

/** A change of one record that an expression leads to. */
interface RecordChange {
  readonly index: number;
  readonly action: UpdateAction | DeleteAction;
  readonly root: Extract<Expression, { kind: "variable" }>;
  /** The same for all changes of the record by the same name. */
  readonly key: string;
}

function changesOf(actions: readonly Action[]): readonly RecordChange[] {
  return actions.flatMap((action, index) => {
    if (action.kind !== "update" && action.kind !== "delete") return [];
    const root = action.target.type.kind === "record" ? rootOf(action.target) : null;
    return root === null ? [] : [{ index, action, root, key: JSON.stringify(action.target) }];
  });
}

/** Where a path begins. */
function rootOf(path: Expression): RecordChange["root"] | null {
  if (path.kind === "variable") return path;
  return path.kind === "member" ? rootOf(path.on) : null;
}

/** Aliases of records of the path that are locked when they are found. */
export function lockedOfPath({ endpoint, entrypoints }: Place): readonly string[] {
  const { actions } = endpoint;
  const bound = boundEntrypoints({ endpoint, entrypoints });
  const own = endpoint.cardinality === "one" && writes(actions) ? bound.at(-1) : undefined;
  const changes = changesOf(actions);
  return bound
    .filter((entrypoint) => {
      const { alias, model } = entrypoint;
      if (entrypoint === own) return true;
      // The alias is a copy, which is of no use to decide by unless nobody changes the record meanwhile.
      return changes.some(({ index, action, root }) => {
        const isOther = action.target.kind === "variable" && root.name !== alias;
        if (action.model !== model || isOther) return false;
        return actions.slice(0, index + 1).some((each) => readsCopy(each, alias));
      });
    })
    .map(({ alias }) => alias);
}

function writes(actions: readonly Action[]): boolean {
  return actions.some(({ kind }) => kind !== "respond" && kind !== "validate");
}

/** What is locked by statements of their own, by the action before which they stand. */
export function locksBefore(
  definition: Pick<Definition, "models">,
  { endpoint }: Pick<Place, "endpoint">,
): ReadonlyMap<number, readonly RowLock[]> {
  const { actions } = endpoint;
  const changes = changesOf(actions).filter(({ action, root }) => {
    // Records that have a name are locked when they get it, but for the user.
    return action.target.kind === "member" || root.variable === "auth";
  });
  const held = new Set<string>();
  const locks = new Map<number, readonly RowLock[]>();
  for (const [index, action] of actions.entries()) {
    const own = changes.find((change) => change.index === index);
    const due = changes.filter((change) => {
      if (held.has(change.key) || index <= definedBy(change.root, actions)) return false;
      if (change.index === index) return computesFromMany(action, definition);
      if (change.index < index || change.key === own?.key) return false;
      return readsRows(action, change.action.model, definition);
    });
    if (due.length > 0) locks.set(index, grouped(due, actions));
    for (const { key } of due) held.add(key);
    if (own !== undefined) held.add(own.key);
  }
  return locks;
}

/** The action that gives an alias; -1 for what is known from the beginning. */
function definedBy({ variable, name }: RecordChange["root"], actions: readonly Action[]): number {
  if (variable !== "alias") return -1;
  return actions.findIndex((action) => "alias" in action && action.alias === name);
}

/** By model, in the order of their names: the same for every endpoint. */
function grouped(due: readonly RecordChange[], actions: readonly Action[]): readonly RowLock[] {
  const models = [...new Set(due.map(({ action }) => action.model))].sort();
  return models.map((model) => {
    const targets = new Map(
      due.filter(({ action }) => action.model === model).map(({ key, action }) => [key, action.target]),
    );
    return { model, targets: [...targets.values()], lock: lockFor(actions, model) };
  });
}
