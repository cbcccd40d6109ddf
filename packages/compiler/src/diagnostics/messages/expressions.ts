// Types of expressions.

import type { Type } from "@stoa/definition";
import { aType, describeType } from "../describe-type.js";
import type { Diagnostic, Fix, Span } from "../diagnostic.js";
import { capital, didYouMean, make, plural } from "./make.js";

export interface Operands {
  readonly operator: string;
  readonly left: Type;
  readonly right: Type;
  readonly hint?: string;
  readonly fix?: Fix;
}

export function operandTypes(span: Span, { operator, left, right, hint, fix }: Operands): Diagnostic {
  return make("operand-type", span, `\`${operator}\` cannot join ${aType(left)} and ${aType(right)}.`, {
    ...(hint ? { hint } : {}),
    ...(fix ? { fix } : {}),
  });
}

export function mixedList(span: Span, before: Type, found: Type): Diagnostic {
  return make(
    "operand-type",
    span,
    `A list holds values of one type, and this is ${aType(found)} after ${aType(before)}.`,
  );
}

export function operandType(span: Span, operator: string, found: Type, wanted: string): Diagnostic {
  return make("operand-type", span, `\`${operator}\` needs ${wanted}, and this is ${aType(found)}.`);
}

export function notComparable(span: Span, { operator, left, right, hint }: Operands): Diagnostic {
  return make("not-comparable", span, `\`${operator}\` cannot compare ${aType(left)} with ${aType(right)}.`, {
    ...(hint ? { hint } : {}),
  });
}

export function inNeedsMany(span: Span, found: Type): Diagnostic {
  return make(
    "not-comparable",
    span,
    `\`in\` needs a list or a collection on its right side, not ${aType(found)}.`,
    {
      hint: 'for example `status in ["draft", "published"]` or `tag in post.tags`',
    },
  );
}

export function argumentCount(span: Span, name: string, wanted: string, given: number): Diagnostic {
  const were = given === 1 ? "was" : "were";
  return make("argument-count", span, `\`${name}\` takes ${wanted}, and ${given} ${were} given.`);
}

/** "1 argument", "2 or 3 arguments", "at least 1 argument". */
export function countRange(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return `at least ${plural(least, "argument")}`;
  if (least === most) return least === 0 ? "no arguments" : plural(least, "argument");
  return `${least} or ${plural(most, "argument")}`;
}

/** An aggregate over what cannot be added up or put into an order. */
export function aggregateType(span: Span, name: string, wanted: string, found: Type): Diagnostic {
  return make("argument-type", span, `\`${name}\` needs ${wanted}, and this is ${aType(found)}.`, {
    ...(found.kind === "collection"
      ? { hint: `name what to take of each record: \`${name}(books.price)\`` }
      : {}),
  });
}

export function argumentType(span: Span, name: string, wanted: string, found: Type): Diagnostic {
  return make("argument-type", span, `\`${name}\` needs ${wanted} here, and this is ${aType(found)}.`, {
    ...(found.kind === "collection"
      ? { hint: "an aggregate such as `count(…)` or `max(…)` makes one value of it" }
      : {}),
  });
}

export function typeMismatch(span: Span, what: string, wanted: Type, found: Type): Diagnostic {
  const hint = mismatchHint(wanted, found);
  return make("type-mismatch", span, `${what} is ${aType(wanted)}, and this is ${aType(found)}.`, {
    ...(hint ? { hint } : {}),
  });
}

function mismatchHint(wanted: Type, found: Type): string | undefined {
  if (wanted.kind === "string")
    return found.kind === "record" ? "name the member to take" : "write `stringify(…)`";
  if (wanted.kind === "decimal" && found.kind === "float")
    return "a float is not exact: compute with decimals or integers";
  if (wanted.kind === "datetime" && found.kind === "date") return "a datetime has a time and an offset";
  return undefined;
}

export function nullableValue(span: Span, what: string, path: string, alternative: string): Diagnostic {
  return make(
    "nullable-value",
    span,
    path === "null" ? `${what} cannot be null.` : `${what} cannot be null, and \`${path}\` may be.`,
    {
      hint: alternative,
    },
  );
}

export function notBoolean(span: Span, what: string, found: Type): Diagnostic {
  return make("not-boolean", span, `${what} must be true or false, and this is ${aType(found)}.`, {
    ...(found.nullable && found.kind !== "null"
      ? { hint: "to ask whether there is one, write `… is not null`" }
      : {}),
  });
}

