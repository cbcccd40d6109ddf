// Any expression as JSON: the body of an answer, the arguments of code. Records are their direct fields, unless
// the query that found them says otherwise.

import type { Expression, Hook, HookArgument, Select } from "@stoa/definition";
import { From, idOf, type SqlRecord } from "./from.js";
import { columnList, jsonValue, ROW, rowObject } from "./json.js";
import { addQuery, addRecord } from "./query.js";
import { type Collection, renderOrder, type Scope } from "./scope.js";
import { directColumns, objectOf, orNull, rowsOf, selectColumns } from "./select.js";

export function emitJson(expression: Expression, scope: Scope): string {
  const { type } = expression;
  const shape = expression.kind === "variable" ? scope.shapes.get(expression.name) : undefined;
  if (expression.kind === "struct") {
    const entries = expression.entries.map(({ name, value }) => ({ name, sql: emitJson(value, scope) }));
    return objectOf(columnList(entries), new From(scope.context));
  }
  if (expression.kind === "array") {
    return `json_build_array(${expression.items.map((item) => emitJson(item, scope)).join(", ")})`;
  }
  if (type.kind === "record") return recordBody(expression, scope, shape);
  if (type.kind === "collection") return collectionBody(expression, scope, shape);
  return jsonValue(scope.emitter.value(expression, scope), type);
}

function recordBody(expression: Expression, scope: Scope, shape: Select | undefined): string {
  const record = scope.emitter.record(expression, scope);
  if (expression.kind === "variable") {
    // What an alias names is shown as it was, not as it is now.
    const columns = shape === undefined ? directColumns(record) : selectColumns(shape, record, scope);
    const object = objectOf(columns, new From(scope.context));
    return record.isNullable ? `case when ${idOf(record)} is not null then ${object} end` : object;
  }
  const from = new From(scope.context);
  const row = addRecord(expression, scope, from);
  return objectOf(shape === undefined ? directColumns(row) : selectColumns(shape, row, scope), from);
}

function collectionBody(expression: Expression, scope: Scope, shape: Select | undefined): string {
  const from = new From(scope.context);
  const collection = scope.emitter.collection(expression, scope, from);
  if (collection.element.kind === "value") return valuesBody(collection, from);
  const columnsOf = (record: SqlRecord) =>
    shape === undefined ? directColumns(record) : selectColumns(shape, record, scope);
  if (expression.kind !== "variable") return rowsOf(collection, columnsOf, from);
  // What a query action has found is kept in its order.
  const columns = columnsOf(collection.element.record);
  const rows = `select ${columns}${from.render()}`;
  return `(select coalesce(json_agg(${rowObject(columns)}), '[]'::json) from (${rows}) ${ROW})`;
}

function valuesBody(collection: Collection, from: From): string {
  const { element, order } = collection;
  if (element.kind === "record") throw new Error("The collection has no values.");
  const orderBy = renderOrder(order);
  const sql = jsonValue(element.sql, element.type);
  const items = `select ${sql} as item${from.render()}${orderBy === "" ? "" : ` order by ${orderBy}`}`;
  return orNull(collection, `(select coalesce(json_agg(v.item), '[]'::json) from (${items}) v)`);
}

/** The arguments of a hook as one object. */
export function emitArguments({ arguments: args }: Hook, scope: Scope): string {
  if (args.length === 0) return "'{}'::json";
  const columns = args.map(({ name, value }) => {
    const sql = value.kind === "expression" ? emitJson(value.expression, scope) : queryArgument(value, scope);
    return { name, sql };
  });
  return objectOf(columnList(columns), new From(scope.context));
}

type QueryArgument = Extract<HookArgument["value"], { kind: "query" }>;

/** Without a query, it is the record itself that is selected from. */
function queryArgument({ query, select }: QueryArgument, scope: Scope): string {
  const from = new From(scope.context);
  if (query === null) {
    if (scope.this === null) throw new Error("The argument of a hook has no record.");
    return objectOf(selectColumns(select, scope.this, scope), from);
  }
  const step = addQuery(query, scope.this, scope, from);
  if (query.result.kind === "many") {
    const columnsOf = (record: SqlRecord) => selectColumns(select, record, scope);
    return rowsOf({ ...step, nullWhen: null }, columnsOf, from);
  }
  if (step.element.kind !== "record") throw new Error("The query of a hook has no records.");
  return objectOf(selectColumns(select, step.element.record, scope), from);
}
