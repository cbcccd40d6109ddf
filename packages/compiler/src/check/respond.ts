// `respond`: body, status and headers of a custom endpoint's answer.

import type { Action, Expression } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/actions.js";
import { duplicateName } from "../diagnostics/messages/names.js";
import type { Expr, HttpHeadersNode, RespondNode } from "../syntax/tree.js";
import { itemOf } from "../syntax/tree.js";
import type { ActionPlace, CheckedAction } from "./action-place.js";
import type { Check } from "./context.js";
import { BROKEN_VALUE, inferExpression } from "./expression.js";
import { fitExpression } from "./fit.js";
import type { Scope } from "./scope.js";
import { INTEGER, isText } from "./types.js";

export function checkRespond(check: Check, node: RespondNode, place: ActionPlace): CheckedAction {
  const scope: Scope = { ...place.scope, place: "a response", secrets: false, onZero: "error" };
  const body = itemOf(node.body, "body");
  if (!body && !node.body.damaged) check.report(say.respondNeedsBody(node.heading));
  const status = itemOf(node.body, "httpStatus");
  const headers = itemOf(node.body, "httpHeaders");
  const action: Action = {
    kind: "respond",
    body: body ? inferExpression(check, body.value, scope) : BROKEN_VALUE,
    status: status ? checkStatus(check, status.value, scope) : null,
    headers: headers ? checkHeaders(check, headers, scope) : [],
    at: check.placeOf(node.span),
  };
  return { action, fields: [], spans: new Map(), result: undefined };
}

function checkStatus(check: Check, syntax: Expr, scope: Scope): Expression {
  const value = fitExpression(check, syntax, scope, { type: INTEGER, what: "A status" });
  const isInteger = syntax.kind === "integer" && Number.isSafeInteger(syntax.value);
  if (isInteger && (syntax.value < 200 || syntax.value > 599)) {
    check.report(say.invalidStatus(syntax.span));
  }
  return value;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function checkHeaders(check: Check, node: HttpHeadersNode, scope: Scope) {
  const seen = new Map<string, Span>();
  return node.headers.map(({ name, value: syntax }) => {
    const first = seen.get(name.value.toLowerCase());
    if (first && name.value !== "") {
      check.report(duplicateName(name.span, name.value, "these headers", first));
    } else seen.set(name.value.toLowerCase(), name.span);
    if (!HEADER_NAME.test(name.value) && name.span.start < name.span.end) {
      check.report(say.invalidHeader(name.span, name.value));
    }
    const value = inferExpression(check, syntax, scope);
    const { type } = value;
    const isRight =
      isText(type) ||
      type.kind === "any" ||
      type.kind === "null" ||
      (type.kind === "array" && isText(type.of));
    if (!isRight) check.report(say.headerType(syntax.span, type));
    return { name: name.value, value };
  });
}
