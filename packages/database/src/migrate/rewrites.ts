// Which changes of a type write the whole table anew, under a lock that lets nobody in.

import { parseType } from "../schema/column-type.js";
import type { Pairing } from "../schema/pairs.js";
import type { Step } from "../schema/step.js";

export interface Rewrite {
  readonly table: string;
  readonly column: string;
  readonly from: string;
  readonly to: string;
}

/** Null if the step leaves the rows alone. */
export function rewriteOf({ kind, affects }: Step, { pairs }: Pairing): Rewrite | null {
  if (kind !== "change-type") return null;
  const pair = pairs.find(({ to }) => to.name === affects.table);
  const column = pair?.columns.find(({ to }) => to.name === affects.columns[0]);
  if (!pair || !column || isFree(column.from.type, column.to.type)) return null;
  return {
    table: pair.to.name,
    column: column.to.name,
    from: column.from.type,
    to: column.to.type,
  };
}

/** More digits before the point, or no limit any more: the stored values are the same. */
function isFree(fromSql: string, toSql: string): boolean {
  const [from, to] = [parseType(fromSql), parseType(toSql)];
  if (from.family !== "decimal" || to.family !== "decimal") return false;
  if (to.precision === undefined) return true;
  return from.scale === to.scale && (from.precision ?? Number.POSITIVE_INFINITY) <= to.precision;
}
