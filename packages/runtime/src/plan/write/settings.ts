// Settings of the transaction: what steps hand on to later ones. They end with the transaction, whichever way.

import { qualifyName } from "@stoa/database";
import type { Model } from "@stoa/definition";
import type { Context } from "../../sql/context.js";
import { LoneRecord, rowRecord } from "../../sql/from.js";
import type { SqlResult } from "../../sql/scope.js";

/** Holds while nothing was refused. A setting that ended with another transaction is empty, not missing. */
export const GOES_ON = "current_setting('stoa.go', true) = '1'";
export const GO_ON = "set_config('stoa.go', '1', true)";
export const STOP = "set_config('stoa.go', '0', true)";

export function keep(name: string, sql: string): string {
  return `set_config('stoa.${name}', coalesce(${sql}, ''), true)`;
}

function kept(name: string): string {
  return `nullif(current_setting('stoa.${name}', true), '')`;
}

function tableType(model: Model): string {
  return `null::${qualifyName("public", model.table.name)}`;
}

/** A record as it was when it was kept. */
export function keptRecord(context: Context, about: { model: Model; isNullable: boolean }, name: string) {
  const source = `json_populate_record(${tableType(about.model)}, ${kept(name)}::json)`;
  return new LoneRecord(context, about, (from) => rowRecord(from, about.model, from.add(source)));
}

export function keptRecords(model: Model, name: string): SqlResult {
  const source = `json_populate_recordset(${tableType(model)}, ${kept(name)}::json)`;
  return { kind: "records", add: (from) => rowRecord(from, model, from.add(source)) };
}

/** A value of a type; of any type where that is null. */
export function keptValue(name: string, type: string | null): SqlResult {
  return { kind: "value", sql: `(${kept(name)}::${type ?? "jsonb"})`, isAny: type === null };
}
