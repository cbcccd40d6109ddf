// What all checks share: the program, the reports, and the computeds and queries as they become known.

import type { Expression, Hook, Place, Query, Rule, SelectItem, Type } from "@stoa/definition";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/expressions.js";
import type { Member, Model, Program } from "../resolve/program.js";
import { ANY, withNull } from "./types.js";

export interface Check {
  readonly program: Program;
  /** The model of users, when there is an auth block; undefined while it is broken. */
  readonly auth: { readonly model: string | undefined } | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly placeOf: (span: Span) => Place;
  /** A definition will be made of what is checked; otherwise only mistakes are of interest. */
  readonly isForDefinition: boolean;
  /** The source text under a span, for fixes that wrap it. */
  readonly textOf: (span: Span) => string;
  /** Checks a computed or a query; given from outside, since it needs the expressions that need it. */
  readonly derive: (check: Check, model: Model, member: DerivedMember) => Derived;
  /** Computeds and queries, by `Model.member`; filled on first use. */
  readonly derived: Map<string, Derived>;
  /** Those that are being checked, outermost first. */
  readonly inProgress: string[];
  /** Models whose members have been checked, by name. */
  readonly models: Map<string, CheckedModel>;
  /** What goes out of a model's records when nothing is selected, by name; filled on first use. */
  readonly directFields: Map<string, readonly SelectItem[]>;
}

/** What the expressions of a model's members came to, by member name. */
export interface CheckedModel {
  readonly model: Model;
  readonly defaults: ReadonlyMap<string, Expression>;
  readonly rules: ReadonlyMap<string, Rule>;
  readonly hooks: ReadonlyMap<string, Hook>;
}

export type DerivedMember = Extract<Member, { kind: "computed" | "query" }>;

export type Derived =
  | { readonly kind: "computed"; readonly type: Type; readonly value: Expression }
  | { readonly kind: "query"; readonly type: Type; readonly query: Query | undefined };

export function modelOf(check: Check, name: string): Model | undefined {
  return check.program.models.get(name);
}

export function typeOfMember(check: Check, model: Model, member: Member): Type {
  switch (member.kind) {
    case "id":
      return member.type;
    case "field":
      return member.type ?? ANY;
    case "key": {
      const target = member.reference.to === undefined ? undefined : modelOf(check, member.reference.to);
      const id = target?.members.get("id");
      return id?.kind === "id" ? withNull(id.type, member.reference.nullable) : ANY;
    }
    case "reference":
      return member.to === undefined ? ANY : { kind: "record", model: member.to, nullable: member.nullable };
    case "relation": {
      if (member.from === undefined || !member.through) return ANY;
      const record: Type = { kind: "record", model: member.from, nullable: member.through.unique };
      return member.through.unique ? record : { kind: "collection", of: record, nullable: false };
    }
    case "computed":
    case "query":
      return derivedOf(check, model, member)?.type ?? ANY;
    case "hook":
      return ANY;
  }
}

/** A computed or query, checked on first use; meeting one that is being checked already is a cycle. */
export function derivedOf(check: Check, model: Model, member: DerivedMember): Derived | undefined {
  const key = `${model.name}.${member.name}`;
  const known = check.derived.get(key);
  if (known) return known;
  const start = check.inProgress.indexOf(key);
  if (start >= 0) {
    check.report(say.cycle(member.span, [...check.inProgress.slice(start), key]));
    return undefined;
  }
  check.inProgress.push(key);
  const derived = check.derive(check, model, member);
  check.inProgress.pop();
  check.derived.set(key, derived);
  return derived;
}