export function collectionValue(span: Span, what: string, found: Type): Diagnostic {
  return make("collection-value", span, `${what} needs one value, and this is ${aType(found)}.`, {
    hint: "an aggregate such as `count(…)`, `max(…)` or `exists(…)` makes one value of it; or use `in`",
  });
}

export function notOrderable(span: Span, found: Type): Diagnostic {
  const hint =
    found.kind === "record"
      ? "name the member to order by, for example `author.name`"
      : found.kind === "collection"
        ? "an aggregate such as `count(…)` or `max(…)` makes one value of it"
        : undefined;
  return make("not-orderable", span, `Records cannot be ordered by ${aType(found)}.`, hint ? { hint } : {});
}

export function noMembers(span: Span, name: string, found: Type): Diagnostic {
  return make("no-members", span, `${capital(aType(found))} has no \`${name}\`.`, {
    ...(found.kind === "null"
      ? {}
      : { hint: "only records, collections of records and json values have members" }),
  });
}

export function noSelect(span: Span, name: string, found: Type | string): Diagnostic {
  const what = typeof found === "string" ? found : aType(found);
  return make("no-members", span, `\`${name}\` is ${what}: there is nothing to choose from it.`, {
    hint: `write just \`${name}\``,
  });
}

export function unknownPart(span: Span, name: string, known: readonly string[]): Diagnostic {
  return make(
    "unknown-member",
    span,
    `There is no \`${name}\` in this.`,
    didYouMean(span, name, known, "it has"),
  );
}

/** `shown` is the literal as it was written: texts in quotes. */
export function invalidLiteral(span: Span, shown: string, type: Type): Diagnostic {
  return make("invalid-literal", span, `${shown} is not ${aType(type)}.`, { hint: literalHint(type) });
}

function literalHint(type: Type): string {
  if (type.kind !== "decimal" || type.precision === undefined || type.scale === undefined) {
    return `write it like ${literalExample(type)}`;
  }
  return `it holds at most ${plural(type.precision - type.scale, "digit")} before the point and ${type.scale} after it`;
}

function literalExample(type: Type): string {
  switch (type.kind) {
    case "date":
      return '"2026-11-14"';
    case "datetime":
      return '"2026-11-14T10:20:30.123Z"';
    case "uuid":
      return '"018f4e6e-7c5b-7a57-9d3e-2f7a1c0b9e44"';
    case "decimal":
      return '"9.99"';
    default:
      return describeType(type);
  }
}

export function secretExposed(span: Span, name: string, place: string): Diagnostic {
  return make("secret-exposed", span, `\`${name}\` is secret and cannot be used in ${place}.`, {
    hint: "a secret can be written, and compared in rules and validations, but nothing a client sees may depend on it",
    cause: `secret ${name}`,
  });
}

export function hookNotHere(span: Span, name: string, place: string): Diagnostic {
  return make("hook-not-here", span, `The hook \`${name}\` cannot be used in ${place}.`, {
    hint: "hooks run in the server after the records are read: they can only be members of a response",
  });
}

export function authMissing(span: Span): Diagnostic {
  return make("auth-missing", span, "There is no `auth` block, so there is no `@auth`.", {
    hint: "declare who the users are: `auth { model User, password { identify email, secret password } }`",
    cause: "auth",
  });
}

export function outOfPlace(span: Span, what: string, place: string, hint: string): Diagnostic {
  return make("out-of-place", span, `${what} cannot be used in ${place}.`, { hint });
}

export function cycle(span: Span, path: readonly string[]): Diagnostic {
  const shown = path.map((name) => `\`${name}\``).join(" → ");
  return make("cycle", span, `\`${path[0]}\` depends on itself.`, {
    hint: `the cycle is ${shown}`,
    cause: `cycle ${[...new Set(path)].sort().join(" ")}`,
  });
}

export function unknownFake(span: Span, kind: string, known: readonly string[]): Diagnostic {
  const details = didYouMean(span, kind, known, "the kinds are");
  const fix = details.fix && { ...details.fix, text: `"${details.fix.text}"` };
  return make("argument-type", span, `There is no kind of fake value called "${kind}".`, {
    ...details,
    ...(fix ? { fix } : {}),
  });
}

export function literalNeeded(span: Span, name: string, what: string): Diagnostic {
  return make("argument-type", span, `\`${name}\` needs ${what} here, written out as a literal.`);
}
