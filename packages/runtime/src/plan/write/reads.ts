// What the expressions of an action look at.

import {
  type Action,
  type Assignment,
  type Definition,
  type Expression,
  type Hook,
  type MemberExpression,
  modelOfType,
  type Query,
  type Select,
  someExpression,
} from "@stoa/definition";
import { ruleExpressions } from "./rule-values.js";
import { expressionTouches, queryTouches, touches } from "./touch.js";

type Models = Pick<Definition, "models">;

/** What an action decides by and computes from. What it answers is no part of that. */
interface Looked {
  readonly expressions: readonly Expression[];
  readonly queries: readonly Query[];
  readonly selects: readonly Select[];
}

const NOTHING: Looked = { expressions: [], queries: [], selects: [] };

function lookedAt(action: Action): Looked {
  switch (action.kind) {
    case "create":
      return ofAssignments(action.assignments);
    case "update":
      return together([of(action.target), ofAssignments(action.assignments)]);
    case "delete":
      return of(action.target);
    case "query": {
      const { query, operation } = action;
      const values = operation.kind === "update" ? ofAssignments(operation.assignments) : NOTHING;
      return together([ofQuery(query, operation.kind === "select"), values]);
    }
    case "validate":
      return of(...ruleExpressions(action.rule));
    case "execute":
      return ofHook(action.hook);
    case "respond":
      return NOTHING;
  }
}

function of(...expressions: readonly Expression[]): Looked {
  return { ...NOTHING, expressions };
}

function together(all: readonly Looked[]): Looked {
  return {
    expressions: all.flatMap(({ expressions }) => expressions),
    queries: all.flatMap(({ queries }) => queries),
    selects: all.flatMap(({ selects }) => selects),
  };
}

function ofAssignments(assignments: readonly Assignment[]): Looked {
  return together(
    assignments.map((assignment) => {
      if (assignment.kind === "set" || assignment.kind === "parent") return of(assignment.value);
      return assignment.kind === "hook" ? ofHook(assignment.hook) : NOTHING;
    }),
  );
}

function ofHook(hook: Hook): Looked {
  return together(
    hook.arguments.map(({ value }) => {
      if (value.kind === "expression") return of(value.expression);
      return { ...NOTHING, queries: value.query === null ? [] : [value.query], selects: [value.select] };
    }),
  );
}

/** A query that finds one record, or changes what it finds, locks that itself. */
function ofQuery(query: Query, isRead: boolean): Looked {
  if (isRead && query.result.kind !== "one" && query.result.kind !== "first")
    return { ...NOTHING, queries: [query] };
  const { from, filter } = query;
  return of(...(from.kind === "path" ? [from.path] : []), ...(filter === null ? [] : [filter]));
}

/** Whether an action looks at stored rows of a model, other than those that it changes itself. */
export function readsRows(action: Action, model: string, definition: Models): boolean {
  const { expressions, queries, selects } = lookedAt(action);
  const models = new Set([model]);
  return (
    expressions.some((each) => readsRowsIn(each, model, definition)) ||
    queries.some((each) => queryTouches(each, models, definition)) ||
    selects.some((each) => each.model === model || touches(each, models, definition))
  );
}

function readsRowsIn(expression: Expression, model: string, definition: Models): boolean {
  return someExpression(expression, (part) => {
    if (part.kind !== "member") return false;
    if (part.type.kind === "collection" && modelOfType(part.type) === model) return true;
    if (modelOfType(part.on.type) === model && part.member !== "id" && !isCopy(part.on)) return true;
    return isWorkedOut(part) && expressionTouches(part, new Set([model]), definition);
  });
}

/** Records with names are copies; what `this` is, the action has found itself. */
function isCopy(on: Expression): boolean {
  return on.kind === "variable" && on.variable !== "auth";
}

function isWorkedOut({ member }: MemberExpression): boolean {
  return member === "computed" || member === "query" || member === "hook";
}

/** Whether an action looks at columns of a record that has a name. */
export function readsCopy(action: Action, alias: string): boolean {
  const { expressions, queries, selects } = lookedAt(action);
  // What a select shows of a record it may show of any.
  if (selects.length > 0) return true;
  const filters = queries.flatMap(({ filter }) => (filter === null ? [] : [filter]));
  return [...expressions, ...filters].some((expression) =>
    someExpression(expression, (part) => {
      if (part.kind !== "member" || part.member === "id") return false;
      if (part.member === "relation" || part.member === "query") return false;
      return part.on.kind === "variable" && part.on.variable === "alias" && part.on.name === alias;
    }),
  );
}

/** Whether the values that an action writes depend on which rows there are: a count, a sum. */
export function computesFromMany(action: Action, definition: Models): boolean {
  if (action.kind !== "update") return false;
  return action.assignments.some(({ kind, ...assignment }) => {
    return kind === "set" && "value" in assignment && isOfMany(assignment.value, definition, new Set());
  });
}

function isOfMany(expression: Expression, definition: Models, seen: Set<string>): boolean {
  return someExpression(expression, (part) => {
    if (part.kind === "aggregate") return true;
    if (part.kind !== "member") return false;
    if (part.member === "relation" || part.member === "query") return true;
    if (part.member !== "computed") return false;
    const model = modelOfType(part.on.type);
    const name = `${model}.${part.name}`;
    if (seen.has(name)) return false;
    seen.add(name);
    const { members = [] } = definition.models.find((each) => each.name === model) ?? {};
    const computed = members.find((each) => each.name === part.name);
    return computed?.kind === "computed" && isOfMany(computed.value, definition, seen);
  });
}
