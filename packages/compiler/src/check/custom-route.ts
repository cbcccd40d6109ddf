// Method, cardinality and path of a custom endpoint, from its properties or from the short form.

import type { Method } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/api.js";
import { METHODS } from "../syntax/api-grammar.js";
import { type EndpointNode, isMissing, itemOf, type Name, type Text } from "../syntax/tree.js";
import type { Check } from "./context.js";
import { checkSegment } from "./routes.js";

export interface CustomRoute {
  readonly method: Method;
  readonly cardinality: "one" | "many";
  readonly segment: string;
  readonly span: Span;
}

/** Undefined after a report, here or by the parser. */
export function checkCustomRoute(check: Check, node: EndpointNode): CustomRoute | undefined {
  const { body } = node;
  const short = itemOf(body, "route");
  const longMethod = itemOf(body, "method");
  const longCardinality = itemOf(body, "cardinality");
  const longPath = itemOf(body, "path");
  if (short) {
    for (const long of [longMethod, longCardinality, longPath]) {
      if (long) check.report(say.routeTwice(long.span, long.kind, short.span));
    }
  }
  const method = short?.method ?? longMethod?.name;
  const cardinality = short?.cardinality ?? longCardinality?.name;
  const path = short?.path ?? longPath?.value;
  if (!method || !cardinality || !path) {
    const missing = [method ? "" : "method", cardinality ? "" : "cardinality", path ? "" : "path"];
    if (!body.damaged)
      check.report(
        say.customIncomplete(
          node.heading,
          missing.filter((word) => word !== ""),
        ),
      );
    return undefined;
  }
  return readRoute(check, { method, cardinality, path });
}

interface WrittenRoute {
  readonly method: Name;
  readonly cardinality: Name;
  readonly path: Text;
}

function readRoute(check: Check, { method, cardinality, path }: WrittenRoute): CustomRoute | undefined {
  const isMethod = METHODS.some((known) => known === method.text);
  const isCardinality = cardinality.text === "one" || cardinality.text === "many";
  if (!isMethod && !isMissing(method)) check.report(say.invalidMethod(method.span, method.text, METHODS));
  if (!isCardinality && !isMissing(cardinality)) {
    check.report(say.invalidCardinality(cardinality.span, cardinality.text));
  }
  const segment = checkSegment(check, path);
  if (!isMethod || !isCardinality || segment === undefined) return undefined;
  return {
    method: method.text as Method,
    cardinality: cardinality.text as "one" | "many",
    segment,
    span: path.span,
  };
}
