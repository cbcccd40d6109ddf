// Expressions as texts that are the same when they mean the same: names that were changed are the old ones, aliases
// are counted, `a or b` is `b or a`, and what is computed is written out. For comparing, not for reading.

import {
  type BinaryExpression,
  type Definition,
  type Expression,
  type Hook,
  type MemberExpression,
  modelOfType,
  type OrderTerm,
  type Query,
  type Select,
} from "@stoa/definition";
import type { Renames } from "./renames.js";

/** One of the two definitions, and how its names are told. */
export interface View {
  readonly definition: Definition;
  /** Null in the old definition. */
  readonly renames: Renames | null;
  readonly aliases: ReadonlyMap<string, string>;
  readonly texts: LongTexts;
}

/** Long texts get numbers, the same in both definitions: what is computed of what is computed would grow and grow. */
export class LongTexts {
  readonly #numbers = new Map<string, number>();

  shorten(text: string): string {
    if (text.length < 200) return text;
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return `#${number}`;
  }
}

/** What `this`, `owner` and the arguments of a validator stand for. */
export interface Scope {
  readonly self: string;
  readonly owner: string;
  readonly given?: ReadonlyMap<string, string>;
}

export const TOP: Scope = { self: "this", owner: "owner" };

export function meaningOf(view: View, expression: Expression, scope: Scope = TOP): string {
  const inner = (part: Expression): string => meaningOf(view, part, scope);
  switch (expression.kind) {
    case "literal":
      return JSON.stringify(expression.value);
    case "array":
      return `[${expression.items.map(inner).join(", ")}]`;
    case "struct":
      return `{${expression.entries
        .map(({ name, value }) => `${name}: ${inner(value)}`)
        .sort()
        .join(", ")}}`;
    case "variable": {
      const { variable, name } = expression;
      if (variable === "this") return scope.self;
      if (variable === "owner") return scope.owner;
      if (variable === "argument" && scope.given?.has(name)) return scope.given.get(name) ?? name;
      return variable === "alias" ? (view.aliases.get(name) ?? name) : `${variable} ${name}`.trim();
    }
    case "member":
      return memberMeaning(view, expression, inner(expression.on));
    case "unary":
      return `${expression.operator}(${inner(expression.operand)})`;
    case "binary":
      return view.texts.shorten(binaryMeaning(expression, inner));
    case "call":
      return view.texts.shorten(`${expression.function}(${expression.arguments.map(inner).join(", ")})`);
    case "aggregate":
      return `${expression.function}(${inner(expression.over)})`;
  }
}

function memberMeaning(view: View, { on, name, member }: MemberExpression, record: string): string {
  const model = modelOfType(on.type);
  if (model === undefined) return `${record}.${name}`;
  const found = view.definition.models
    .find((each) => each.name === model)
    ?.members.find((each) => each.name === name);
  if (member === "computed" && found?.kind === "computed") {
    return view.texts.shorten(`(${meaningOf(view, found.value, { self: record, owner: record })})`);
  }
  if (member === "query" && found?.kind === "query")
    return view.texts.shorten(queryMeaning(view, found.query, record));
  return `${record}.${view.renames?.memberBefore(model, name) ?? name}`;
}

export function queryMeaning(view: View, query: Query, owner = "owner"): string {
  const scope: Scope = { self: `row of ${owner}`, owner };
  const { from, filter, orderBy, limit, offset, result } = query;
  const of = (expression: Expression | null): string =>
    expression === null ? "" : meaningOf(view, expression, scope);
  const source =
    from.kind === "model"
      ? (view.renames?.modelBefore(from.model) ?? from.model)
      : meaningOf(view, from.path, scope);
  const what = result.kind === "aggregate" ? `${result.function}(${of(result.value)})` : result.kind;
  return `query(${[source, of(filter), orderMeaning(view, orderBy, scope), limit, offset, what].join("; ")})`;
}

export function orderMeaning(view: View, terms: readonly OrderTerm[], scope: Scope = TOP): string {
  return terms.map((term) => termMeaning(view, term, scope)).join(", ");
}

export function termMeaning(view: View, { value, descending }: OrderTerm, scope: Scope = TOP): string {
  return `${meaningOf(view, value, scope)}${descending ? " desc" : ""}`;
}

function binaryMeaning(
  { operator, left, right }: BinaryExpression,
  inner: (part: Expression) => string,
): string {
  switch (operator) {
    case "and":
    case "or": {
      const parts = [...new Set([...chainOf(operator, left), ...chainOf(operator, right)].map(inner))];
      return `(${parts.sort().join(` ${operator} `)})`;
    }
    case "is":
    case "is not":
      return `(${[inner(left), inner(right)].sort().join(` ${operator} `)})`;
    case ">":
      return `(${inner(right)} < ${inner(left)})`;
    case ">=":
      return `(${inner(right)} <= ${inner(left)})`;
    case "in":
    case "not in": {
      const items = right.kind === "array" ? `[${right.items.map(inner).sort().join(", ")}]` : inner(right);
      return `(${inner(left)} ${operator} ${items})`;
    }
    default:
      return `(${inner(left)} ${operator} ${inner(right)})`;
  }
}

function chainOf(operator: "and" | "or", expression: Expression): Expression[] {
  if (expression.kind !== "binary" || expression.operator !== operator) return [expression];
  return [...chainOf(operator, expression.left), ...chainOf(operator, expression.right)];
}

// ---------------------------------------------------------------- code and selections

export function hookMeaning(view: View, { arguments: args, code }: Hook): string {
  const given = args.map(({ name, value }) => {
    if (value.kind === "expression") return `${name}: ${meaningOf(view, value.expression)}`;
    const query = value.query === null ? "" : queryMeaning(view, value.query);
    return `${name}: ${query} ${selectMeaning(view, value.select)}`;
  });
  const source =
    code.kind === "inline"
      ? `inline ${code.code}`
      : `${code.function} of ${code.runtime ?? code.folder} ${code.module}`;
  return `${source}(${given.join(", ")})`;
}

export function selectMeaning(view: View, { items }: Select): string {
  return items
    .map((item) => {
      if (item.kind === "hook") return `${item.name}: hook ${item.hook}`;
      const value = `${item.name}: ${meaningOf(view, item.value)}`;
      return item.kind === "nested" ? `${value} {${selectMeaning(view, item.select)}}` : value;
    })
    .sort()
    .join(", ");
}
