// Selects as SQL: the columns of a record's JSON. A nested record or collection is a query of its own within
// its column, so that it costs nothing for records that are not shown.

import { quoteName } from "@stoa/database";
import type { Expression, HookArgument, Select, SelectItem } from "@stoa/definition";
import { From, idOf, type SqlRecord } from "./from.js";
import { columnList, jsonValue, ROW, rowObject } from "./json.js";
import { addQuery, addRecord, totalOrder } from "./query.js";
import { type Collection, renderOrder, type Scope, withRecord } from "./scope.js";

/** `expression as "name"` for each item; what a hook needs stands in its place. */
export function selectColumns(select: Select, record: SqlRecord, scope: Scope): string {
  const inner = withRecord(scope, record);
  return columnList(select.items.map((item) => ({ name: item.name, sql: itemValue(item, record, inner) })));
}

/** `(select row_to_json(…) …)`: one object, or null where the query finds nothing. */
export function objectOf(columns: string, from: From): string {
  return `(select ${rowObject(columns)} from (select ${columns}${from.render()}) ${ROW})`;
}

function itemValue(item: SelectItem, record: SqlRecord, scope: Scope): string {
  switch (item.kind) {
    case "value":
      return emitProperty(item.value, scope);
    case "nested":
      return item.many ? nestedMany(item, scope) : nestedOne(item, scope);
    case "hook":
      return hookArguments(item.hook, record, scope);
  }
}

/** A value in its JSON form; records, inside objects and lists, are their direct fields. */
export function emitProperty(value: Expression, scope: Scope): string {
  if (value.kind === "struct") {
    const entries = value.entries.map((entry) => ({
      name: entry.name,
      sql: emitProperty(entry.value, scope),
    }));
    return objectOf(columnList(entries), new From(scope.context));
  }
  if (value.kind === "array") {
    return `json_build_array(${value.items.map((item) => emitProperty(item, scope)).join(", ")})`;
  }
  if (value.type.kind === "record") {
    const from = new From(scope.context);
    return objectOf(directColumns(addRecord(value, scope, from)), from);
  }
  if (value.type.kind === "collection") return emitList(value, scope);
  return jsonValue(scope.emitter.value(value, scope), value.type);
}

/** A path that ends in many: the array of its values. */
function emitList(value: Expression, scope: Scope): string {
  const from = new From(scope.context);
  const collection = scope.emitter.collection(value, scope, from);
  const { element, order } = collection;
  if (element.kind === "record") return rowsOf(collection, directColumns, from);
  const orderBy = renderOrder(order);
  const sql = jsonValue(element.sql, element.type);
  const items = `select ${sql} as item${from.render()}${orderBy === "" ? "" : ` order by ${orderBy}`}`;
  return orNull(collection, `(select coalesce(json_agg(v.item), '[]'::json) from (${items}) v)`);
}

function orNull({ nullWhen }: Pick<Collection, "nullWhen">, sql: string): string {
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

function rowsOf(collection: Collection, columnsOf: (record: SqlRecord) => string, from: From): string {
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

function hookArguments(name: string, record: SqlRecord, scope: Scope): string {
  const member = record.model.members.find((each) => each.name === name);
  if (member?.kind !== "hook") throw new Error(`\`${record.model.name}.${name}\` is no hook.`);
  const columns = member.hook.arguments.map(
    (argument) => `${argumentValue(argument, record, scope)} as ${quoteName(argument.name)}`,
  );
  return columns.length === 0 ? "'{}'::json" : objectOf(columns.join(", "), new From(scope.context));
}

function argumentValue({ value }: HookArgument, record: SqlRecord, scope: Scope): string {
  if (value.kind === "expression") return argumentExpression(value.expression, record, scope);
  const { query, select } = value;
  const from = new From(scope.context);
  if (query === null) return objectOf(selectColumns(select, record, scope), from);
  const step = addQuery(query, record, scope, from);
  const columnsOf = (shown: SqlRecord) => selectColumns(select, shown, scope);
  if (query.result.kind === "many") return rowsOf({ ...step, nullWhen: null }, columnsOf, from);
  if (step.element.kind !== "record") throw new Error("The query of a hook has no records.");
  return objectOf(selectColumns(select, step.element.record, scope), from);
}

/** Code gets records as their direct fields. */
function argumentExpression(expression: Expression, record: SqlRecord, scope: Scope): string {
  if (expression.type.kind !== "record") return emitProperty(expression, scope);
  const from = new From(scope.context);
  const target = addRecord(expression, withRecord(scope, record), from);
  return objectOf(directColumns(target), from);
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
