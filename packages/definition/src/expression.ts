// Expressions, resolved and typed: every name is bound, every node knows its type. One meaning for all who
// evaluate them: null spreads through operators and functions; only `is`, `is not`, `coalesce`, `and` and
// `or` look at it; a condition that is null does not hold.

import type { Type } from "./types.js";

export type Expression =
  | LiteralExpression
  | { readonly kind: "array"; readonly type: Type; readonly items: readonly Expression[] }
  | { readonly kind: "struct"; readonly type: Type; readonly entries: readonly StructEntry[] }
  | VariableExpression
  | MemberExpression
  | {
      readonly kind: "unary";
      readonly type: Type;
      readonly operator: "not" | "-";
      readonly operand: Expression;
    }
  | BinaryExpression
  | CallExpression
  | AggregateExpression;

export interface LiteralExpression {
  readonly kind: "literal";
  readonly type: Type;
  /** Decimals are texts, so that no digit is lost. */
  readonly value: string | number | boolean | null;
}

export interface StructEntry {
  readonly name: string;
  readonly value: Expression;
}

/**
 * Where a value comes from:
 * `this` the current record (of a filter, computed, select, order, `set`); `alias` a record of the entrypoint
 * chain, of an action or of a populator; `owner` the record a query belongs to; `input` an extra input;
 * `argument` an argument of a validator; `iterator` a repeat of a populator; `auth` the authenticated user.
 */
export interface VariableExpression {
  readonly kind: "variable";
  readonly type: Type;
  readonly variable: "this" | "owner" | "alias" | "input" | "argument" | "iterator" | "auth";
  /** Empty for `this`, `owner` and `auth`. */
  readonly name: string;
}

/** `on.name`. On a collection it gives the collection of the members' values. */
export interface MemberExpression {
  readonly kind: "member";
  readonly type: Type;
  readonly on: Expression;
  readonly name: string;
  /** What `name` is: `json` for a key of a json value, `part` for a property of a struct or an iterator. */
  readonly member:
    | "id"
    | "field"
    | "key"
    | "reference"
    | "relation"
    | "computed"
    | "query"
    | "hook"
    | "json"
    | "part";
}

export type BinaryOperator =
  | "or"
  | "and"
  | "is"
  | "is not"
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "not in"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";

export interface BinaryExpression {
  readonly kind: "binary";
  readonly type: Type;
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  /** Of `/` and `%`: what a divisor of zero gives. */
  readonly onZero?: "null" | "error";
}

export type FunctionName =
  | "length"
  | "lower"
  | "upper"
  | "trim"
  | "concat"
  | "substring"
  | "replace"
  | "contains"
  | "startsWith"
  | "endsWith"
  | "stringify"
  | "now"
  | "today"
  | "uuid"
  | "abs"
  | "round"
  | "floor"
  | "ceil"
  | "coalesce"
  | "fake";

export interface CallExpression {
  readonly kind: "call";
  readonly type: Type;
  readonly function: FunctionName;
  readonly arguments: readonly Expression[];
}

export type AggregateName = "count" | "sum" | "avg" | "min" | "max" | "exists";

export interface AggregateExpression {
  readonly kind: "aggregate";
  readonly type: Type;
  readonly function: AggregateName;
  /** A collection: of records for `count` and `exists`, of values for the others. */
  readonly over: Expression;
}
