// Auth, runtimes, generators and populators.

import type { Diagnostic, Span } from "../diagnostic.js";
import { didYouMean, make, withArticle } from "./make.js";

export function duplicateAuth(span: Span, first: Span): Diagnostic {
  return make("duplicate-auth", span, "A program has one `auth` block.", {
    related: [{ message: "the first one is here", span: first }],
  });
}

export function authField(span: Span, name: string, needs: string, declared: Span): Diagnostic {
  return make("auth-field", span, `\`${name}\` must be ${needs} to serve here.`, {
    related: [{ message: "it is declared here", span: declared }],
  });
}

export function secondDefaultRuntime(span: Span, first: Span): Diagnostic {
  return make("runtime-default", span, "Only one runtime can be the default.", {
    related: [{ message: "the default is here already", span: first }],
  });
}

export function noDefaultRuntime(span: Span): Diagnostic {
  return make("runtime-default", span, "There are several runtimes, and none is the default.", {
    hint: "say which one hooks use: `runtime … { default … }`",
  });
}

export function runtimeNeedsSource(span: Span, name: string): Diagnostic {
  return make("missing-property", span, `The runtime \`${name}\` needs \`source path\`.`, {
    hint: 'for example: `source path "./hooks"`',
  });
}

export function clientTarget(span: Span, name: string): Diagnostic {
  return make(
    "syntax",
    span,
    `A client cannot be made for \`${name}\`.`,
    didYouMean(span, name, ["ts", "js"], "the targets are"),
  );
}

export function duplicateGenerator(span: Span, kind: string, first: Span): Diagnostic {
  const what = kind === "apidocs" ? "generator" : "generator with this output";
  return make("duplicate-name", span, `There is ${withArticle(kind)} ${what} already.`, {
    related: [{ message: "it is here", span: first }],
  });
}

export function populateTarget(span: Span, name: string, kind: string, declared: Span): Diagnostic {
  return make("populate-target", span, `\`${name}\` is ${withArticle(kind)}, which cannot be populated.`, {
    hint: "inside a populate, name a relation; its records get the reference to their parent by themselves",
    related: [{ message: `the ${kind} is here`, span: declared }],
  });
}

export function populateUnique(span: Span, name: string): Diagnostic {
  return make("invalid-repeat", span, `There can only be one \`${name}\` for each parent.`, {
    hint: "remove `repeat`: the reference behind this relation is unique",
  });
}

export function repeatRange(span: Span, message: string, hint: string): Diagnostic {
  return make("invalid-repeat", span, message, { hint });
}
