// An endpoint explained: its route, its rules, its statement, and what the database makes of it.

import type { Database } from "@stoa/database";
import {
  type AuthorizeRule,
  type Definition,
  printExpression,
  printOrder,
  printType,
} from "@stoa/definition";
import type { Place } from "../plan/place.js";
import type { ReadPlan } from "../plan/plan.js";
import { planRead } from "../plan/read.js";
import type { Binding } from "../sql/context.js";
import { readPlan } from "./database-plan.js";
import type {
  ExplainedParameter,
  ExplainedPlan,
  ExplainedRule,
  ExplainedStatement,
  Explanation,
} from "./explanation.js";
import { sourcePlace } from "./source-place.js";
import { layoutSql } from "./sql-layout.js";
import { findWarnings } from "./warnings.js";

/** Without a database: all but the plan, and warnings that say what they do not know. */
export async function explainEndpoint(
  definition: Definition,
  place: Place,
  database: Database | null,
): Promise<Explanation> {
  const { endpoint } = place;
  const read = endpoint.kind === "get" || endpoint.kind === "list" ? planRead(definition, place) : null;
  const plan = await planOf(definition, read, database);
  const { name, kind, method, path, doc, at, list } = endpoint;
  return {
    ...{ name, kind, method, path, doc },
    at: sourcePlace(definition, at),
    parameters: parametersOf(place),
    rules: rulesOf(definition, place),
    filter: list?.filter ? printExpression(list.filter) : null,
    order: list && list.orderBy.length > 0 ? printOrder(list.orderBy) : null,
    statement: read === null ? null : statementOf(read),
    plan,
    warnings: read === null ? [] : findWarnings(definition, place, plan),
  };
}

async function planOf(
  { models }: Definition,
  read: ReadPlan | null,
  database: Database | null,
): Promise<ExplainedPlan> {
  if (read === null) return { kind: "none", reason: "only the statements of get and list are shown yet" };
  if (database === null) return { kind: "none", reason: "the database was not asked" };
  const { sql, bindings, pagination } = read;
  return readPlan(database, { sql, bindings, pageSize: pagination?.pageSize ?? null }, models);
}

function parametersOf({ endpoint: { parameters, list, request } }: Place): ExplainedParameter[] {
  const path = parameters.map(({ name, type }): ExplainedParameter => {
    return { name, in: "path", type: printType(type), about: null };
  });
  const pagination = list?.pagination ?? null;
  const fields = request?.in === "query" ? request.fields : [];
  const query = fields.map((field): ExplainedParameter => {
    const type = field.kind === "value" ? printType(field.type) : "object";
    return { name: field.name, in: "query", type, about: field.required ? "required" : null };
  });
  return pagination === null ? [...path, ...query] : [...path, ...query, ...pageParameters(pagination)];
}

function pageParameters({
  pageSize,
  max,
}: {
  readonly pageSize: number;
  readonly max: number;
}): ExplainedParameter[] {
  return [
    { name: "page", in: "query", type: "integer", about: "from 1; 1 when not given" },
    {
      name: "pageSize",
      in: "query",
      type: "integer",
      about: `from 1, at most ${max}; ${pageSize} when not given`,
    },
  ];
}

function rulesOf(definition: Definition, { entrypoints, endpoint }: Place): ExplainedRule[] {
  const explain =
    (of: string) =>
    ({ condition, at }: AuthorizeRule): ExplainedRule => ({
      of,
      condition: printExpression(condition),
      at: sourcePlace(definition, at),
    });
  const above = entrypoints.flatMap(({ segment, authorize }) => authorize.map(explain(segment)));
  return [...above, ...endpoint.authorize.map(explain(endpoint.name))];
}

function statementOf({ sql, bindings, endpoint }: ReadPlan): ExplainedStatement {
  const names = endpoint.parameters.map(({ name }) => name);
  return {
    sql,
    formatted: layoutSql(sql),
    parameters: bindings.map((binding) => describeBinding(binding, names)),
  };
}

function describeBinding(binding: Binding, names: readonly string[]): string {
  switch (binding.kind) {
    case "path":
      return `${names[binding.index] ?? "a parameter"} of the path`;
    case "user":
      return "the id of the user, or null";
    case "limit":
      return "pageSize";
    case "offset":
      return "(page - 1) * pageSize";
    // The others are of statements that write, which are not shown yet.
    default:
      return "a value of the request";
  }
}
