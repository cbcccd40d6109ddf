// Selects as SQL: the columns of a record's JSON. A nested record or collection is a query of its own within
// its column, so that it costs nothing for records that are not shown.

import type { Select, SelectItem } from "@stoa/definition";
import { From, idOf, type SqlRecord } from "./from.js";
import { columnList, jsonValue, ROW, rowObject } from "./json.js";
import { addRecord, totalOrder } from "./query.js";
import { type Collection, renderOrder, type Scope, withRecord } from "./scope.js";

/** `expression as "name"` for each item; what a hook needs stands in its place. */
export function selectColumns(select: Select, record: SqlRecord, scope: Scope): string {
  const inner = { ...withRecord(scope, record), strict: null };
  return columnList(select.items.map((item) => ({ name: item.name, sql: itemValue(item, record, inner) })));
}

/** `(select row_to_json(…) …)`: one object, or null where the query finds nothing. */
export function objectOf(columns: string, from: From): string {
  return `(select ${rowObject(columns)} from (select ${columns}${from.render()}) ${ROW})`;
}

function itemValue(item: SelectItem, record: SqlRecord, scope: Scope): string {
  switch (item.kind) {
    case "value":
      return scope.emitter.json(item.value, scope);
    case "nested":
      return item.many ? nestedMany(item, scope) : nestedOne(item, scope);
    case "hook":
      return hookArguments(item.hook, record, scope);
  }
}

export function orNull({ nullWhen }: Pick<Collection, "nullWhen">, sql: string): string {
  return nullWhen === null ? sql : `case when ${nullWhen} then null else ${sql} end`;
}

type NestedItem = Extract<SelectItem, { kind: "nested" }>;

function nestedOne({ value, select }: NestedItem, scope: Scope): string {
  const from = new From(scope.context);
  const record = addRecord(value, scope, from);
  return objectOf(selectColumns(select, record, scope), from);
}

function nestedMany({ value, select }: NestedItem, scope: Scope): string {
  const from = new From(scope.context);
  const collection = scope.emitter.collection(value, scope, from);
  return rowsOf(collection, (record) => selectColumns(select, record, scope), from);
}

export function rowsOf(collection: Collection, columnsOf: (record: SqlRecord) => string, from: From): string {
  const { element, order } = collection;
  if (element.kind !== "record") throw new Error("The nested select has no records.");
  const { record } = element;
  if (record.isNullable) from.where(`${idOf(record)} is not null`);
  const columns = columnsOf(record);
  const orderBy = renderOrder(totalOrder(order, record));
  const rows = `select ${columns}${from.render()} order by ${orderBy}`;
  const list = `(select coalesce(json_agg(${rowObject(columns)}), '[]'::json) from (${rows}) ${ROW})`;
  return orNull(collection, list);
}

/** Where a hook stands, the arguments that it is called with. */
function hookArguments(name: string, record: SqlRecord, scope: Scope): string {
  const member = record.model.members.find((each) => each.name === name);
  if (member?.kind !== "hook") throw new Error(`\`${record.model.name}.${name}\` is no hook.`);
  return scope.emitter.arguments(member.hook, scope);
}

/** All direct fields that are no secrets. */
export function directColumns(record: SqlRecord): string {
  const columns = record.model.members.flatMap((member) => {
    if (member.kind !== "id" && member.kind !== "field" && member.kind !== "key") return [];
    if (member.kind === "field" && member.secret) return [];
    return [{ name: member.name, sql: jsonValue(record.column(member.column), member.type) }];
  });
  return columnList(columns);
}
