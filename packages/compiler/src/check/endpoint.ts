// Endpoints: what they answer, who may use them, what they do.

import type { AuthorizeRule, Endpoint, EndpointKind, ListOptions, Method, Select } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/api.js";
import { type EndpointNode, type Expr, itemOf, type PaginableNode } from "../syntax/tree.js";
import { checkActions } from "./actions.js";
import { checkAnonymous } from "./anonymous.js";
import { checkAuthorize } from "./authorize.js";
import type { EntrypointContext } from "./chain.js";
import type { Check } from "./context.js";
import { type CustomRoute, checkCustomRoute } from "./custom-route.js";
import { inferCondition } from "./expression.js";
import { factsWhenTrue } from "./facts.js";
import { wholeNumber } from "./literal.js";
import { checkOrderBy } from "./query.js";
import type { Route } from "./routes.js";
import { type Scope, scopeOfModel, withFacts } from "./scope.js";
import { checkSelect } from "./select.js";

export interface CheckedEndpoint {
  readonly endpoint: Endpoint;
  readonly route: Route;
  readonly customPath: CustomPath | undefined;
}

/** The path of a custom endpoint, below that of its entrypoint. */
export interface CustomPath {
  readonly base: string;
  readonly segment: string;
  readonly span: Span;
}

interface Surroundings {
  readonly context: EntrypointContext;
  /** The entrypoint's response, for endpoints without one of their own. */
  readonly response: Select;
}

const METHODS: Readonly<Record<Exclude<EndpointKind, "custom">, Method>> = {
  create: "POST",
  list: "GET",
  get: "GET",
  update: "PATCH",
  delete: "DELETE",
};

export function checkEndpoint(
  check: Check,
  node: EndpointNode,
  around: Surroundings,
): CheckedEndpoint | undefined {
  const { context } = around;
  const custom = node.endpoint === "custom" ? checkCustomRoute(check, node) : undefined;
  if (node.endpoint === "custom" && !custom) return undefined;
  const cardinality =
    custom?.cardinality ?? (node.endpoint === "create" || node.endpoint === "list" ? "many" : "one");
  if (!checkAllowed(check, node, { context, cardinality })) return undefined;
  if (context.recordRule && custom?.cardinality === "many") {
    check.report(say.ruleNeedsRecord(node.heading, context.recordRule));
  }
  if (node.alias && node.endpoint !== "create" && node.endpoint !== "update") {
    check.report(say.endpointAlias(node.alias.span, node.endpoint));
  }
  const outer = cardinality === "one" ? context.oneScope : context.manyScope;
  const rule = checkRule(check, node, { context, scope: outer, cardinality });
  const scope = rule ? withFacts(outer, factsWhenTrue(rule.condition)) : outer;
  const route = routeOf(node, { context, cardinality, custom });
  const name = nameOf(node, context, custom);
  if (!context.guarded && !rule && check.auth)
    check.report(say.unguarded(node.heading, `${route.method} ${route.path}`));
  const { request, actions } = checkActions(check, node, {
    context,
    scope,
    cardinality,
    method: route.method,
  });
  const endpoint: Endpoint = {
    kind: node.endpoint,
    name,
    method: route.method,
    path: route.path,
    parameters: cardinality === "one" ? context.parameters : context.chain.parameters,
    cardinality,
    authorize: rule ? [rule] : [],
    response: checkResponse(check, node, { context, scope, response: around.response }),
    list: node.endpoint === "list" ? checkList(check, node, { context, scope }) : null,
    request,
    actions,
    doc: node.doc ?? null,
    at: check.placeOf(node.span),
  };
  const base = cardinality === "one" ? context.onePath : context.manyPath;
  return { endpoint, route, customPath: custom && { base, segment: custom.segment, span: custom.span } };
}

interface Cardinality {
  readonly context: EntrypointContext;
  readonly cardinality: "one" | "many";
}

