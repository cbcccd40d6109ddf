// What an expression may look at while it becomes SQL, and the parts of the emitter that call one another.

import type { Expression, Hook, MemberExpression, OrderTerm, Select, Type } from "@stoa/definition";
import type { Context } from "./context.js";
import type { From, SqlRecord } from "./from.js";

export interface Scope {
  readonly context: Context;
  readonly emitter: Emitter;
  readonly this: SqlRecord | null;
  /** The record that a query belongs to. */
  readonly owner: SqlRecord | null;
  readonly aliases: ReadonlyMap<string, SqlRecord>;
  readonly auth: SqlRecord | null;
  /** The condition that the caller has shown no credentials that nobody has; null where there are no users. */
  readonly hasGoodCredentials: (() => string) | null;
  /**
   * Null where results that are out of range, and divisions by zero, are null. Otherwise they fail, and this is
   * the place that is to blame, as a JSON pointer: values that are written must not change in silence.
   */
  readonly strict: string | null;
  /** What aliases of actions name beside single records: collections and values. */
  readonly results: ReadonlyMap<string, SqlResult>;
  /** How results of queries look when they are sent, by alias. */
  readonly shapes: ReadonlyMap<string, Select>;
  /** Defaults of inputs that look at records, by the path of the input. */
  readonly defaults: ReadonlyMap<string, Expression>;
}

export type SqlResult =
  | { readonly kind: "records"; add(from: From): SqlRecord }
  /** Of any type: what code gave, as jsonb. */
  | { readonly kind: "value"; readonly sql: string; readonly isAny: boolean };

/** Expressions contain queries, and queries expressions; each part finds the others here. */
export interface Emitter {
  /** An expression as SQL of its column type: true, false and null as part 2 of the language says. */
  value(expression: Expression, scope: Scope): string;
  /** The same for WHERE, where null and false are one. */
  condition(expression: Expression, scope: Scope): string;
  record(expression: Expression, scope: Scope): SqlRecord;
  /** A value of a record: the member that the path ends in. */
  member(record: SqlRecord, path: MemberExpression, scope: Scope): string;
  /** The record that a single relationship of a record leads to. */
  follow(record: SqlRecord, name: string, scope: Scope): SqlRecord;
  /** An expression in its JSON form; records are their direct fields. */
  json(expression: Expression, scope: Scope): string;
  /** The arguments of a hook as one object; `this` is the record it belongs to, if any. */
  arguments(hook: Hook, scope: Scope): string;
  /** Adds the tables of a collection to a query. */
  collection(expression: Expression, scope: Scope, from: From): Collection;
}

export interface Collection {
  readonly element: Element;
  /** The condition under which there is no collection at all, since what it belongs to is missing. */
  readonly nullWhen: string | null;
  /** How its query orders it; empty where nothing does. */
  readonly order: readonly SqlOrder[];
}

export type Element =
  | { readonly kind: "record"; readonly record: SqlRecord }
  | { readonly kind: "value"; readonly sql: string; readonly type: Type };

export interface SqlOrder {
  readonly sql: string;
  readonly descending: boolean;
}

export function withRecord(scope: Scope, record: SqlRecord): Scope {
  return { ...scope, this: record, owner: null };
}

/**
 * Text sorts by code points; nulls come last, and first when descending. A literal orders nothing, and PostgreSQL
 * takes some of them for the number of a column.
 */
export function orderOf(terms: readonly OrderTerm[], scope: Scope): SqlOrder[] {
  return terms
    .filter(({ value }) => value.kind !== "literal")
    .map(({ value, descending }) => ({
      sql: collated(scope.emitter.value(value, scope), value.type),
      descending,
    }));
}

export function collated(sql: string, type: Type): string {
  return type.kind === "string" || type.kind === "enum" ? `${sql} collate "C"` : sql;
}

export function renderOrder(order: readonly SqlOrder[]): string {
  return order.map(({ sql, descending }) => (descending ? `${sql} desc` : sql)).join(", ");
}
