// The FROM and WHERE of a query while it is being written. Tables are joined when an expression first needs a
// column of theirs, and once only; so a query is rendered last, when all its expressions are written.

import { qualifyName, quoteName } from "@stoa/database";
import type { Model } from "@stoa/definition";
import type { Context } from "./context.js";

/** Where a model's table is. */
export function tableOf(model: Model): string {
  return qualifyName("public", model.table.name);
}

/** A single record in reach of an expression. */
export interface SqlRecord {
  readonly model: Model;
  /** Whether there may be no such record; all its columns are null then. */
  readonly isNullable: boolean;
  column(name: string): string;
  /** The record that a single relationship leads to. */
  follow(link: Link): SqlRecord;
}

/** A single relationship: a reference, a unique relation, or a query for one record. */
export interface Link {
  readonly name: string;
  readonly model: Model;
  /** Whether a record that is there may lead to none. */
  readonly isNullable: boolean;
  joinTo(record: SqlRecord, from: From): SqlRecord;
}

export function idOf(record: SqlRecord): string {
  return record.column(idColumn(record.model));
}

export function idColumn({ table }: Model): string {
  const [column] = table.primaryKey.columns;
  if (column === undefined) throw new Error(`The table \`${table.name}\` has no primary key.`);
  return column;
}

export class From {
  readonly context: Context;
  readonly #tables: string[] = [];
  readonly #conditions: string[] = [];
  readonly #followed = new Map<string, SqlRecord>();

  constructor(context: Context) {
    this.context = context;
  }

  /** The first table, or a further one whose rows are all combined with those before: `where` narrows them. */
  add(source: string): string {
    const name = this.context.freshName();
    this.#tables.push(this.#tables.length === 0 ? `${source} ${name}` : `cross join ${source} ${name}`);
    return name;
  }

  /** A table under a name that was taken before. */
  addNamed(source: string, name: string): void {
    this.#tables.push(`${source} ${name}`);
  }

  join(source: string, on: (name: string) => string): string {
    const name = this.context.freshName();
    if (this.#tables.length === 0) {
      this.#tables.push(`${source} ${name}`);
      const condition = on(name);
      if (condition !== "true") this.where(condition);
    } else this.#tables.push(`join ${source} ${name} on ${on(name)}`);
    return name;
  }

  leftJoin(source: string, on: (name: string) => string): string {
    // One row to begin with: values of a record that is being created may be all there is.
    if (this.#tables.length === 0) this.add("(select)");
    const name = this.context.freshName();
    this.#tables.push(`left join ${source} ${name} on ${on(name)}`);
    return name;
  }

  where(condition: string): void {
    this.#conditions.push(condition);
  }

  /** The records of single relationships: joined once for all that mention them. */
  followOnce(key: string, make: () => SqlRecord): SqlRecord {
    const known = this.#followed.get(key);
    if (known !== undefined) return known;
    const record = make();
    this.#followed.set(key, record);
    return record;
  }

  /** ` from … where …`; begins with a space, and is empty where there are no tables. */
  render(): string {
    const from = this.#tables.length === 0 ? "" : ` from ${this.#tables.join(" ")}`;
    return this.#conditions.length === 0 ? from : `${from} where ${this.#conditions.join(" and ")}`;
  }
}

interface TableOptions {
  readonly from: From;
  readonly model: Model;
  readonly isNullable?: boolean;
  /** Columns whose values are known without the table: the id of a referenced record is in the reference. */
  readonly known?: ReadonlyMap<string, string>;
  /** The table's name in the query, joined when first asked for. */
  readonly join: () => string;
}

/** A record that is a row of a table of the query. */
export class TableRecord implements SqlRecord {
  readonly model: Model;
  readonly isNullable: boolean;
  readonly #options: TableOptions;
  #name: string | undefined;

  constructor(options: TableOptions) {
    this.model = options.model;
    this.isNullable = options.isNullable ?? false;
    this.#options = options;
  }

  column(name: string): string {
    return this.#options.known?.get(name) ?? `${this.tableName()}.${quoteName(name)}`;
  }

  follow(link: Link): SqlRecord {
    const { from } = this.#options;
    return from.followOnce(`${idOf(this)} ${link.name}`, () => link.joinTo(this, from));
  }

  /** The table's name in its query. */
  tableName(): string {
    this.#name ??= this.#options.join();
    return this.#name;
  }
}

/** The record of a table that is already in the query. */
export function rowRecord(from: From, model: Model, name: string): TableRecord {
  return new TableRecord({ from, model, join: () => name });
}

/**
 * A record that does not depend on the rows of the query around it, such as the user: its columns are queries
 * of their own, which PostgreSQL runs once per statement.
 */
export class LoneRecord implements SqlRecord {
  readonly model: Model;
  readonly isNullable: boolean;
  readonly #context: Context;
  readonly #find: (from: From) => SqlRecord;

  constructor(
    context: Context,
    about: { readonly model: Model; readonly isNullable: boolean },
    find: (from: From) => SqlRecord,
  ) {
    this.model = about.model;
    this.isNullable = about.isNullable;
    this.#context = context;
    this.#find = find;
  }

  column(name: string): string {
    const from = new From(this.#context);
    const column = this.#find(from).column(name);
    return `(select ${column}${from.render()})`;
  }

  follow(link: Link): SqlRecord {
    const about = { model: link.model, isNullable: this.isNullable || link.isNullable };
    return new LoneRecord(this.#context, about, (from) => this.#find(from).follow(link));
  }
}
