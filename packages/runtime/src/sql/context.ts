// What one statement is made of while it is being written: the models it can look at, names for its tables,
// and its parameters.

import type { Definition, Model, ValueType } from "@stoa/definition";
import { columnType } from "./types.js";

/** Where the value of a parameter comes from when the statement runs. */
export type Binding =
  /** A parameter of the route, by its place in the path. */
  | { readonly kind: "path"; readonly index: number; readonly type: ValueType }
  /** The id of the authenticated user, or null. */
  | { readonly kind: "user"; readonly type: ValueType }
  /** The hash of the token of a session, or null. */
  | { readonly kind: "session" }
  /** The subject that a signed token names, or null. */
  | { readonly kind: "subject"; readonly type: ValueType }
  | { readonly kind: "limit" }
  | { readonly kind: "offset" }
  /** A value of the request, by its path in the body. */
  | { readonly kind: "input"; readonly path: readonly string[]; readonly type: ValueType }
  /** Whether the request brings that value. */
  | { readonly kind: "given"; readonly path: readonly string[] }
  /** The id of a new record, made by the server. */
  | { readonly kind: "new id"; readonly action: number }
  /** The entity tags that the record may have, or null for any. */
  | { readonly kind: "tags" }
  /** What a hook gave for a member that is written. */
  | { readonly kind: "hook"; readonly call: number; readonly type: ValueType };

export class Context {
  readonly bindings: Binding[] = [];
  readonly #models: ReadonlyMap<string, Model>;
  /** Whether the statement looks at collections: at nobody knows how many rows. */
  readsMany = false;
  #names = 0;

  constructor({ models }: Pick<Definition, "models">) {
    this.#models = new Map(models.map((model) => [model.name, model]));
  }

  model(name: string): Model {
    const model = this.#models.get(name);
    if (model === undefined) throw new Error(`The definition has no model \`${name}\`.`);
    return model;
  }

  /** A name that nothing else in the statement has, so that inner queries can always see the outer ones. */
  freshName(): string {
    this.#names++;
    return `t${this.#names}`;
  }

  /** `$1::bigint`; the same binding gives the same parameter. */
  parameter(binding: Binding): string {
    const key = JSON.stringify(binding);
    let index = this.bindings.findIndex((each) => JSON.stringify(each) === key);
    if (index < 0) index = this.bindings.push(binding) - 1;
    return `$${index + 1}::${bindingType(binding)}`;
  }
}

function bindingType(binding: Binding): string {
  switch (binding.kind) {
    case "path":
    case "user":
    case "subject":
    case "input":
    case "hook":
      return columnType(binding.type);
    case "limit":
    case "offset":
      return "bigint";
    case "given":
      return "boolean";
    case "new id":
      return "uuid";
    case "tags":
      return "text[]";
    case "session":
      return "text";
  }
}
