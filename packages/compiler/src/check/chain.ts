// The way to an endpoint: the entrypoints from the outermost in, and what is known on the way.

import type { Expression, Parameter, Type } from "@stoa/definition";
import type { Span } from "../diagnostics/diagnostic.js";
import type { ReferenceMember } from "../resolve/program.js";
import type { Scope } from "./scope.js";

export interface Chain {
  /** `/api/author/{author_slug}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Stable name so far: `author.books`. */
  readonly name: string;
  readonly scope: Scope;
  /** Some rule above guards what comes below. */
  readonly guarded: boolean;
  readonly depth: number;
  /** The record of the innermost entrypoint so far; undefined at the top of an api. */
  readonly record: ChainRecord | undefined;
}

export interface ChainRecord {
  readonly model: string;
  readonly alias: string;
  readonly value: Expression;
}

export function recordVariable(alias: string, model: string): Expression {
  const type: Type = { kind: "record", model, nullable: false };
  return { kind: "variable", type, variable: "alias", name: alias };
}

/** What an entrypoint is over. */
export interface Target {
  readonly model: string;
  readonly single: boolean;
  /** A single record that may be missing. */
  readonly nullable: boolean;
  readonly via: "model" | "reference" | "relation" | "query";
  readonly member: string | undefined;
  /** The reference that ties the records to their parent: on the parent's side (`via` a reference) or on theirs. */
  readonly reference: ReferenceMember | undefined;
}

/** All about one entrypoint that its endpoints need. */
export interface EntrypointContext {
  readonly chain: Chain;
  readonly target: Target;
  readonly alias: string;
  /** Where the alias was written; undefined when it was made up. */
  readonly aliasSpan: Span | undefined;
  /** Path of the collection and of one record. */
  readonly manyPath: string;
  readonly onePath: string;
  readonly parameters: readonly Parameter[];
  readonly name: string;
  /** Scopes for endpoints without and with a record at hand. */
  readonly manyScope: Scope;
  readonly oneScope: Scope;
  readonly guarded: boolean;
  /** A rule of the entrypoint that is about its own record. */
  readonly recordRule: Span | undefined;
}
