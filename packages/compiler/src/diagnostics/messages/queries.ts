// Computeds, queries and hooks.

import type { Type } from "@stoa/definition";
import { aType } from "../describe-type.js";
import type { Diagnostic, Span } from "../diagnostic.js";
import { make } from "./make.js";
import { aliasShadows, modelAsName, unknownModel } from "./names.js";

export const aliasTaken = aliasShadows;
export const unknownSource = unknownModel;

export interface ComputedType {
  readonly name: string;
  readonly type: Type;
  /** The expression as it was written. */
  readonly text: string;
  /** It is a path that a query can begin with. */
  readonly isPath: boolean;
}

/** A computed that is no value: records, collections, objects, lists. */
export function computedType(span: Span, computed: ComputedType): Diagnostic {
  const { type } = computed;
  const hint = computedInstead(computed);
  return type.kind === "collection"
    ? make("collection-value", span, `A computed is one value, and this is ${aType(type)}.`, { hint })
    : make("type-mismatch", span, `A computed is a value, and this is ${aType(type)}.`, { hint });
}

function computedInstead({ name, type, text, isPath }: ComputedType): string {
  const shown = text.includes("\n") ? "…" : text;
  const response = `\`${name}: ${shown}\``;
  if (type.kind === "record") {
    return isPath
      ? `take one of its members, as in \`${shown}.id\`; for the record itself, write \`query ${name} { from ${shown}, first }\``
      : `take one of its members, as in \`….id\`; a response can show the record itself: ${response}`;
  }
  if (type.kind !== "collection") {
    return `make a computed of each of its parts; a response can show the whole: ${response}`;
  }
  const aggregate = "an aggregate such as `count(…)` or `max(…)` makes one value of it";
  return type.of.kind === "record" && isPath
    ? `${aggregate}; for the records themselves, write \`query ${name} { from ${shown} }\``
    : `${aggregate}; a response can show them all: ${response}`;
}

export function missingFrom(span: Span, what: string): Diagnostic {
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  return make("missing-property", span, `${subject} needs \`from\`.`, { hint: "for example: `from books`" });
}

/** `from User` where only paths can stand, or `from User.books`. */
export function modelSource(span: Span, name: string, fromModels: boolean): Diagnostic {
  const hint = fromModels
    ? `take all its records, \`from ${name}\`, or begin the path with an alias`
    : "a query of a model begins with one of its relations, references or queries";
  return modelAsName(span, name, hint);
}

export function notRecords(span: Span, found: Type): Diagnostic {
  return make("query-shape", span, `A query is over records, and this is ${aType(found)}.`, {
    hint: "name a relation, a reference or a query",
  });
}

export function countNeeded(span: Span, word: string, least: number): Diagnostic {
  return make("query-shape", span, `\`${word}\` needs a whole number from ${least}, written out.`);
}

export function twoResults(span: Span, first: Span): Diagnostic {
  return make("query-shape", span, "A query gives one kind of result.", {
    hint: "keep one of `first`, `one` and the aggregates",
    related: [{ message: "the first one is here", span: first }],
  });
}

export function aggregateValue(span: Span, name: string, takesValue: boolean): Diagnostic {
  return takesValue
    ? make("query-shape", span, `\`${name}\` needs what to take of each record.`, {
        hint: `for example: \`${name}(price)\``,
      })
    : make("query-shape", span, `\`${name}\` takes nothing of the records.`, {
        hint: `write just \`${name}\``,
      });
}

export function twoOperations(span: Span, first: Span): Diagnostic {
  return make("query-shape", span, "A query action does one thing.", {
    hint: "keep one of `select`, `update` and `delete`",
    related: [{ message: "the first one is here", span: first }],
  });
}

export function aggregateWithOperation(span: Span, word: string): Diagnostic {
  return make("query-shape", span, `A query with an aggregate has no records to ${word}.`);
}

export function limitedWrite(span: Span, word: string): Diagnostic {
  return make("query-shape", span, `\`${word}\` cannot stand in a query that changes records.`, {
    hint: "say with `filter` which records to change",
  });
}

export function hookCode(span: Span, count: number): Diagnostic {
  return make(
    "hook-shape",
    span,
    count === 0 ? "This hook has no code." : "A hook has one code: a `source` or an `inline`.",
    { hint: 'for example: `source greet from "./hooks.ts"` or `inline "1 + 1"`' },
  );
}

export function emptyHookText(span: Span, what: string): Diagnostic {
  return make("hook-shape", span, `${what} is empty.`);
}

export function hookQuerySelect(span: Span): Diagnostic {
  return make("missing-property", span, "A hook's query needs `select`.", {
    hint: "for example: `query { select { id, name } }`",
  });
}

export function hookQueryAggregate(span: Span): Diagnostic {
  return make("query-shape", span, "A query with an aggregate selects nothing.", {
    hint: "write the aggregate as an expression: `arg total count(books)`",
  });
}
