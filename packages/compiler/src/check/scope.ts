// What the names of an expression can mean, and what is known about them.

import type { Type, VariableExpression } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";

export interface Variable {
  readonly name: string;
  /** `this`: another name of the current record (the alias of a query). */
  readonly kind: Exclude<VariableExpression["variable"], "owner" | "auth">;
  readonly type: Type;
  readonly span: Span;
}

export interface Scope {
  /** Where the expression stands, for messages: "a filter". */
  readonly place: string;
  /** Aliases, inputs, arguments and iterators. */
  readonly variables: ReadonlyMap<string, Variable>;
  /** Names that exist nearby but cannot be used here, with the reason. */
  readonly hidden: ReadonlyMap<string, HiddenName>;
  /** The model whose members can be named directly. */
  readonly model: string | undefined;
  /** How those members are reached: the current record or the owner of a query. */
  readonly self: "this" | "owner";
  /** A record that is being created: only what it stores can be named. */
  readonly creating: boolean;
  /** Secrets may be read: rules and validations, never what a client sees. */
  readonly secrets: boolean;
  /** Why `@auth` cannot be used here; undefined when it can. */
  readonly noAuth: string | undefined;
  readonly onZero: "null" | "error";
  /** Paths that are known not to be null. */
  readonly facts: ReadonlySet<string>;
  /** `fake(…)` can be called. */
  readonly fakes: boolean;
  /** Names whose use is of interest (extra inputs): each use is added. */
  readonly used: Set<string>;
}

export interface HiddenName {
  readonly span: Span;
  readonly reason: string;
}

export const EMPTY_SCOPE: Scope = {
  place: "an expression",
  variables: new Map(),
  hidden: new Map(),
  model: undefined,
  self: "this",
  creating: false,
  secrets: false,
  noAuth: undefined,
  onZero: "null",
  facts: new Set(),
  fakes: false,
  used: new Set(),
};

/** The scope of expressions about one record of a model. */
export function scopeOfModel(scope: Scope, model: string | undefined, place: string): Scope {
  const { variables, hidden, secrets, noAuth, onZero, fakes, used } = scope;
  const facts = withoutSelf(scope.facts);
  // Written out, not spread: most scopes are made here, and engines are slow at spreads of spreads.
  return {
    place,
    variables,
    hidden,
    model,
    self: "this",
    creating: false,
    secrets,
    noAuth,
    onZero,
    facts,
    fakes,
    used,
  };
}

/** Facts about the current record do not hold for another one. */
function withoutSelf(facts: ReadonlySet<string>): ReadonlySet<string> {
  if (facts.size === 0) return facts;
  return new Set([...facts].filter((fact) => !/^(this|owner)(\.|$)/.test(fact)));
}

export function withVariable(scope: Scope, variable: Variable): Scope {
  return { ...scope, variables: new Map(scope.variables).set(variable.name, variable) };
}

export function withFacts(scope: Scope, facts: Iterable<string>): Scope {
  const added = [...facts];
  return added.length === 0 ? scope : { ...scope, facts: new Set([...scope.facts, ...added]) };
}
