// Rules over a record as it will be. The statement that writes a row works out its new values first, asks the rules
// about them, and writes only if they hold: so what a rule forbids needs no second statement, and no undoing.

import { columnTypeSql, quoteName } from "@stoa/database";
import type { Expression, Model } from "@stoa/definition";
import { From, idColumn, type Link, type SqlRecord, TableRecord } from "../../sql/from.js";
import type { Scope } from "../../sql/scope.js";
import { markOf } from "../refusal.js";
import type { Refusal } from "./program.js";

/** Clauses about a record that is about to be written, and the alias that names it in them. */
export interface ImageRules {
  readonly alias: string;
  readonly clauses: readonly Expression[];
}

/** The query that makes the new values. */
export interface ImageSource {
  readonly model: Model;
  readonly scope: Scope;
  /** Columns that are written, with their values. */
  readonly written: readonly (readonly [column: string, sql: string])[];
  /** The record as it is now; null for a new one. */
  readonly old: SqlRecord | null;
  /** The query, once it is known what else it has to give: `expression as "name"`. */
  render(columns: readonly string[]): string;
}

export interface Judged {
  readonly heads: readonly string[];
  /** Tables with the columns that are written, of those rows that the rules allow. */
  readonly allowed: string;
  readonly refusal: Refusal;
}

const ALLOWED = quoteName("$allowed");

/** `suffix` keeps the names of several apart. */
export function judge({ alias, clauses }: ImageRules, source: ImageSource, suffix: string): Judged {
  const { model, scope, written } = source;
  const [image, judged] = [quoteName(`$image${suffix}`), quoteName(`$judged${suffix}`)];
  const from = new From(scope.context);
  const carried = new Carried(from.add(image));
  const columns = new Map(written.map(([column]) => [column, carried.column(column)]));
  const record = new ImageRecord(model, from, (column) => {
    const known = columns.get(column);
    if (known !== undefined) return known;
    return source.old === null ? missing(model, column) : carried.carry(source.old.column(column));
  });
  const inner = { ...scope, strict: null, aliases: carriedAliases(scope, from, carried).set(alias, record) };
  const allowed = clauses.map((clause) => scope.emitter.condition(clause, inner)).join(" and ");
  const verdict = `select ${carried.table}.*, coalesce(${allowed}, false) as ${ALLOWED}${from.render()}`;
  const values = written.map(([column, sql]) => `(${sql})::${typeOf(model, column)} as ${quoteName(column)}`);
  return {
    heads: [
      `${image} as (${source.render([...values, ...carried.columns()])})`,
      `${judged} as materialized (${verdict})`,
    ],
    allowed: `(select * from ${judged} where ${ALLOWED})`,
    refusal: {
      mark: markOf(scope),
      condition: `exists (select 1 from ${judged} where not ${ALLOWED})`,
      isOfGround: true,
    },
  };
}

function typeOf({ table }: Model, name: string): string {
  const column = table.columns.find((each) => each.name === name);
  if (column === undefined) throw new Error(`The table \`${table.name}\` has no column \`${name}\`.`);
  return columnTypeSql(column.type);
}

/** What nothing writes is null; but the number of a new record is not known before it is there. */
function missing(model: Model, column: string): string {
  if (column === idColumn(model)) throw new Error(`A rule needs the id of a new \`${model.name}\`.`);
  return `(null::${typeOf(model, column)})`;
}

/** Rows of the query that makes the new values are out of sight here: what is needed of them comes along. */
function carriedAliases({ aliases }: Scope, from: From, carried: Carried): Map<string, SqlRecord> {
  return new Map(
    [...aliases].map(([alias, record]) => {
      const isRow = record instanceof TableRecord;
      const { model } = record;
      return [
        alias,
        isRow ? new ImageRecord(model, from, (column) => carried.carry(record.column(column))) : record,
      ];
    }),
  );
}

class Carried {
  readonly table: string;
  readonly #names = new Map<string, string>();

  constructor(table: string) {
    this.table = table;
  }

  column(name: string): string {
    return `${this.table}.${quoteName(name)}`;
  }

  /** An expression of the inner query, for the outer one. */
  carry(sql: string): string {
    const name = this.#names.get(sql) ?? `$carried${this.#names.size}`;
    this.#names.set(sql, name);
    return this.column(name);
  }

  columns(): string[] {
    return [...this.#names].map(([sql, name]) => `${sql} as ${quoteName(name)}`);
  }
}

class ImageRecord implements SqlRecord {
  readonly model: Model;
  readonly isNullable = false;
  readonly #from: From;
  readonly #columnOf: (name: string) => string;
  readonly #followed = new Map<string, SqlRecord>();

  constructor(model: Model, from: From, columnOf: (name: string) => string) {
    this.model = model;
    this.#from = from;
    this.#columnOf = columnOf;
  }

  column(name: string): string {
    return this.#columnOf(name);
  }

  follow(link: Link): SqlRecord {
    const record = this.#followed.get(link.name) ?? link.joinTo(this, this.#from);
    this.#followed.set(link.name, record);
    return record;
  }
}
