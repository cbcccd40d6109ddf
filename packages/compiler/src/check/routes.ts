// Routes: no two endpoints may answer the same request.

import type { Method } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/api.js";
import type { Text } from "../syntax/tree.js";
import type { Check } from "./context.js";

export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly span: Span;
}

/** A path as it stands in the URL: one `/` on either side dropped, the rest percent-encoded. */
export function encodeSegment(path: string): string {
  if (PLAIN_SEGMENT.test(path)) return path;
  const segment = path.replace(/^\//, "").replace(/\/$/, "");
  // Halves of surrogate pairs cannot be encoded.
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, "\u{FFFD}"));
}

/** Stands in the URL as it is. */
const PLAIN_SEGMENT = /^[\w-]+$/;

/** The segment of a `path "…"`; undefined after a report. */
export function checkSegment(check: Check, text: Text): string | undefined {
  const segment = encodeSegment(text.value);
  if (segment !== "" && segment !== "." && segment !== "..") return segment;
  // A missing text has been reported by the parser.
  if (text.span.start < text.span.end)
    check.report(say.invalidPath(text.span, text.value.replace(/^\/$/, "")));
  return undefined;
}

export function checkRoutes(check: Check, routes: readonly Route[]): void {
  const taken = new Map<string, Span>();
  for (const { method, path, span } of routes) {
    const key = `${method} ${path.includes("{") ? path.replace(/\{[^}]*\}/g, "{}") : path}`;
    const first = taken.get(key);
    if (first) check.report(say.routeClash(span, `${method} ${path}`, first));
    else taken.set(key, span);
  }
}