/** Which kinds an entrypoint over a single record, or over a query, allows. */
function checkAllowed(check: Check, node: EndpointNode, { context, cardinality }: Cardinality): boolean {
  const { target } = context;
  const { endpoint: kind, heading } = node;
  const problem =
    kind === "create" && target.via === "query"
      ? [
          "A record cannot be created through a query.",
          "create it through the relation that the query comes from",
        ]
      : !target.single
        ? undefined
        : kind === "create" && !target.nullable
          ? [
              "This record always exists, so it cannot be created here.",
              "only a single record that may be missing can be created; make the reference `nullable`",
            ]
          : kind === "list"
            ? ["There is only one record here, so there is nothing to list.", "use a get endpoint"]
            : kind === "custom" && cardinality === "many"
              ? [
                  "There is only one record here: a custom endpoint works on `one`.",
                  "write `one` instead of `many`",
                ]
              : undefined;
  if (!problem) return true;
  check.report(say.endpointNotAllowed(heading, problem[0] ?? "", problem[1] ?? ""));
  return false;
}

interface ScopePlace {
  readonly context: EntrypointContext;
  readonly scope: Scope;
}

function checkRule(
  check: Check,
  node: EndpointNode,
  { context, scope, cardinality }: ScopePlace & Cardinality,
): AuthorizeRule | undefined {
  const authorize = itemOf(node.body, "authorize");
  const { model } = context.target;
  return authorize && checkAuthorize(check, authorize, scope, { model, hasRecord: cardinality === "one" });
}

function checkResponse(
  check: Check,
  node: EndpointNode,
  { context, response, scope }: Surroundings & ScopePlace,
) {
  if (node.endpoint === "delete" || node.endpoint === "custom") return null;
  const own = itemOf(node.body, "response");
  return own ? checkSelect(check, own.select, context.target.model, scope) : response;
}

function routeOf(
  node: EndpointNode,
  { context, cardinality, custom }: Cardinality & { readonly custom: CustomRoute | undefined },
): Route {
  const base = cardinality === "one" ? context.onePath : context.manyPath;
  if (custom) return { method: custom.method, path: `${base}/${custom.segment}`, span: custom.span };
  const method = METHODS[node.endpoint as Exclude<EndpointKind, "custom">];
  return { method, path: base, span: node.heading };
}

function nameOf(node: EndpointNode, context: EntrypointContext, custom: CustomRoute | undefined): string {
  if (!custom) return `${context.name}.${node.endpoint}`;
  return `${context.name}.${custom.method}:${custom.cardinality}:${custom.segment}`;
}

function checkList(check: Check, node: EndpointNode, { context, scope }: ScopePlace): ListOptions {
  const inner = scopeOfModel(scope, context.target.model, "a filter");
  const filter = itemOf(node.body, "filter");
  const condition = filter ? inferCondition(check, filter.value, inner, "a filter") : null;
  if (filter && condition) {
    checkAnonymous(check, { syntax: filter.value, value: condition, facts: inner.facts });
  }
  const ordered = condition ? withFacts(inner, factsWhenTrue(condition)) : inner;
  const paginable = itemOf(node.body, "paginable");
  return {
    filter: condition,
    orderBy: checkOrderBy(check, itemOf(node.body, "order"), ordered),
    pagination: paginable ? checkPaging(check, paginable) : null,
  };
}

const DEFAULT_PAGE_SIZE = 20;
const DEFAULT_MAX_PAGE_SIZE = 100;

function checkPaging(check: Check, node: PaginableNode): { pageSize: number; max: number } {
  const sizeNode = node.body && itemOf(node.body, "pageSize");
  const maxNode = node.body && itemOf(node.body, "max");
  const size = pageNumber(check, sizeNode);
  const max = pageNumber(check, maxNode) ?? DEFAULT_MAX_PAGE_SIZE;
  if (sizeNode && size !== undefined && size > max) {
    check.report(say.pageSizeOverMax(sizeNode.value.span, size, max));
  }
  return { pageSize: size ?? Math.min(DEFAULT_PAGE_SIZE, max), max };
}

function pageNumber(
  check: Check,
  node: { readonly kind: string; readonly value: Expr } | undefined,
): number | undefined {
  if (!node || node.value.kind === "missing") return undefined;
  if (node.value.kind === "integer" && node.value.value >= 1) return wholeNumber(check, node.value);
  check.report(say.pageSize(node.value.span, node.kind));
  return undefined;
}
