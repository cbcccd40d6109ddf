// Names: declared twice, not declared, or meaning two things.

import type { Diagnostic, Related, Span } from "../diagnostic.js";
import { didYouMean, make, replaceBy, withArticle } from "./make.js";

export function duplicateName(span: Span, name: string, owner: string, first: Span): Diagnostic {
  return make("duplicate-name", span, `The name \`${name}\` is taken already in ${owner}.`, {
    related: [{ message: "it is taken here", span: first }],
  });
}

export function builtInName(span: Span, name: string, kind: string): Diagnostic {
  const what = kind === "enum" ? "type" : kind;
  return make("duplicate-name", span, `\`${name}\` is ${withArticle(what)} that is built in.`, {
    hint: `give the ${kind} another name`,
  });
}

export function emptyEnum(span: Span, name: string): Diagnostic {
  return make("missing-property", span, `The enum \`${name}\` has no values.`, {
    hint: `for example: \`enum ${name} { draft, published }\``,
  });
}

export function unknownModel(span: Span, name: string, known: readonly string[]): Diagnostic {
  return make("unknown-model", span, `There is no model \`${name}\`.`, {
    cause: `model ${name}`,
    ...didYouMean(span, name, known, "the models are"),
  });
}

/** `books.count`: aggregates are functions. */
export function aggregateMember(span: Span, name: string, collection: string): Diagnostic {
  const isOfRecords = name === "count" || name === "exists";
  return make("unknown-member", span, `A collection has no \`${name}\`.`, {
    hint: `write \`${name}(${collection}${isOfRecords ? "" : ".…"})\``,
  });
}

export interface UnknownMember {
  readonly model: string;
  readonly known: readonly string[];
  /** "member", or narrower: "field", "reference". */
  readonly kind?: string;
  /** What could be declared to make it exist. */
  readonly example?: string;
}

export function unknownMember(span: Span, name: string, details: UnknownMember): Diagnostic {
  const { model, known, kind = "member", example } = details;
  const suggestion = didYouMean(span, name, known, `\`${model}\` has`);
  return make("unknown-member", span, `The model \`${model}\` has no ${kind} \`${name}\`.`, {
    cause: `member ${model}.${name}`,
    ...(example && !suggestion.fix ? { hint: `declare it there: \`${example}\`` } : suggestion),
  });
}

/** `Stage.draft`: values of enums are texts. */
export function enumAsName(span: Span, name: string, value: string): Diagnostic {
  return make("unknown-name", span, `\`${name}\` is an enum: its values are written as texts.`, {
    hint: `write "${value}"`,
    fix: { title: `Replace by "${value}"`, span, text: `"${value}"` },
  });
}

/** `auth` without its `@`. */
export function authWithoutSign(span: Span): Diagnostic {
  return make("unknown-name", span, "There is nothing called `auth` here.", {
    hint: "the user who is logged in is `@auth`",
    fix: { title: "Replace by `@auth`", span, text: "@auth" },
  });
}

/** `now`: a function is called. */
export function functionAsName(span: Span, name: string, call: string): Diagnostic {
  return make("unknown-name", span, `\`${name}\` is a function.`, {
    hint: `call it: \`${call}\``,
    ...(call.endsWith("()") ? { fix: replaceBy(span, call) } : {}),
  });
}

/** A model where a record is meant. */
export function modelAsName(span: Span, name: string, hint: string): Diagnostic {
  return make("unknown-name", span, `\`${name}\` is a model, not a record.`, { hint });
}

export function unknownName(span: Span, name: string, known: readonly string[], quoted?: string): Diagnostic {
  const details =
    quoted === undefined
      ? didYouMean(span, name, known, "names that can be used here")
      : {
          hint: `\`${name}\` is a value of the enum \`${quoted}\`: write it in quotes`,
          fix: { title: `Replace by "${name}"`, span, text: `"${name}"` },
        };
  return make("unknown-name", span, `There is nothing called \`${name}\` here.`, {
    cause: `name ${name}`,
    ...details,
  });
}

/** A name that exists, but in another place. */
export function nameOutOfScope(span: Span, name: string, reason: string, declared: Span): Diagnostic {
  return make("unknown-name", span, `\`${name}\` cannot be used here.`, {
    hint: reason,
    related: [{ message: `\`${name}\` is declared here`, span: declared }],
    cause: `scope ${name}`,
  });
}

export function unknownFunction(span: Span, name: string, known: readonly string[]): Diagnostic {
  return make("unknown-function", span, `There is no function \`${name}\`.`, {
    cause: `function ${name}`,
    ...didYouMean(span, name, known, "the functions are"),
  });
}

export function unknownValidator(span: Span, name: string, known: readonly string[]): Diagnostic {
  return make("unknown-validator", span, `There is no validator \`${name}\`.`, {
    cause: `validator ${name}`,
    ...didYouMean(span, name, known, "the validators are"),
  });
}

export function unknownEnumValue(
  span: Span,
  value: string,
  name: string,
  known: readonly string[],
): Diagnostic {
  const suggestion = didYouMean(span, value, known, "its values are");
  const fix = suggestion.fix && { ...suggestion.fix, text: `"${suggestion.fix.text}"` };
  return make("unknown-enum-value", span, `The enum \`${name}\` has no value "${value}".`, {
    ...suggestion,
    ...(fix ? { fix } : {}),
    cause: `enum ${name}.${value}`,
  });
}

export function ambiguousName(span: Span, name: string, meanings: readonly Related[]): Diagnostic {
  return make("ambiguous-name", span, `\`${name}\` could mean two things here.`, {
    hint: "rename one of them",
    related: meanings,
    cause: `ambiguous ${name}`,
  });
}

export function aliasShadows(span: Span, name: string, first: Span): Diagnostic {
  return make("alias-shadows", span, `The name \`${name}\` is taken already.`, {
    hint: "give this one another name; an alias means one thing wherever it can be used",
    related: [{ message: "it is taken here", span: first }],
  });
}
