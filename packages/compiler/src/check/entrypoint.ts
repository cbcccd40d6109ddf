// Entrypoints: what they are over, how their records are found, who may use them.

import type { AuthorizeRule, Entrypoint, EntrypointTarget, Identify, Select } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/api.js";
import * as sayNames from "../diagnostics/messages/names.js";
import { missingProperty } from "../diagnostics/messages/syntax.js";
import { kebabCase } from "../naming.js";
import type { Member, Model, ReferenceMember } from "../resolve/program.js";
import {
  type EndpointNode,
  type EntrypointNode,
  type ExpressionProperty,
  isMissing,
  itemOf,
  itemsOf,
  type Name,
} from "../syntax/tree.js";
import { checkAuthorize } from "./authorize.js";
import { type Chain, type EntrypointContext, recordVariable, type Target } from "./chain.js";
import { type Check, type DerivedMember, derivedOf, modelOf } from "./context.js";
import { type CheckedEndpoint, checkEndpoint } from "./endpoint.js";
import { factsWhenTrue, isAbout } from "./facts.js";
import { checkIdentify, parameterName } from "./identify.js";
import { checkSegment, type Route } from "./routes.js";
import { type HiddenName, type Scope, withFacts, withVariable } from "./scope.js";
import { checkSelect } from "./select.js";

export interface CheckedEntrypoint {
  readonly entrypoint: Entrypoint;
  readonly routes: readonly Route[];
  /** What its path comes from: `path "…"`, or the name of its resource. */
  readonly span: Span;
}

/** Entrypoints on one level: their paths must differ. */
export function checkEntrypoints(
  check: Check,
  nodes: readonly EntrypointNode[],
  chain: Chain,
): CheckedEntrypoint[] {
  const segments = new Map<string, Span>();
  const found: CheckedEntrypoint[] = [];
  for (const node of nodes) {
    if (isMissing(node.resource)) continue;
    const segment = segmentOf(check, node);
    const span = itemOf(node.body, "path")?.value.span ?? node.resource.span;
    const first = segments.get(segment);
    if (first) check.report(say.segmentClash(span, segment, first, "another entrypoint"));
    else segments.set(segment, span);
    const checked = checkEntrypoint(check, node, { chain, segment, span });
    // One path for two entrypoints is one mistake, however many of their routes clash.
    if (checked) found.push(first ? { ...checked, routes: [] } : checked);
  }
  return found;
}

function segmentOf(check: Check, node: EntrypointNode): string {
  const path = itemOf(node.body, "path");
  return (path && checkSegment(check, path.value)) ?? kebabCase(node.resource.text);
}

interface Place {
  readonly chain: Chain;
  readonly segment: string;
  readonly span: Span;
}

function checkEntrypoint(check: Check, node: EntrypointNode, place: Place): CheckedEntrypoint | undefined {
  const target = checkTarget(check, node.resource, place.chain);
  const model = target && modelOf(check, target.model);
  if (!target || !model) return undefined;
  const identify = checkIdentifier(check, node, { target, model, chain: place.chain });
  const { chain, segment, span } = place;
  const { context, authorize } = enter(check, node, { target, identify, chain, segment, span });
  const response = itemOf(node.body, "response");
  const select = checkSelect(check, response?.select, model.name, context.manyScope);
  const endpoints = checkEndpoints(check, node, { context, response: select });
  const nested = checkNested(check, node, context);
  checkCustomPaths(check, node, endpoints);
  const entrypoint: Entrypoint = {
    resource: node.resource.text,
    model: model.name,
    segment,
    alias: context.alias,
    target: definitionTarget(target),
    identify: identify ?? null,
    authorize,
    // Not kept without need: in a large program they would take as much memory as its text.
    endpoints: check.isForDefinition ? endpoints.map((checked) => checked.endpoint) : [],
    entrypoints: check.isForDefinition ? nested.map((checked) => checked.entrypoint) : [],
    doc: node.doc ?? null,
    at: check.placeOf(node.span),
  };
  const routes = [
    ...endpoints.map((checked) => checked.route),
    ...nested.flatMap((checked) => checked.routes),
  ];
  return { entrypoint, routes, span };
}

function definitionTarget(target: Target): EntrypointTarget {
  if (target.member === undefined) return { kind: "model" };
  return { kind: "member", member: target.member, single: target.single, nullable: target.nullable };
}

