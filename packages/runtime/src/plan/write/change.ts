// update and delete: the record is found and locked by a query, and then changed by its id. What is calculated
// from a locked record cannot be overtaken by another request.

import { quoteName } from "@stoa/database";
import type { Assignment, DeleteAction, Expression, Model, UpdateAction } from "@stoa/definition";
import { type From, idColumn, idOf, type SqlRecord, TableRecord, tableOf } from "../../sql/from.js";
import { addRecord } from "../../sql/query.js";
import { columnsOfUpdate, writtenMember } from "./assign.js";
import type { CallOf } from "./builder.js";
import { addLookups, type Ground, ROWS, rowsName, type Write } from "./create.js";
import { type ImageRules, judge } from "./image.js";
import { LOCK_TO_CHANGE, LOCK_TO_DELETE } from "./locks.js";
import type { Refusal } from "./program.js";

export interface ChangeOptions {
  readonly call: CallOf;
  readonly isOptional: (field: readonly string[]) => boolean;
  /** Keeps the names of several writes in one statement apart. */
  readonly suffix?: string;
  /** Rules about the record as it will be, to be asked before it is written. */
  readonly image?: ImageRules | null;
  /** A row that the statement has found and locked already. */
  readonly locked?: LockedRow | null;
}

/** Adds a row that another query of the statement has found and locked. */
export type LockedRow = (from: From) => TableRecord;

const FOUND = "s";
const ID = quoteName("$id");

export function writeUpdate(action: UpdateAction, ground: Ground, options: ChangeOptions): Write {
  const target = options.locked?.(ground.from) ?? targetRow(action.target, ground);
  const { lookups, refusals } = addLookups(action.assignments, target.model, ground);
  const { heads, update, refused } = changeOfRows(action.assignments, target, ground, options);
  const rows = rowsName(options.suffix);
  return {
    heads: [...heads, `${rows} as (${update})`],
    rows,
    refusals: [...refusals, ...refused],
    lookups,
  };
}

/** Changes all rows that a query finds, each by its own values. */
export function changeRows(
  assignments: readonly Assignment[],
  target: TableRecord,
  ground: Ground,
  options: ChangeOptions,
): string {
  return changeOfRows(assignments, target, ground, { ...options, image: null }).update;
}

function changeOfRows(
  assignments: readonly Assignment[],
  target: TableRecord,
  { scope, from }: Ground,
  options: ChangeOptions,
): { readonly update: string; readonly heads: readonly string[]; readonly refused: readonly Refusal[] } {
  const { model } = target;
  const written = columnsOfUpdate(assignments, { model, old: target, scope, ...options });
  const render = (columns: readonly string[]) => {
    const found = [`${idOf(target)} as ${ID}`, ...columns].join(", ");
    return `select ${found}${from.render()}${options.locked ? "" : ` ${LOCK_TO_CHANGE} of ${target.tableName()}`}`;
  };
  // A statement has to write something to give the row back, even if the request changes nothing.
  const sets = written.map(([column]) => `${quoteName(column)} = ${FOUND}.${quoteName(column)}`);
  if (sets.length === 0) sets.push(unchanged(model));
  const update = (source: string) =>
    `update ${tableOf(model)} u set ${sets.join(", ")} from ${source} ${FOUND} where ${isFound(model)} returning u.*`;
  const { image = null, suffix = "" } = options;
  if (image === null) {
    const query = render(written.map(([column, sql]) => `${sql} as ${quoteName(column)}`));
    return { update: update(`(${query})`), heads: [], refused: [] };
  }
  const judged = judge(image, { model, scope, written, old: target, render }, suffix);
  return { update: update(judged.allowed), heads: judged.heads, refused: [judged.refusal] };
}

function unchanged(model: Model): string {
  const column = model.table.columns.find(({ name }) => name !== idColumn(model))?.name ?? idColumn(model);
  return `${quoteName(column)} = u.${quoteName(column)}`;
}

function isFound(model: Model): string {
  return `u.${quoteName(idColumn(model))} = ${FOUND}.${ID}`;
}

/** The row that an expression names: the one that the query has already found, or joined by its id. */
function targetRow(target: Expression, { scope, from }: Ground): TableRecord {
  const record = target.kind === "variable" ? scope.emitter.record(target, scope) : undefined;
  const row = record instanceof TableRecord ? record : addRecord(target, scope, from);
  if (!(row instanceof TableRecord)) throw new Error("The target of a write is no row.");
  return row;
}

export interface DeleteOptions {
  readonly suffix?: string;
  readonly locked?: LockedRow | null;
  /** The reference that leads to the record and is cleared: its owner, and its name. */
  readonly clears: { readonly owner: SqlRecord; readonly reference: string } | null;
}

export function writeDelete(action: DeleteAction, ground: Ground, options: DeleteOptions): Write {
  const { clears, suffix, locked = null } = options;
  const target =
    action.target.type.kind === "collection"
      ? collectionRow(action.target, ground)
      : (locked?.(ground.from) ?? targetRow(action.target, ground));
  const rows = rowsName(suffix);
  const heads = [`${rows} as (${deleteRows(target, ground.from, locked !== null)})`];
  if (clears !== null) heads.push(clearReference(clears));
  return { heads, rows, refusals: [], lookups: [] };
}

function collectionRow(target: Expression, { scope, from }: Ground): TableRecord {
  const { element } = scope.emitter.collection(target, scope, from);
  if (element.kind !== "record" || !(element.record instanceof TableRecord)) {
    throw new Error("The target of a delete has no rows.");
  }
  return element.record;
}

export function deleteRows(target: TableRecord, from: From, isLocked = false): string {
  const { model } = target;
  const lock = isLocked ? "" : ` ${LOCK_TO_DELETE} of ${target.tableName()}`;
  const query = `select ${idOf(target)} as ${ID}${from.render()}${lock}`;
  return `delete from ${tableOf(model)} u using (${query}) ${FOUND} where ${isFound(model)} returning u.*`;
}

/** Foreign keys are checked at the end of the statement, when both rows are in order. */
function clearReference({ owner, reference }: NonNullable<DeleteOptions["clears"]>): string {
  const { column } = writtenMember(owner.model, reference);
  const isOwner = `u.${quoteName(idColumn(owner.model))} = ${idOf(owner)}`;
  const wasDeleted = `u.${quoteName(column)} in (select ${quoteName(idColumn(owner.model))} from ${ROWS})`;
  return `${quoteName("$clear")} as (update ${tableOf(owner.model)} u set ${quoteName(column)} = null where ${isOwner} and ${wasDeleted} returning 1)`;
}
