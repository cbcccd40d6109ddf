// Actions and requests.

import type { Type } from "@stoa/definition";
import { aType } from "../describe-type.js";
import type { Diagnostic, Span } from "../diagnostic.js";
import { alternatives, capital, didYouMean, make, withArticle } from "./make.js";

export function targetNeeded(span: Span, action: string): Diagnostic {
  return make("action-target", span, `In a custom endpoint, \`${action}\` needs a target.`, {
    hint:
      action === "create"
        ? "for example: `create Book as book { … }`"
        : `for example: \`${action} book${action === "update" ? " { … }" : ""}\``,
  });
}

export function wrongTarget(span: Span, action: string, found: Type, wanted: string): Diagnostic {
  return make("action-target", span, `\`${action}\` needs ${wanted}, and this is ${aType(found)}.`);
}

export function unknownTarget(span: Span, name: string, known: readonly string[]): Diagnostic {
  return make("action-target", span, `There is nothing called \`${name}\` to act on.`, {
    cause: `target ${name}`,
    ...didYouMean(span, name, known, "there are"),
  });
}

export function modelTarget(span: Span, action: string, model: string): Diagnostic {
  return make("action-target", span, `\`${action}\` needs a record, and \`${model}\` is a model.`, {
    hint: `to change many records, use \`query { from ${model}, filter { … }, ${action}${action === "update" ? " { … }" : ""} }\``,
  });
}

export function alwaysThere(span: Span, path: string): Diagnostic {
  return make("action-target", span, `\`${path}\` always exists, so it cannot be created.`, {
    hint: "only a single record that may be missing can be created; make the reference `nullable`, or `update` it",
  });
}

export function queryTarget(span: Span, path: string): Diagnostic {
  return make("action-target", span, `\`${path}\` is a query: a record cannot be created through it.`, {
    hint: "create it through a relation, or name its model",
  });
}

export function wrongPrimary(span: Span, action: string, endpoint: string): Diagnostic {
  return make(
    "primary-action",
    span,
    `${capital(withArticle(action))} without a target cannot stand in ${withArticle(endpoint)} endpoint.`,
    {
      hint: `the action without a target is the endpoint's own ${endpoint}; give this one a target`,
    },
  );
}

export function secondPrimary(span: Span, kind: string, first: Span): Diagnostic {
  return make("primary-action", span, `The endpoint's own ${kind} stands here twice.`, {
    hint: "give this action a target",
    related: [{ message: "the first one is here", span: first }],
  });
}

export function resultNamedTwice(span: Span, first: Span): Diagnostic {
  return make("alias-shadows", span, "The result of this endpoint has a name already.", {
    hint: "name it once: at the endpoint or at the action",
    related: [{ message: "it is named here", span: first }],
  });
}

export function notWritable(span: Span, name: string, reason: string): Diagnostic {
  return make("not-writable", span, `\`${name}\` cannot be written.`, { hint: reason });
}

export function notAReference(span: Span, name: string): Diagnostic {
  return make("not-writable", span, `\`${name}\` is a field, and only a reference can be found by a path.`, {
    hint: `take it from the request as it is: \`input { ${name} }\``,
  });
}

export function mentionedTwice(span: Span, name: string, first: Span): Diagnostic {
  return make("mentioned-twice", span, `\`${name}\` is mentioned twice.`, {
    hint: "a member is an input, is set, or is denied: one of them",
    related: [{ message: "the first time is here", span: first }],
  });
}

export function missingValue(span: Span, name: string, hint: string): Diagnostic {
  return make("missing-value", span, `\`${name}\` would have no value.`, { hint });
}

export function populateMissing(span: Span, model: string, names: readonly string[]): Diagnostic {
  const verb = names.length === 1 ? "has" : "have";
  return make("missing-value", span, `${alternatives(names, "and")} of \`${model}\` ${verb} no value.`, {
    hint: `set ${names.length === 1 ? "it" : "each"}: \`set ${names[0]} …\`, or give a default in the model`,
  });
}

export function inputClash(span: Span, name: string, first: Span | undefined, what: string): Diagnostic {
  return make("input-clash", span, `The request would have \`${name}\` twice.`, {
    hint: what,
    ...(first ? { related: [{ message: "the other one is here", span: first }] } : {}),
  });
}

export function inputNeedsAlias(span: Span, names: readonly string[], heading: string): Diagnostic {
  return make(
    "input-needs-alias",
    span,
    `This action takes ${alternatives(names, "and")} from the request, and has no name.`,
    {
      hint: `name it: \`${heading} as <alias> { … }\`; its inputs stand under that name in the request`,
    },
  );
}

export function noBody(span: Span, method: string, names: readonly string[]): Diagnostic {
  return make(
    "out-of-place",
    span,
    `A ${method} request has no body to take ${alternatives(names, "and")} from.`,
    {
      hint: "use another method, or set the values: `set … …`",
    },
  );
}

export function unknownInput(span: Span, key: string, known: readonly string[]): Diagnostic {
  const suggestion = didYouMean(span, key, known, "its inputs are");
  const fix = suggestion.fix && { ...suggestion.fix, text: `"${suggestion.fix.text}"` };
  return make("unknown-input", span, `The request has no input "${key}".`, {
    ...suggestion,
    ...(fix ? { fix } : {}),
  });
}

export function unusedInput(span: Span, name: string): Diagnostic {
  return make("unused-input", span, `The input \`${name}\` is never used.`, {
    hint: "use it in an action, or remove it",
  });
}

export function requiredAndOptional(span: Span, first: Span): Diagnostic {
  return make("mentioned-twice", span, "An input is `required` or `optional`, not both.", {
    related: [{ message: "the other one is here", span: first }],
  });
}

export function respondMisplaced(span: Span, message: string, hint: string, first?: Span): Diagnostic {
  return make("respond-misplaced", span, message, {
    hint,
    ...(first ? { related: [{ message: "the other one is here", span: first }] } : {}),
  });
}

export function invalidStatus(span: Span): Diagnostic {
  return make("invalid-literal", span, "A status is a number from 200 to 599.");
}

export function headerType(span: Span, found: Type): Diagnostic {
  return make(
    "type-mismatch",
    span,
    `A header is a string, a list of strings or null, and this is ${aType(found)}.`,
    {
      hint: "write `stringify(…)`",
    },
  );
}

export function invalidHeader(span: Span, name: string): Diagnostic {
  return make("invalid-literal", span, `"${name}" is not the name of a header.`, {
    hint: 'for example: `"X-Total"`',
  });
}

export function executeNeedsHook(span: Span): Diagnostic {
  return make("missing-property", span, "An execute action needs `hook`.", {
    hint: 'for example: `execute { hook { source notify from "./hooks.ts" } }`',
  });
}

export function respondNeedsBody(span: Span): Diagnostic {
  return make("missing-property", span, "A respond action needs `body`.", {
    hint: "for example: `respond { body { ok: true } }`; for an answer without content, leave `respond` out",
  });
}