function checkTarget(check: Check, resource: Name, chain: Chain): Target | undefined {
  if (!chain.record) {
    if (modelOf(check, resource.text)) {
      return {
        model: resource.text,
        single: false,
        nullable: false,
        via: "model",
        member: undefined,
        reference: undefined,
      };
    }
    if (!check.program.damaged) {
      check.report(sayNames.unknownModel(resource.span, resource.text, [...check.program.models.keys()]));
    }
    return undefined;
  }
  const parent = modelOf(check, chain.record.model);
  const member = parent?.members.get(resource.text);
  if (!parent) return undefined;
  if (!member) {
    if (!parent.damaged) reportUnknownResource(check, resource, parent);
    return undefined;
  }
  return memberTarget(check, resource, { parent, member });
}

function reportUnknownResource(check: Check, resource: Name, parent: Model): void {
  const known = [...parent.members.values()]
    .filter((member) => ["reference", "relation", "query"].includes(member.kind))
    .map((member) => member.name);
  const details = { model: parent.name, known, kind: "reference, relation or query" };
  check.report(sayNames.unknownMember(resource.span, resource.text, details));
}

function memberTarget(
  check: Check,
  resource: Name,
  { parent, member }: { readonly parent: Model; readonly member: Member },
): Target | undefined {
  switch (member.kind) {
    case "reference":
      if (member.to === undefined) return undefined;
      return {
        model: member.to,
        single: true,
        nullable: member.nullable,
        via: "reference",
        member: member.name,
        reference: member,
      };
    case "relation": {
      if (member.from === undefined || !member.through) return undefined;
      const single = member.through.unique;
      return {
        model: member.from,
        single,
        nullable: single,
        via: "relation",
        member: member.name,
        reference: member.through,
      };
    }
    case "query": {
      const type = derivedOf(check, parent, member)?.type;
      const record = type?.kind === "collection" ? type.of : type;
      if (type && record?.kind === "record") {
        const single = type.kind === "record";
        return {
          model: record.model,
          single,
          nullable: single && type.nullable,
          via: "query",
          member: member.name,
          reference: referenceBehind(check, parent, member),
        };
      }
      if (type && type.kind !== "any") break;
      return undefined;
    }
    default:
  }
  const kind = member.kind === "query" ? "query for one value" : member.kind;
  check.report(
    say.notAResource(resource.span, { name: member.name, model: parent.name, kind, declared: member.span }),
  );
  return undefined;
}

/** The reference by which the records of a query belong to its owner, where it comes straight from a relation. */
function referenceBehind(check: Check, owner: Model, member: DerivedMember): ReferenceMember | undefined {
  const derived = derivedOf(check, owner, member);
  const from = derived?.kind === "query" ? derived.query?.from : undefined;
  if (from?.kind !== "path" || from.path.kind !== "member") return undefined;
  const { on, name } = from.path;
  if (on.kind !== "variable" || on.variable !== "owner") return undefined;
  const source = owner.members.get(name);
  if (source?.kind === "query") return referenceBehind(check, owner, source);
  return source?.kind === "relation" ? source.through : undefined;
}

function checkIdentifier(
  check: Check,
  node: EntrypointNode,
  { target, model, chain }: { readonly target: Target; readonly model: Model; readonly chain: Chain },
): Identify | undefined {
  const identify = itemOf(node.body, "identify");
  if (target.single) {
    if (identify) check.report(say.identifyOnSingle(identify.span, node.resource.text));
    return undefined;
  }
  const through = identify && itemOf(identify.body, "through");
  if (identify && !through && !identify.body.damaged) {
    check.report(missingProperty(identify.span, "An identify", "through", "identify { through slug }"));
  }
  const { path, type } = checkIdentify(check, through?.path, model);
  const taken = chain.parameters.map((parameter) => parameter.name);
  return { path, type, parameter: parameterName(model.name, path, taken) };
}

interface Entering extends Place {
  readonly target: Target;
  readonly identify: Identify | undefined;
}

