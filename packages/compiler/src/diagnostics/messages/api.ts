// Apis, entrypoints and endpoints.

import type { Type } from "@stoa/definition";
import { aType } from "../describe-type.js";
import type { Diagnostic, Span } from "../diagnostic.js";
import { alternatives, didYouMean, insertAt, make, replaceBy, withArticle } from "./make.js";

export function duplicateApi(span: Span, prefix: string, first: Span): Diagnostic {
  return make("duplicate-name", span, `There is an api with the path \`${prefix}\` already.`, {
    hint: "put the entrypoints into one block, or give this api another name",
    related: [{ message: "it is here", span: first }],
  });
}

export interface Resource {
  readonly name: string;
  readonly model: string;
  readonly kind: string;
  readonly declared: Span;
}

export function notAResource(span: Span, { name, model, kind, declared }: Resource): Diagnostic {
  return make(
    "not-a-resource",
    span,
    `\`${model}.${name}\` is ${withArticle(kind)}, which has no records of its own.`,
    {
      hint: "a nested entrypoint is over a reference, a relation or a query for records",
      related: [{ message: `the ${kind} is here`, span: declared }],
    },
  );
}

export interface NotUnique {
  readonly step: string;
  readonly model: string;
  readonly kind: string;
  /** The declaration to change: the step itself, or the reference behind a relation. */
  readonly declared: Span;
  readonly change: string;
}

export function identifyNotUnique(
  span: Span,
  { step, model, kind, declared, change }: NotUnique,
): Diagnostic {
  return make("identify-not-unique", span, `\`${step}\` does not identify a single \`${model}\`.`, {
    hint: change,
    related: [{ message: `this ${kind} is not unique`, span: declared }],
  });
}

export function identifyStep(span: Span, name: string, kind: string, isLast: boolean): Diagnostic {
  const message = isLast
    ? `A record is identified by a field, and \`${name}\` is ${withArticle(kind)}.`
    : `A path to an identifying field goes through references and relations, and \`${name}\` is ${withArticle(kind)}.`;
  const isPath = isLast && (kind === "reference" || kind === "relation");
  return make("identify-not-unique", span, message, {
    ...(isPath ? { hint: `name one of its unique fields: \`${name}.…\`` } : {}),
  });
}

export function identifyType(span: Span, name: string, type: Type): Diagnostic {
  return make("identify-not-unique", span, `\`${name}\` is ${aType(type)}, which cannot stand in a path.`);
}

export function identifyOnSingle(span: Span, resource: string): Diagnostic {
  return make(
    "identify-on-single",
    span,
    `\`${resource}\` is a single record: there is nothing to identify.`,
    {
      hint: "remove `identify`; the path of a single record has no identifier",
    },
  );
}

export function endpointNotAllowed(span: Span, message: string, hint: string): Diagnostic {
  return make("endpoint-not-allowed", span, message, { hint });
}

export function duplicateEndpoint(span: Span, kind: string, first: Span): Diagnostic {
  return make("duplicate-endpoint", span, `This entrypoint has a ${kind} endpoint already.`, {
    related: [{ message: "it is here", span: first }],
  });
}

export function endpointAlias(span: Span, kind: string): Diagnostic {
  return make("property-not-allowed", span, `A ${kind} endpoint has no result to name.`, {
    hint: "create and update endpoints name their result; the record itself is named at the entrypoint",
  });
}

export function routeClash(span: Span, route: string, first: Span): Diagnostic {
  return make("route-clash", span, `The route \`${route}\` is taken already.`, {
    hint: "choose another `path`",
    related: [{ message: "it is taken here", span: first }],
    cause: pathCause(route.replace(/^\w+ /, "")),
  });
}

/** An entrypoint or an api at the path of accounts. */
export function accountPath(span: Span, path: string, { hint, password }: AccountPath): Diagnostic {
  return make("route-clash", span, `The path \`${path}\` is that of logging in and out.`, {
    hint,
    related: [{ message: `\`${path}/login\`, \`/logout\` and \`/me\` come from here`, span: password }],
  });
}

interface AccountPath {
  readonly hint: string;
  readonly password: Span;
}

export function prefixClash(span: Span, prefix: string, first: Span): Diagnostic {
  return make("route-clash", span, `The path "${prefix}" is taken already by an entrypoint.`, {
    hint: "give the api another name, or the entrypoint another `path`",
    related: [{ message: "the entrypoint is here", span: first }],
  });
}

