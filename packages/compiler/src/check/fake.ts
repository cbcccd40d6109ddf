// `fake("…")`: realistic values for populators. The table says which kinds exist and what they give; the
// generator that makes them lives with the populators' runner.

import type { Expression, Type } from "@stoa/definition";
import * as say from "../diagnostics/messages/expressions.js";
import type { CallExpr } from "../syntax/tree.js";
import type { Check } from "./context.js";
import { isDate, isDateTime, type Typed } from "./literal.js";
import type { Scope } from "./scope.js";
import { ANY, BOOLEAN, DECIMAL, FLOAT, INTEGER, STRING } from "./types.js";

const DATE: Type = { kind: "date", nullable: false };
const DATETIME: Type = { kind: "datetime", nullable: false };
const UUID: Type = { kind: "uuid", nullable: false };

/** Kinds without arguments. */
const PLAIN: Readonly<Record<string, Type>> = {
  firstName: STRING,
  lastName: STRING,
  fullName: STRING,
  username: STRING,
  email: STRING,
  phone: STRING,
  url: STRING,
  jobTitle: STRING,
  company: STRING,
  product: STRING,
  color: STRING,
  street: STRING,
  city: STRING,
  country: STRING,
  zipCode: STRING,
  word: STRING,
  sentence: STRING,
  paragraph: STRING,
  boolean: BOOLEAN,
  uuid: UUID,
  pastDate: DATE,
  futureDate: DATE,
  pastDatetime: DATETIME,
  futureDatetime: DATETIME,
};

/** Kinds with a range: `fake("integer", 1, 100)`. */
const RANGED: Readonly<Record<string, Type>> = {
  integer: INTEGER,
  float: FLOAT,
  decimal: DECIMAL,
  date: DATE,
  datetime: DATETIME,
};

export const FAKE_KINDS: readonly string[] = [
  ...Object.keys(PLAIN),
  ...Object.keys(RANGED),
  "words",
  "oneOf",
];

const BROKEN: Expression = { kind: "literal", type: ANY, value: null };

export function inferFake(check: Check, syntax: CallExpr, args: readonly Typed[], scope: Scope): Expression {
  if (!scope.fakes) {
    const hint = "fake values are for populators";
    check.report(say.outOfPlace(syntax.callee.span, "`fake`", scope.place, hint));
    return BROKEN;
  }
  const [kind, ...rest] = args;
  if (kind?.syntax.kind !== "string") {
    check.report(say.literalNeeded(kind?.syntax.span ?? syntax.span, "fake", "the kind of value"));
    return BROKEN;
  }
  const type = fakeType(check, syntax, { kind: kind.syntax.value, rest });
  if (!type) return BROKEN;
  return { kind: "call", type, function: "fake", arguments: args.map((arg) => arg.value) };
}

interface FakeCall {
  readonly kind: string;
  readonly rest: readonly Typed[];
}

function fakeType(check: Check, syntax: CallExpr, { kind, rest }: FakeCall): Type | undefined {
  if (Object.hasOwn(PLAIN, kind)) return checkCount(check, syntax, rest, 0) ? PLAIN[kind] : undefined;
  if (Object.hasOwn(RANGED, kind)) return rangedType(check, syntax, { kind, rest });
  if (kind === "words")
    return checkCount(check, syntax, rest, 1) && isInteger(check, rest[0]) ? STRING : undefined;
  if (kind === "oneOf") return oneOfType(check, syntax, rest);
  const span = syntax.arguments[0]?.span ?? syntax.span;
  check.report(say.unknownFake(span, kind, FAKE_KINDS));
  return undefined;
}

function checkCount(check: Check, syntax: CallExpr, rest: readonly Typed[], wanted: number): boolean {
  if (rest.length === wanted) return true;
  const kind = syntax.arguments[0];
  const name = kind?.kind === "string" ? `fake("${kind.value}")` : "fake";
  const range =
    wanted === 0 ? "no further arguments" : `${wanted} further argument${wanted === 1 ? "" : "s"}`;
  check.report(say.argumentCount(syntax.span, name, range, rest.length));
  return false;
}

function isInteger(check: Check, arg: Typed | undefined): boolean {
  if (!arg || arg.value.type.kind === "integer" || arg.value.type.kind === "any") return true;
  check.report(say.argumentType(arg.syntax.span, "fake", "an integer", arg.value.type));
  return false;
}

function rangedType(check: Check, syntax: CallExpr, { kind, rest }: FakeCall): Type | undefined {
  if (!checkCount(check, syntax, rest, 2)) return undefined;
  const type = RANGED[kind] ?? ANY;
  const wrong = rest.find((arg) => !fitsRange(arg, type));
  if (!wrong) return type;
  const what =
    type.kind === "date" || type.kind === "datetime"
      ? `a ${type.kind} such as "2026-01-31${type.kind === "date" ? "" : "T00:00:00Z"}"`
      : type.kind === "integer"
        ? "an integer"
        : "a number";
  check.report(say.argumentType(wrong.syntax.span, "fake", what, wrong.value.type));
  return undefined;
}

function fitsRange({ syntax, value }: Typed, type: Type): boolean {
  if (value.type.kind === "any" || value.type.kind === type.kind) return true;
  if (type.kind === "date") return syntax.kind === "string" && isDate(syntax.value);
  if (type.kind === "datetime") return syntax.kind === "string" && isDateTime(syntax.value);
  return type.kind !== "integer" && (value.type.kind === "integer" || value.type.kind === "float");
}

function oneOfType(check: Check, syntax: CallExpr, rest: readonly Typed[]): Type | undefined {
  if (!checkCount(check, syntax, rest, 1)) return undefined;
  const [list] = rest;
  const type = list?.value.type;
  if (type?.kind === "array" && list?.value.kind === "array" && list.value.items.length > 0) return type.of;
  if (type?.kind === "any") return undefined;
  check.report(
    say.argumentType(list?.syntax.span ?? syntax.span, "fake", 'a list such as ["a", "b"]', type ?? ANY),
  );
  return undefined;
}