/** The context of what stands inside: paths, parameters, scopes, rules. */
function enter(
  check: Check,
  node: EntrypointNode,
  { chain, segment, target, identify }: Entering,
): { readonly context: EntrypointContext; readonly authorize: readonly AuthorizeRule[] } {
  const alias = node.alias && !isMissing(node.alias) ? node.alias.text : `$${chain.depth + 1}`;
  const aliasSpan = node.alias?.span;
  const taken = chain.scope.variables.get(alias);
  if (taken && aliasSpan) check.report(sayNames.aliasShadows(aliasSpan, alias, taken.span));
  const manyPath = `${chain.path}/${segment}`;
  const onePath = identify ? `${manyPath}/{${identify.parameter}}` : manyPath;
  const own = identify ? [{ name: identify.parameter, type: identify.type }] : [];
  const base = scopesOf(chain, { alias, aliasSpan, model: target.model });
  const ruleNode = itemOf(node.body, "authorize");
  const guard = ruleNode && checkGuard(check, ruleNode, { alias, model: target.model, scope: base.one });
  const context: EntrypointContext = {
    chain,
    target,
    alias,
    aliasSpan,
    manyPath,
    onePath,
    parameters: [...chain.parameters, ...own],
    name: chain.name === "" ? segment : `${chain.name}.${segment}`,
    manyScope: guard ? withFacts(base.many, guard.factsWithoutRecord) : base.many,
    oneScope: guard ? withFacts(base.one, guard.facts) : base.one,
    guarded: chain.guarded || guard !== undefined,
    recordRule: guard?.isAboutRecord ? ruleNode?.span : undefined,
  };
  return { context, authorize: guard ? [guard.rule] : [] };
}

/** The entrypoint's own rule, and what is known where it holds. */
function checkGuard(
  check: Check,
  node: ExpressionProperty<"authorize">,
  { alias, model, scope }: { readonly alias: string; readonly model: string; readonly scope: Scope },
) {
  const used = new Set<string>();
  const rule = checkAuthorize(check, node, { ...scope, used }, { model, hasRecord: true });
  const facts = factsWhenTrue(rule.condition);
  const factsWithoutRecord = [...facts].filter((fact) => !isAbout(fact, alias));
  return { rule, facts, factsWithoutRecord, isAboutRecord: used.has(alias) };
}

/** Scopes without and with the entrypoint's own record. */
function scopesOf(
  chain: Chain,
  {
    alias,
    aliasSpan,
    model,
  }: { readonly alias: string; readonly aliasSpan: Span | undefined; readonly model: string },
): { readonly many: Scope; readonly one: Scope } {
  if (!aliasSpan) return { many: chain.scope, one: chain.scope };
  const reason =
    "there is no single record here; it can be used in get, update, delete and custom-one endpoints and below";
  const hidden = new Map<string, HiddenName>(chain.scope.hidden).set(alias, { span: aliasSpan, reason });
  const type = recordVariable(alias, model).type;
  const one = withVariable(chain.scope, { name: alias, kind: "alias", type, span: aliasSpan });
  return { many: { ...chain.scope, hidden }, one };
}

function checkEndpoints(
  check: Check,
  node: EntrypointNode,
  { context, response }: { readonly context: EntrypointContext; readonly response: Select },
): CheckedEndpoint[] {
  const seen = new Map<string, EndpointNode>();
  const found: CheckedEndpoint[] = [];
  for (const endpoint of itemsOf(node.body, "endpoint")) {
    const first = seen.get(endpoint.endpoint);
    if (first && endpoint.endpoint !== "custom") {
      check.report(say.duplicateEndpoint(endpoint.heading, endpoint.endpoint, first.heading));
      continue;
    }
    seen.set(endpoint.endpoint, endpoint);
    const checked = checkEndpoint(check, endpoint, { context, response });
    if (checked) found.push(checked);
  }
  return found;
}

function checkNested(check: Check, node: EntrypointNode, context: EntrypointContext): CheckedEntrypoint[] {
  const chain: Chain = {
    path: context.onePath,
    parameters: context.parameters,
    name: context.name,
    scope: context.oneScope,
    guarded: context.guarded,
    depth: context.chain.depth + 1,
    record: {
      model: context.target.model,
      alias: context.alias,
      value: recordVariable(context.alias, context.target.model),
    },
  };
  return checkEntrypoints(check, itemsOf(node.body, "entrypoint"), chain);
}

/** A custom endpoint's path may not be the path of an entrypoint beside it. */
function checkCustomPaths(check: Check, node: EntrypointNode, endpoints: readonly CheckedEndpoint[]): void {
  const nested = itemsOf(node.body, "entrypoint");
  for (const { customPath } of endpoints) {
    if (!customPath) continue;
    const clash = nested.find((entrypoint) => segmentOf(silent(check), entrypoint) === customPath.segment);
    if (clash) {
      const path = `${customPath.base}/${customPath.segment}`;
      check.report(say.nestedClash(customPath.span, path, clash.resource.span));
    }
  }
}

function silent(check: Check): Check {
  return { ...check, report: () => {} };
}
