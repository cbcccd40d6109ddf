// Hooks: custom code with typed arguments.

import type { Hook, HookArgument, HookCode, Select } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import { hookNotHere, outOfPlace } from "../diagnostics/messages/expressions.js";
import { duplicateName } from "../diagnostics/messages/names.js";
import * as say from "../diagnostics/messages/queries.js";
import {
  type Block,
  type HookArgNode,
  type HookProperty,
  type HookQuery,
  isMissing,
  itemOf,
  itemsOf,
  type Select as SelectNode,
} from "../syntax/tree.js";
import { type Check, modelOf } from "./context.js";
import { inferExpression } from "./expression.js";
import { checkQuery } from "./query.js";
import type { Scope } from "./scope.js";
import { checkSelect } from "./select.js";

export interface HookPlace {
  readonly span: Span;
  readonly scope: Scope;
  /** Queries in arguments may start from a model. */
  readonly fromModels: boolean;
}

export function checkHook(check: Check, body: Block<HookProperty>, place: HookPlace): Hook {
  const args: HookArgument[] = [];
  const seen = new Map<string, Span>();
  for (const node of itemsOf(body, "arg")) {
    if (isMissing(node.name)) continue;
    const first = seen.get(node.name.text);
    if (first) check.report(duplicateName(node.name.span, node.name.text, "this hook", first));
    seen.set(node.name.text, node.name.span);
    const argument = checkArgument(check, node, place);
    if (argument && !first) args.push(argument);
  }
  return { arguments: args, code: checkCode(check, body, place.span) };
}

function checkCode(check: Check, body: Block<HookProperty>, span: Span): HookCode {
  const source = itemOf(body, "source");
  const inline = itemOf(body, "inline");
  if (source && inline) check.report(say.hookCode(inline.span, 2));
  if (!source && !inline && !body.damaged) check.report(say.hookCode(span, 0));
  if (!source) {
    if (inline && inline.code.value.trim() === "")
      check.report(say.emptyHookText(inline.code.span, "The code"));
    return { kind: "inline", code: inline?.code.value ?? "null" };
  }
  if (source.module.value === "" && source.module.span.start < source.module.span.end) {
    check.report(say.emptyHookText(source.module.span, "The module"));
  }
  const runtimes = check.program.runtimes;
  const runtime =
    runtimes.find((node) => itemOf(node.body, "default")) ??
    (runtimes.length === 1 ? runtimes[0] : undefined);
  return {
    kind: "source",
    function: source.function.text,
    module: source.module.value,
    runtime: runtime?.name.text ?? null,
    folder: source.span.file.includes("/")
      ? source.span.file.slice(0, source.span.file.lastIndexOf("/"))
      : "",
  };
}

function checkArgument(check: Check, node: HookArgNode, place: HookPlace): HookArgument | undefined {
  if (node.value.kind === "query") return checkQueryArgument(check, node, node.value, place);
  const scope: Scope = { ...place.scope, place: "a hook's argument" };
  const expression = inferExpression(check, node.value, scope);
  return { name: node.name.text, value: { kind: "expression", expression } };
}

/** `query { select { … } }` without `from` selects from the current record itself. */
function checkQueryArgument(
  check: Check,
  node: HookArgNode,
  { body, span }: HookQuery,
  { scope, fromModels }: HookPlace,
): HookArgument | undefined {
  const select = itemOf(body, "select");
  const aggregate = itemOf(body, "aggregate");
  if (aggregate) check.report(say.hookQueryAggregate(aggregate.span));
  else if (!select && !body.damaged) check.report(say.hookQuerySelect(span));
  const name = node.name.text;
  if (
    !itemOf(body, "from") &&
    scope.model !== undefined &&
    body.items.every((item) => item.kind === "select")
  ) {
    if (scope.creating && select) {
      const hint = "it has no members to select from; hand its fields over one by one: `arg title title`";
      check.report(outOfPlace(select.span, "A record that does not exist yet", "a query", hint));
    }
    const chosen = checkSelect(check, select?.select, scope.model, scope);
    reportHooks(check, select?.select, chosen);
    return { name, value: { kind: "query", query: null, select: chosen } };
  }
  const self = scope.model === undefined ? scope : { ...scope, self: "owner" as const };
  const query = checkQuery(check, body, { what: "the hook's query", span, scope: self, fromModels });
  if (!query) return undefined;
  const chosen = checkSelect(check, select?.select, query.query.model, query.scope);
  reportHooks(check, select?.select, chosen);
  return { name, value: { kind: "query", query: query.query, select: chosen } };
}

/** A hook runs when its arguments are there, and so do others: none of them can be an argument of another. */
function reportHooks(check: Check, node: SelectNode | undefined, chosen: Select): void {
  const model = modelOf(check, chosen.model);
  for (const item of node?.items ?? []) {
    if (item.kind !== "member") continue;
    const { name, select } = item;
    if (model?.members.get(name.text)?.kind === "hook") {
      check.report(hookNotHere(name.span, name.text, "a hook's argument"));
    }
    const nested = chosen.items.find((each) => each.name === name.text);
    if (nested?.kind === "nested") reportHooks(check, select, nested.select);
  }
}