function pathCause(path: string): string {
  return `path ${path.replace(/\{[^}]*\}/g, "{}")}`;
}

export function nestedClash(span: Span, path: string, first: Span): Diagnostic {
  return make("route-clash", span, `The path \`${path}\` is taken already by a nested entrypoint.`, {
    hint: "choose another path",
    related: [{ message: "it is taken here", span: first }],
    cause: pathCause(path),
  });
}

export function segmentClash(span: Span, segment: string, first: Span, what: string): Diagnostic {
  return make("route-clash", span, `The path "${segment}" is taken already by ${what}.`, {
    hint: 'choose another one: `path "…"`',
    related: [{ message: "it is taken here", span: first }],
  });
}

export function invalidPath(span: Span, path: string): Diagnostic {
  return make("invalid-path", span, path === "" ? "A path cannot be empty." : `"${path}" cannot be a path.`, {
    hint: 'for example: `path "publish"`',
  });
}

export function invalidMethod(span: Span, method: string, methods: readonly string[]): Diagnostic {
  const upper = method.toUpperCase();
  const details = methods.includes(upper)
    ? { hint: `methods are written in capitals: \`${upper}\``, fix: replaceBy(span, upper) }
    : didYouMean(span, method, methods, "the methods are");
  return make("invalid-method", span, `\`${method}\` is not a method.`, details);
}

export function invalidCardinality(span: Span, word: string): Diagnostic {
  return make("invalid-method", span, `\`${word}\` is not a cardinality.`, {
    ...didYouMean(span, word, ["one", "many"], "it is one of"),
  });
}

export function routeTwice(span: Span, word: string, first: Span): Diagnostic {
  return make("duplicate-property", span, `The short form has said the \`${word}\` already.`, {
    related: [{ message: "the short form is here", span: first }],
  });
}

export function customIncomplete(span: Span, missing: readonly string[]): Diagnostic {
  return make("missing-property", span, `A custom endpoint needs ${alternatives(missing, "and")}.`, {
    hint: 'in short: `POST one "publish"`',
  });
}

export function pageSize(span: Span, word: string): Diagnostic {
  return make("invalid-page-size", span, `\`${word}\` needs a whole number from 1, written out.`);
}

export function pageSizeOverMax(span: Span, size: number, max: number): Diagnostic {
  return make("invalid-page-size", span, `The page size ${size} is larger than the maximum ${max}.`, {
    hint: `raise the maximum: \`paginable { pageSize ${size}, max ${size} }\``,
  });
}

export function unguarded(span: Span, name: string): Diagnostic {
  return make(
    "unguarded-endpoint",
    span,
    `Everybody may use this endpoint, also without logging in (\`${name}\`).`,
    {
      hint: "guard it, for example with `authorize { @auth is not null }`; if it is public on purpose, say `authorize { true }`",
    },
  );
}

export interface OpenComparison {
  readonly text: string;
  /** The side that is not about the user, as it was written. */
  readonly other: string | undefined;
  /** The condition that it stands in: one mistake, however many comparisons it has. */
  readonly cause: string;
}

/** `post.editor is @auth`, where both may be null. */
export function authMayBeNull(span: Span, { text, other, cause }: OpenComparison): Diagnostic {
  const guard = "@auth is not null and ";
  // A span leaves out the parentheses around its first and last value, and inside of them the guard cannot stand.
  const isWhole = isBalanced(text);
  const when = other === undefined ? ": both sides are null then" : `, where \`${other}\` is null`;
  return make("auth-may-be-null", span, `This holds also without a user${when}.`, {
    hint: `null is null: to let only users in, write \`${guard}${isWhole && !text.includes("\n") ? text : "…"}\``,
    ...(isWhole ? { fix: insertAt(span, guard) } : {}),
    cause,
  });
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

export function ruleNeedsRecord(span: Span, rule: Span): Diagnostic {
  return make(
    "out-of-place",
    span,
    "This endpoint works on no single record, and a rule of its entrypoint needs one.",
    {
      hint: "put the rule into the endpoints that work on one record, or this endpoint elsewhere",
      related: [{ message: "the rule is here", span: rule }],
    },
  );
}
