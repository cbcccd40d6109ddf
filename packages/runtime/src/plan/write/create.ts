// create: a row is inserted from a query, which finds the parents and looks up what the request names.

import { quoteName, quoteNames } from "@stoa/database";
import type { Assignment, CreateAction, Model } from "@stoa/definition";
import { type From, idColumn, idOf, tableOf } from "../../sql/from.js";
import { type Scope, withRecord } from "../../sql/scope.js";
import { assignedValue, defaultValue, nothingFound, writtenMember } from "./assign.js";
import type { CallOf } from "./builder.js";
import { type ImageRules, judge } from "./image.js";
import { NewRecord } from "./new-record.js";
import type { Lookup, Refusal } from "./program.js";

/** Where a write begins: what it can look at, and the tables and conditions it depends on. */
export interface Ground {
  readonly scope: Scope;
  readonly from: From;
}

/** Queries for WITH that write, and the reasons for which they may not. */
export interface Write {
  readonly heads: readonly string[];
  /** The name of the written rows: all their columns. */
  readonly rows: string;
  readonly refusals: readonly Refusal[];
  readonly lookups: readonly Lookup[];
  /** Branches that take note of something for later statements. */
  readonly notes?: readonly string[];
}

export interface WriteOptions {
  /** Numbers the action within its program. */
  readonly index: number;
  readonly call: CallOf;
  /** Keeps the names of several writes in one statement apart. */
  readonly suffix?: string;
  /** Rules about the new record, to be asked before it is written. */
  readonly image?: ImageRules | null;
}

export const ROWS = quoteName("$rows");
const LINK = quoteName("$link");

export function rowsName(suffix = ""): string {
  return quoteName(`$rows${suffix}`);
}

export function writeCreate(action: CreateAction, ground: Ground, options: WriteOptions): Write {
  const { scope, from } = ground;
  const { suffix = "" } = options;
  const model = scope.context.model(action.model);
  const columns = columnsOfCreate(action, model, ground, options);
  const { lookups, refusals } = addLookups(action.assignments, model, ground);
  const link = action.link === null ? null : linkOfCreate(action.link, ground);
  if (link !== null) from.where(`not (${link.isTaken})`);
  const rows = rowsName(suffix);
  const { insert, heads, refused } = insertOf(columns, model, ground, options);
  const taken = link === null ? [] : [{ mark: "'t'", condition: link.wasTaken, isAfter: true }];
  return {
    heads: [...heads, `${rows} as (${insert})`, ...(link === null ? [] : [link.head])],
    rows,
    refusals: [...refusals, ...refused, ...taken],
    lookups,
  };
}

/** From the query that makes the values; where rules are to be asked about them, from those rows that they allow. */
function insertOf(
  columns: readonly [string, string][],
  model: Model,
  { scope, from }: Ground,
  { image = null, suffix = "" }: WriteOptions,
): { readonly insert: string; readonly heads: readonly string[]; readonly refused: readonly Refusal[] } {
  const names = quoteNames(columns.map(([name]) => name));
  const into = `insert into ${tableOf(model)}`;
  if (columns.length === 0) {
    const id = quoteName(idColumn(model));
    const insert = `${into} (${id}) overriding user value select null${from.render()} returning *`;
    return { insert, heads: [], refused: [] };
  }
  if (image === null) {
    const values = columns.map(([, sql]) => sql).join(", ");
    return {
      insert: `${into} (${names}) select ${values}${from.render()} returning *`,
      heads: [],
      refused: [],
    };
  }
  const render = (all: readonly string[]) => `select ${all.join(", ")}${from.render()}`;
  const judged = judge(image, { model, scope, written: columns, old: null, render }, suffix);
  const insert = `${into} (${names}) select ${names} from ${judged.allowed} v returning *`;
  return { insert, heads: judged.heads, refused: [judged.refusal] };
}

function columnsOfCreate(
  action: CreateAction,
  model: Model,
  ground: Ground,
  options: WriteOptions,
): [string, string][] {
  const { columns } = newRecord(action, model, ground, options);
  return [...columns].map(([column, write]) => [column, write()]);
}

/** The record that is to be written, as `this`; each column is an expression that is made when it is asked for. */
export function newRecord(
  { assignments }: CreateAction,
  model: Model,
  { scope, from }: Ground,
  { index, call }: WriteOptions,
): { readonly scope: Scope; readonly columns: ReadonlyMap<string, () => string> } {
  const columns = new Map<string, () => string>();
  const inner = withRecord(scope, new NewRecord(model, from, columns));
  for (const member of model.members) {
    const value = member.kind === "field" ? defaultValue(member, inner) : null;
    if (member.kind === "field" && value !== null) columns.set(member.column, () => value);
  }
  for (const assignment of assignments) {
    const { column } = writtenMember(model, assignment.member);
    columns.set(column, () => assignedValue(assignment, model, inner, call));
  }
  const id = idColumn(model);
  const isOwn = model.table.columns.find(({ name }) => name === id)?.generated === "uuid";
  if (isOwn) columns.set(id, () => scope.context.parameter({ kind: "new id", action: index }));
  return { scope: inner, columns };
}

/** What was not found is told, all of it, and then nothing is written. */
export function addLookups(
  assignments: readonly Assignment[],
  model: Model,
  { scope, from }: Ground,
  first = 0,
) {
  const found = assignments.filter((assignment) => assignment.kind === "lookup");
  const refusals = found.map((assignment, index): Refusal => {
    return { mark: `'l${first + index}'`, condition: nothingFound(assignment, model, scope) };
  });
  for (const assignment of found) from.where(`not (${nothingFound(assignment, model, scope)})`);
  return { lookups: found.map(({ field }): Lookup => ({ field })), refusals };
}

/**
 * A record that is created through a reference, which is then set to it. The owner is a record that was kept, so
 * that the second query can look at it as well.
 */
function linkOfCreate({ record, reference }: NonNullable<CreateAction["link"]>, { scope }: Ground) {
  const owner = scope.emitter.record(record, scope);
  const { column, to } = referenceOf(owner.model, reference);
  const made = `${ROWS}.${quoteName(idColumn(scope.context.model(to)))}`;
  const isFree = `u.${quoteName(column)} is null`;
  const target = `u.${quoteName(idColumn(owner.model))} = ${idOf(owner)}`;
  const update = `update ${tableOf(owner.model)} u set ${quoteName(column)} = ${made} from ${ROWS} where ${target} and ${isFree} returning 1`;
  const isTaken = `${owner.column(column)} is not null`;
  // Another request may have come in between: then there is a new record that nothing points at.
  const wasTaken = `${isTaken} or (exists (select 1 from ${ROWS}) and not exists (select 1 from ${LINK}))`;
  return { head: `${LINK} as (${update})`, isTaken, wasTaken };
}

function referenceOf(model: Model, name: string) {
  const member = writtenMember(model, name);
  if (member.kind !== "reference") throw new Error(`\`${model.name}.${name}\` is no reference.`);
  return member;
}
