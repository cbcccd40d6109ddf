// What the rows of a program say: each is a text with a mark.

import type { Action } from "@stoa/definition";
import type { InputError, Problem } from "../exchange.js";
import { conditionFails, pointerOf } from "../input/index.js";
import { invalid } from "../input/query-string.js";
import { MARK } from "../plan/plan.js";
import { type Lookup, WRITE_MARK } from "../plan/write/program.js";
import { NOT_FOUND, OVERTAKEN, refusalOf, TAKEN } from "./refusals.js";

type Rows = readonly Uint8Array[];

/** The rest of the first row with a mark, as text. */
export function textOf(rows: Rows, mark: number): string | undefined {
  const row = rows.find((each) => each[0] === mark);
  return row === undefined
    ? undefined
    : Buffer.from(row.buffer, row.byteOffset + 1, row.length - 1).toString();
}

export function has(rows: Rows, mark: number): boolean {
  return rows.some((row) => row[0] === mark);
}

/** A reason why nothing was written, if the rows of a statement give one. */
export function reasonOf(rows: Rows, lookups: readonly Lookup[], actions: readonly Action[]): Problem | null {
  const refusal = refusalOf(rows);
  if (refusal !== undefined) return refusal;
  if (has(rows, WRITE_MARK.changed)) return CHANGED;
  if (has(rows, WRITE_MARK.missing)) return NOT_FOUND;
  if (has(rows, WRITE_MARK.taken)) return TAKEN;
  const errors = rows.flatMap((row) => errorOf(row, lookups, actions));
  if (errors.length > 0) return invalid(errors);
  return has(rows, WRITE_MARK.overtaken) ? OVERTAKEN : null;
}

const CHANGED: Problem = {
  kind: "problem",
  code: "precondition-failed",
  detail: "The record is not the one that If-Match names",
};

function errorOf(row: Uint8Array, lookups: readonly Lookup[], actions: readonly Action[]): InputError[] {
  if (row[0] !== WRITE_MARK.lookup && row[0] !== WRITE_MARK.invalid) return [];
  const index = Number(Buffer.from(row).toString("latin1", 1));
  if (row[0] === WRITE_MARK.lookup) {
    const path = pointerOf(lookups[index]?.field ?? []);
    return [{ path, code: "not-found", message: "names a record that does not exist" }];
  }
  const action = actions[index];
  const key = action?.kind === "validate" ? action.key : [];
  const { code, message } = conditionFails();
  return [{ path: pointerOf(key), code, message }];
}

export function hasRecord(rows: Rows): boolean {
  return has(rows, MARK.record);
}
