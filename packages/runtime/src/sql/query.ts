// Collections: the records or values that a path leads to, and the queries of models. A collection becomes
// tables of the query that reads it, one join per step; only a query with a limit is a query of its own.

import { quoteName } from "@stoa/database";
import type { Expression, MemberExpression, Model, Query, RelationMember, Type } from "@stoa/definition";
import { From, idColumn, idOf, rowRecord, type SqlRecord, TableRecord, tableOf } from "./from.js";
import { jsonPart } from "./json.js";
import { mayBeNull } from "./nullness.js";
import {
  type Collection,
  type Element,
  orderOf,
  renderOrder,
  type Scope,
  type SqlOrder,
  withRecord,
} from "./scope.js";

/** Adds the tables of a path that ends in many records or values. */
export function emitCollection(expression: Expression, scope: Scope, from: From): Collection {
  if (expression.kind === "variable") return resultCollection(expression.name, scope, from);
  if (expression.kind !== "member") {
    throw new Error(`An expression of the kind \`${expression.kind}\` is no collection.`);
  }
  if (expression.on.type.kind === "collection") {
    const on = emitCollection(expression.on, scope, from);
    const step = stepFrom(expression, on.element, scope, from);
    return { ...step, order: orderOfStep(step, on), nullWhen: on.nullWhen };
  }
  const owner = scope.emitter.record(expression.on, scope);
  const nullWhen = owner.isNullable ? `${idOf(owner)} is null` : null;
  return { ...stepFrom(expression, { kind: "record", record: owner }, scope, from), nullWhen };
}

/** Values have the order of the records that they belong to. */
function orderOfStep({ element, order }: Step, on: Step): readonly SqlOrder[] {
  if (element.kind === "record") return order;
  return on.element.kind === "record" ? totalOrder(on.order, on.element.record) : on.order;
}

/** What a query action has found. */
function resultCollection(alias: string, { results }: Scope, from: From): Collection {
  const result = results.get(alias);
  if (result?.kind !== "records") throw new Error(`The alias \`${alias}\` names no records.`);
  return { element: { kind: "record", record: result.add(from) }, nullWhen: null, order: [] };
}

type Step = Omit<Collection, "nullWhen">;

function stepFrom(path: MemberExpression, element: Element, scope: Scope, from: From): Step {
  const of = path.type.kind === "collection" ? path.type.of : path.type;
  if (element.kind === "value") return valueStep(jsonPart(element.sql, path.name), of);
  const { record } = element;
  const member = record.model.members.find(({ name }) => name === path.name);
  if (member?.kind === "relation" && !member.single) return relationStep(member, record, scope, from);
  if (member?.kind === "query" && member.query.result.kind === "many") {
    return addQuery(member.query, record, scope, from);
  }
  if (of.kind !== "record") {
    const options = { context: scope.context, isCondition: false };
    const isNullable = record.isNullable || of.nullable || mayBeNull(path, options);
    const type = member?.kind === "field" ? of : withoutDigits(of);
    return valueStep(scope.emitter.member(record, path, scope), orNull(type, isNullable));
  }
  return { element: { kind: "record", record: scope.emitter.follow(record, path.name, scope) }, order: [] };
}

function orNull(type: Type, isNullable: boolean): Type {
  return isNullable && type.kind !== "null" ? { ...type, nullable: true } : type;
}

/** Only a column has a fixed number of digits; what is calculated may have others, whatever its type is called. */
export function withoutDigits(type: Type): Type {
  return type.kind === "decimal" ? { kind: "decimal", nullable: type.nullable } : type;
}

function valueStep(sql: string, type: Type): Step {
  return { element: { kind: "value", sql, type }, order: [] };
}

function relationStep(member: RelationMember, owner: SqlRecord, scope: Scope, from: From): Step {
  const model = scope.context.model(member.from);
  if (!member.single) scope.context.readsMany = true;
  const key = quoteName(keyColumn(model, member));
  const name = from.join(tableOf(model), (table) => `${table}.${key} = ${idOf(owner)}`);
  return { element: { kind: "record", record: rowRecord(from, model, name) }, order: [] };
}

/** The column of the reference that a relation goes through. */
export function keyColumn(model: Model, { through }: RelationMember): string {
  const reference = model.members.find((each) => each.name === through);
  if (reference?.kind !== "reference") throw new Error(`\`${model.name}.${through}\` is no reference.`);
  return reference.column;
}

