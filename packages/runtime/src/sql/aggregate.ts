// Aggregates over collections: a query of its own for each, correlated with the record it belongs to. Nulls are
// left out; the sum of nothing is 0.

import type { AggregateExpression, AggregateName, Query, Type } from "@stoa/definition";
import { floatAverage, floatSum, inIntegerRange } from "./arithmetic.js";
import { From, idOf, type SqlRecord } from "./from.js";
import { mayBeNull } from "./nullness.js";
import { addQuery, withoutDigits } from "./query.js";
import { collated, type Element, type Scope, withRecord } from "./scope.js";

export function emitAggregate(expression: AggregateExpression, scope: Scope): string {
  const from = new From(scope.context);
  const { element, nullWhen } = scope.emitter.collection(expression.over, scope, from);
  const result = aggregateQuery(expression.function, element, from);
  return nullWhen === null ? result : `case when ${nullWhen} then null else ${result} end`;
}

/** `query total { from books, sum(price) }`. */
export function emitQueryAggregate(query: Query, owner: SqlRecord | null, scope: Scope): string {
  if (query.result.kind !== "aggregate") throw new Error("The query has no aggregate.");
  const from = new From(scope.context);
  const { element } = addQuery({ ...query, result: { kind: "many" } }, owner, scope, from);
  if (element.kind !== "record") throw new Error("The query has no records.");
  const { function: name, value } = query.result;
  if (value === null) return aggregateQuery(name, element, from);
  const inner = { ...withRecord(scope, element.record), owner };
  const sql = scope.emitter.value(value, inner);
  const type = withoutDigits(value.type);
  const isNullable = type.kind !== "null" && mayBeNull(value, { context: scope.context, isCondition: false });
  return aggregateQuery(
    name,
    { kind: "value", sql, type: isNullable ? { ...type, nullable: true } : type },
    from,
  );
}

function aggregateQuery(name: AggregateName, element: Element, from: From): string {
  if (name === "exists") {
    const present = presence(element);
    if (present !== null) from.where(present);
    return `exists (select 1${from.render()})`;
  }
  const call = aggregateCall(name, element);
  return `(select ${call}${from.render()})`;
}

/** The condition under which an element is one; null where it always is. */
function presence(element: Element): string | null {
  if (element.kind === "value") return element.type.nullable ? `${element.sql} is not null` : null;
  return element.record.isNullable ? `${idOf(element.record)} is not null` : null;
}

function aggregateCall(name: Exclude<AggregateName, "exists">, element: Element): string {
  if (name === "count") return `count(${countable(element)})`;
  if (element.kind === "record") throw new Error(`\`${name}\` cannot take records.`);
  const { sql, type } = element;
  switch (name) {
    case "sum":
      return sumOf(sql, type);
    case "avg":
      return averageOf(sql, type);
    case "min":
    case "max":
      return extremeOf(name, sql, type);
  }
}

/** Equal decimals may differ in their digits: the one with more counts, so that their order does not. */
function extremeOf(name: "min" | "max", sql: string, type: Type): string {
  if (type.kind !== "decimal" || type.scale !== undefined) return `${name}(${collated(sql, type)})`;
  const digits = name === "max" ? `scale(${sql})` : `- scale(${sql})`;
  return `(${name}(array[${sql}, ${digits}]) filter (where ${sql} is not null))[1]`;
}

function countable(element: Element): string {
  if (presence(element) === null) return "*";
  return element.kind === "value" ? element.sql : idOf(element.record);
}

function sumOf(sql: string, type: Type): string {
  if (type.kind === "float") return floatSum(sql);
  const sum = `coalesce(sum(${sql}), 0)`;
  return type.kind === "integer" ? inIntegerRange(sum, null) : sum;
}

/** Of integers: the exact sum as a float, divided by the count. */
function averageOf(sql: string, type: Type): string {
  if (type.kind === "float") return floatAverage(sql);
  if (type.kind === "decimal") return `avg(${sql})`;
  return `(sum(${sql})::double precision / nullif(count(${sql}), 0))`;
}
