// Any expression as JSON: the body of an answer, the arguments of code. Records are their direct fields, unless
// the query that found them says otherwise.

import { quoteName } from "@stoa/database";
import type { Expression, Select } from "@stoa/definition";
import { From, idOf } from "./from.js";
import { ROW, rowObject } from "./json.js";
import { addRecord, totalOrder } from "./query.js";
import { renderOrder, type Scope } from "./scope.js";
import { directColumns, emitProperty, objectOf, selectColumns } from "./select.js";

/** How results of queries look when they are sent, by alias. */
export type Shapes = ReadonlyMap<string, Select>;

export function emitBody(expression: Expression, scope: Scope, shapes: Shapes): string {
  const { type } = expression;
  const shape = expression.kind === "variable" ? shapes.get(expression.name) : undefined;
  if (type.kind === "record") return recordBody(expression, scope, shape);
  if (type.kind === "collection" && type.of.kind === "record") return recordsBody(expression, scope, shape);
  if (expression.kind === "struct") {
    const entries = expression.entries.map(
      ({ name, value }) => `${emitBody(value, scope, shapes)} as ${quoteName(name)}`,
    );
    return entries.length === 0 ? "'{}'::json" : objectOf(entries.join(", "), new From(scope.context));
  }
  if (expression.kind === "array") {
    const items = expression.items.map((item) => emitBody(item, scope, shapes));
    return items.length === 0 ? "'[]'::json" : `json_build_array(${items.join(", ")})`;
  }
  return emitProperty(expression, scope);
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

function recordsBody(expression: Expression, scope: Scope, shape: Select | undefined): string {
  const from = new From(scope.context);
  const { element, order } = scope.emitter.collection(expression, scope, from);
  if (element.kind !== "record") throw new Error("The collection has no records.");
  const { record } = element;
  const columns = shape === undefined ? directColumns(record) : selectColumns(shape, record, scope);
  // Results of queries are kept in their order.
  const isKept = expression.kind === "variable";
  const orderBy = isKept ? "" : ` order by ${renderOrder(totalOrder(order, record))}`;
  const rows = `select ${columns}${from.render()}${orderBy}`;
  return `(select coalesce(json_agg(${rowObject(columns)}), '[]'::json) from (${rows}) ${ROW})`;
}
