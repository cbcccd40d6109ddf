// How many rows a table has, about: as PostgreSQL's planner sees it, which takes no time.

import { DatabaseError, type Queryable } from "../connection/database.js";

/** `table` as SQL. Null if there is no such table yet. */
export async function estimateRows(queryable: Queryable, table: string): Promise<number | null> {
  try {
    const [size] = await queryable.query<{ size: string | null }>(
      "SELECT pg_relation_size(to_regclass($1))::text AS size",
      [table],
    );
    if (size?.size === null || size === undefined) return null;
    if (size.size === "0") return 0;
    const [plan] = await queryable.query<Record<string, unknown>>(
      `EXPLAIN (FORMAT JSON) SELECT FROM ${table}`,
    );
    return rowsOf(plan?.["QUERY PLAN"]);
  } catch (error) {
    // The name is a person's, and may be anything.
    if (error instanceof DatabaseError && error.kind === "other") return null;
    throw error;
  }
}

function rowsOf(plan: unknown): number | null {
  const [first] = Array.isArray(plan) ? plan : [];
  const rows: unknown = first?.Plan?.["Plan Rows"];
  return typeof rows === "number" ? rows : null;
}
