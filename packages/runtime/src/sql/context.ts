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
  | { readonly kind: "limit" }
  | { readonly kind: "offset" };

export class Context {
  readonly bindings: Binding[] = [];
  readonly #models: ReadonlyMap<string, Model>;
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
    const type = binding.kind === "path" || binding.kind === "user" ? columnType(binding.type) : "bigint";
    return `$${index + 1}::${type}`;
  }
}
