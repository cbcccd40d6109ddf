// Models: fields, references, relations, and the names they get in the database.

import type { Diagnostic, Span } from "../diagnostic.js";
import { didYouMean, make, replaceBy, withArticle } from "./make.js";

interface Name {
  readonly text: string;
  readonly span: Span;
}

interface Named {
  readonly name: Name;
}

export function unknownType(
  span: Span,
  name: string,
  known: readonly string[],
  foreign?: string,
): Diagnostic {
  const details = foreign
    ? { hint: `it is called \`${foreign}\` here`, fix: replaceBy(span, foreign) }
    : didYouMean(span, name, known, "the types are");
  return make("unknown-type", span, `There is no type \`${name}\`.`, { ...details, cause: `type ${name}` });
}

export function modelAsType(span: Span, model: string): Diagnostic {
  return make("unknown-type", span, `\`${model}\` is a model, not a type.`, {
    hint: `to point at a record of it, write \`reference … { to ${model} }\` instead of a field`,
  });
}

export function typeArguments(span: Span, type: string): Diagnostic {
  return make("invalid-type", span, `The type \`${type}\` takes no arguments.`, {
    hint: "only `decimal(precision, scale)` does; to limit a length, write `validate { maxLength(…) }`",
  });
}

export function decimalArguments(span: Span): Diagnostic {
  return make("invalid-type", span, "These are not the arguments of a `decimal`.", {
    hint: "write `decimal` or, for 10 digits of which 2 stand after the point, `decimal(10, 2)`",
  });
}

export function idType(span: Span, type: string): Diagnostic {
  return make("invalid-type", span, `An id cannot be ${withArticle(type)}.`, {
    hint: "an id is an `integer` (without saying so) or a `uuid`",
  });
}

export function idIsThere(span: Span): Diagnostic {
  return make("duplicate-name", span, "Every model has an `id` already.", {
    hint: "leave it out; to choose its type, write `id { type uuid }`",
  });
}

export function setNullNeedsNullable(span: Span, reference: Name): Diagnostic {
  return make("set-null-needs-nullable", span, `The reference \`${reference.text}\` cannot be set to null.`, {
    hint: "add `nullable` to it, or choose `cascade` or `restrict`",
    related: [{ message: "it is not nullable", span: reference.span }],
  });
}

export interface RelationMismatch {
  readonly other: Named;
  readonly model: Named;
  readonly reference: Named;
  readonly target: Name;
}

export function relationMismatch(
  span: Span,
  { other, model, reference, target }: RelationMismatch,
): Diagnostic {
  const name = `${other.name.text}.${reference.name.text}`;
  return make(
    "relation-mismatch",
    span,
    `\`${name}\` points at \`${target.text}\`, not at \`${model.name.text}\`.`,
    {
      hint: `a relation goes through a reference that points back at its own model, \`${model.name.text}\``,
      related: [{ message: "the reference is here", span: reference.name.span }],
    },
  );
}

export function notAReference(span: Span, kind: string, other: Named, declared: Name): Diagnostic {
  const name = `${other.name.text}.${declared.text}`;
  return make("relation-mismatch", span, `\`${name}\` is ${withArticle(kind)}, not a reference.`, {
    hint: "a relation is the other side of a reference",
    related: [{ message: `the ${kind} is here`, span: declared.span }],
  });
}

export function defaultNotConstant(span: Span): Diagnostic {
  return make("default-not-constant", span, "A default cannot depend on other values.", {
    hint: "it is made of literals and functions such as `now()`; a value that depends on others is a `computed`, or is `set` by an action",
  });
}

export function notStored(span: Span, name: string, kind: string, declared: Span): Diagnostic {
  return make("not-stored", span, `\`${name}\` is ${withArticle(kind)}, and is not stored in the table.`, {
    hint: "keys and indexes are made of fields and references",
    related: [{ message: `the ${kind} is here`, span: declared }],
  });
}

export function emptyList(span: Span, kind: "unique" | "index"): Diagnostic {
  const what = kind === "unique" ? "A key" : "An index";
  return make("missing-property", span, `${what} needs at least one field or reference.`, {
    hint: `for example: \`${kind} { lastName, firstName }\``,
  });
}

export function stillThere(span: Span, name: string, declared: Span): Diagnostic {
  return make("invalid-was", span, `\`${name}\` still exists, so nothing was renamed.`, {
    hint: "`was` gives the old name of something that was renamed; remove it when it is not",
    related: [{ message: `\`${name}\` is here`, span: declared }],
  });
}

export function renamedTwice(span: Span, name: string, first: Span): Diagnostic {
  return make("invalid-was", span, `\`${name}\` can only have become one thing.`, {
    related: [{ message: "it is named here already", span: first }],
  });
}

export interface Collision {
  readonly what: "table" | "column";
  readonly name: string;
  readonly names: readonly [string, string];
  readonly first: Span;
}

export function collision(span: Span, { what, name, names, first }: Collision): Diagnostic {
  const message = `\`${names[0]}\` and \`${names[1]}\` would share the ${what} "${name}".`;
  return make("name-collision", span, message, {
    hint: `rename one of them, or give one another name in the database: \`dbname "…"\``,
    related: [{ message: `the ${what} is taken here`, span: first }],
  });
}

export function nameTooLong(span: Span, name: string, limit: number): Diagnostic {
  return make("invalid-database-name", span, `"${name}" is too long for a name in the database.`, {
    hint: `PostgreSQL keeps ${limit} bytes: choose a shorter name, or give one with \`dbname "…"\``,
  });
}

export function systemColumn(span: Span, name: string): Diagnostic {
  return make("invalid-database-name", span, `PostgreSQL keeps the column "${name}" for itself.`, {
    hint: 'choose another name, or give one with `dbname "…"`',
  });
}

export function emptyDatabaseName(span: Span): Diagnostic {
  return make("invalid-database-name", span, "A name in the database cannot be empty.");
}
