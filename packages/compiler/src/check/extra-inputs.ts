// Extra inputs: what a request brings beyond the model.

import type { RequestField } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import { aliasShadows, duplicateName } from "../diagnostics/messages/names.js";
import { missingProperty } from "../diagnostics/messages/syntax.js";
import { resolveValueType } from "../resolve/value-type.js";
import { type ExtraInputNode, type ExtraInputsNode, isMissing, itemOf } from "../syntax/tree.js";
import type { FieldSpan } from "./action-place.js";
import type { Check } from "./context.js";
import { fitExpression } from "./fit.js";
import { checkFieldRule } from "./rule.js";
import { type Scope, withVariable } from "./scope.js";
import { ANY } from "./types.js";

export interface ExtraInputs {
  readonly fields: readonly FieldSpan[];
  /** With the inputs as names; it notes which of them are used. */
  readonly scope: Scope;
}

export function checkExtraInputs(check: Check, node: ExtraInputsNode | undefined, outer: Scope): ExtraInputs {
  let scope: Scope = { ...outer, used: new Set() };
  const fields: FieldSpan[] = [];
  const seen = new Map<string, Span>();
  for (const input of node?.body.items ?? []) {
    const { text: name, span } = input.name;
    if (isMissing(input.name)) continue;
    const first = seen.get(name);
    const alias = outer.variables.get(name);
    if (first) check.report(duplicateName(span, name, "the extra inputs", first));
    else if (alias) check.report(aliasShadows(span, name, alias.span));
    if (first || alias) continue;
    seen.set(name, span);
    const field = checkInput(check, input, outer);
    const type = field?.type ?? ANY;
    scope = withVariable(scope, { name, kind: "input", type, span });
    if (field) fields.push({ field, span });
  }
  return { fields, scope };
}

function checkInput(
  check: Check,
  node: ExtraInputNode,
  outer: Scope,
): Extract<RequestField, { kind: "value" }> | undefined {
  const { name, body } = node;
  const typeNode = itemOf(body, "type");
  if (!typeNode) {
    if (!body.damaged)
      check.report(missingProperty(name.span, `The input \`${name.text}\``, "type", "type string"));
    return undefined;
  }
  const nullable = itemOf(body, "nullable") !== undefined;
  const type = resolveValueType(typeNode.type, nullable, { names: check.program, report: check.report });
  if (!type) return undefined;
  const what = `The input \`${name.text}\``;
  const scope: Scope = { ...outer, place: "a default", onZero: "error" };
  const defaultNode = itemOf(body, "default");
  const value = defaultNode ? fitExpression(check, defaultNode.value, scope, { type, what }) : null;
  const validate = itemOf(body, "validate");
  const rule = validate ? checkFieldRule(check, validate.value, { type, what }) : null;
  return {
    kind: "value",
    name: name.text,
    type,
    required: !nullable && !value,
    default: value,
    validate: rule ? [rule] : [],
    doc: node.doc ?? null,
    source: { kind: "extra" },
  };
}