/** Adds the records of a query; `owner` is the record it belongs to. */
export function addQuery(query: Query, owner: SqlRecord | null, scope: Scope, from: From): Step {
  if (isLimited(query)) {
    const model = scope.context.model(query.model);
    const name = from.join(`lateral (${selectOfQuery(query, owner, scope)})`, () => "true");
    const record = rowRecord(from, model, name);
    return { element: { kind: "record", record }, order: queryOrder(query, record, owner, scope) };
  }
  const record = addSource(query, owner, scope, from);
  const inner = queryScope(record, owner, scope);
  if (query.filter !== null) from.where(scope.emitter.condition(query.filter, inner));
  return { element: { kind: "record", record }, order: orderOf(query.orderBy, inner) };
}

function isLimited({ limit, offset, result }: Query): boolean {
  return limit !== null || offset !== null || result.kind === "first" || result.kind === "one";
}

/** The queried table, or the tables along the path. Missing records are not among the records of a query. */
function addSource({ from: source, model }: Query, owner: SqlRecord | null, scope: Scope, from: From) {
  scope.context.readsMany = true;
  if (source.kind === "model") {
    const target = scope.context.model(model);
    return rowRecord(from, target, from.add(tableOf(target)));
  }
  const { path } = source;
  const outer = { ...scope, this: owner, owner };
  if (path.type.kind === "record") return addRecord(path, outer, from);
  const record = recordOfStep(scope.emitter.collection(path, outer, from));
  if (record.isNullable) from.where(`${idOf(record)} is not null`);
  return record;
}

/** Adds the table of one record: the last step of its path leads to it, all before are reached from outside. */
export function addRecord(expression: Expression, scope: Scope, from: From): SqlRecord {
  if (expression.kind !== "member") return addSingle(scope.emitter.record(expression, scope), from);
  const owner = scope.emitter.record(expression.on, scope);
  const member = owner.model.members.find(({ name }) => name === expression.name);
  if (member?.kind === "relation") return recordOfStep(relationStep(member, owner, scope, from));
  if (member?.kind === "query") return recordOfStep(addQuery(member.query, owner, scope, from));
  return addSingle(scope.emitter.follow(owner, expression.name, scope), from);
}

function recordOfStep({ element }: Step): SqlRecord {
  if (element.kind !== "record") throw new Error("The path does not end in a record.");
  return element.record;
}

/** The row of a record that is reached from outside. */
function addSingle(record: SqlRecord, from: From): SqlRecord {
  const id = quoteName(idColumn(record.model));
  const name = from.join(tableOf(record.model), (table) => `${table}.${id} = ${idOf(record)}`);
  return rowRecord(from, record.model, name);
}

function queryScope(record: SqlRecord, owner: SqlRecord | null, scope: Scope): Scope {
  return { ...withRecord(scope, record), owner, strict: null };
}

/** The order of a query, made total by the id. */
function queryOrder(
  { orderBy }: Query,
  record: SqlRecord,
  owner: SqlRecord | null,
  scope: Scope,
): readonly SqlOrder[] {
  return orderOf(orderBy, queryScope(record, owner, scope));
}

export function totalOrder(order: readonly SqlOrder[], record: SqlRecord): readonly SqlOrder[] {
  return [...order, { sql: idOf(record), descending: false }];
}

/** A query with a limit: its rows, all columns. */
export function selectOfQuery(
  query: Query,
  owner: SqlRecord | null,
  scope: Scope,
  { lock = null }: { readonly lock?: string | null } = {},
): string {
  const from = new From(scope.context);
  const record = addSource(query, owner, scope, from);
  const inner = queryScope(record, owner, scope);
  if (query.filter !== null) from.where(scope.emitter.condition(query.filter, inner));
  const order = renderOrder(totalOrder(orderOf(query.orderBy, inner), record));
  const columns = record.model.table.columns.map(({ name }) => record.column(name));
  const locking = lock !== null && record instanceof TableRecord ? ` ${lock} of ${record.tableName()}` : "";
  return `select ${columns.join(", ")}${from.render()} order by ${order}${limitOf(query)}${locking}`;
}

function limitOf({ limit, offset, result }: Query): string {
  const rows = result.kind === "first" || result.kind === "one" ? 1 : limit;
  return `${rows === null ? "" : ` limit ${rows}`}${offset === null ? "" : ` offset ${offset}`}`;
}
