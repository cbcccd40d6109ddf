// The record that a create is about to write: its columns are the expressions that will be written.

import type { Model } from "@stoa/definition";
import type { From, Link, SqlRecord } from "../../sql/from.js";

export class NewRecord implements SqlRecord {
  readonly model: Model;
  readonly isNullable = false;
  readonly #from: From;
  readonly #columns: ReadonlyMap<string, () => string>;
  readonly #underWay = new Set<string>();

  constructor(model: Model, from: From, columns: ReadonlyMap<string, () => string>) {
    this.model = model;
    this.#from = from;
    this.#columns = columns;
  }

  column(name: string): string {
    const write = this.#columns.get(name);
    if (write === undefined) return "null";
    if (this.#underWay.has(name))
      throw new Error(`The value of \`${this.model.name}.${name}\` needs itself.`);
    this.#underWay.add(name);
    const sql = write();
    this.#underWay.delete(name);
    return sql;
  }

  follow(link: Link): SqlRecord {
    return this.#from.followOnce(`new ${link.name}`, () => link.joinTo(this, this.#from));
  }
}
