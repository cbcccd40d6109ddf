// What PostgreSQL would do: its plan for a statement, and the sizes of the tables in it. Nothing is run but a
// count that stops early.

import { type Database, DatabaseError, type Queryable, qualifyName } from "@stoa/database";
import type { Model } from "@stoa/definition";
import type { Binding } from "../sql/context.js";
import { type ExplainedPlan, LARGE_TABLE, type PlanNode, type TableSize } from "./explanation.js";
import { flatten, tokensOf } from "./sql-tokens.js";

export interface PlannedStatement {
  readonly sql: string;
  readonly bindings: readonly Binding[];
  readonly pageSize: number | null;
}

export async function readPlan(
  database: Database,
  statement: PlannedStatement,
  models: readonly Model[],
): Promise<ExplainedPlan> {
  try {
    return await database.transaction((transaction) => explainIn(transaction, statement, models));
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const isMissing = error.sqlState === "42P01" || error.sqlState === "42703";
    const reason = isMissing ? "the database does not match the models: run `stoa db push`" : error.message;
    return { kind: "none", reason };
  }
}

const NAME = "stoa_explained";

/** As a prepared statement with a plan for any values: what requests get once the server has seen a few. */
async function explainIn(
  transaction: Queryable,
  statement: PlannedStatement,
  models: readonly Model[],
): Promise<ExplainedPlan> {
  const { sql, count } = firstPage(statement);
  await transaction.execute("set local plan_cache_mode = force_generic_plan");
  await transaction.execute(`prepare ${NAME} as ${sql}`);
  const call = `execute ${NAME}${count === 0 ? "" : `(${Array(count).fill("null").join(", ")})`}`;
  try {
    const lines = await transaction.query<{ "QUERY PLAN": string }>(`explain ${call}`);
    const tree = await readTree(transaction, call);
    const tables = await readSizes(transaction, tablesOf(tree), models);
    return { kind: "plan", lines: lines.map((line) => line["QUERY PLAN"]), tree, tables };
  } finally {
    await transaction.execute(`deallocate ${NAME}`).catch(() => {});
  }
}

/** Where the page begins and ends is worth knowing for the plan, and most ask for the first: it is written out. */
function firstPage({ sql, bindings, pageSize }: PlannedStatement): { sql: string; count: number } {
  const numbers = new Map<string, string>();
  let count = 0;
  for (const [index, { kind }] of bindings.entries()) {
    const isPage = kind === "limit" || kind === "offset";
    if (!isPage) count++;
    const value = kind === "limit" ? String(pageSize ?? "null") : kind === "offset" ? "0" : `$${count}`;
    numbers.set(`$${index + 1}`, value);
  }
  const tokens = tokensOf(sql).map((token) => ({ ...token, text: numbers.get(token.text) ?? token.text }));
  return { sql: flatten(tokens), count };
}

async function readTree(database: Queryable, statement: string): Promise<PlanNode> {
  const [row] = await database.query<{ "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>(
    `explain (format json) ${statement}`,
  );
  const plan = row?.["QUERY PLAN"][0]?.Plan;
  if (plan === undefined) throw new Error("PostgreSQL gave no plan.");
  return plan;
}

function tablesOf(tree: PlanNode): string[] {
  const own = tree["Relation Name"] === undefined ? [] : [tree["Relation Name"]];
  return [...new Set([...own, ...(tree.Plans ?? []).flatMap(tablesOf)])];
}

async function readSizes(
  database: Queryable,
  names: readonly string[],
  models: readonly Model[],
): Promise<TableSize[]> {
  const tables = models.map(({ table }) => table.name).filter((name) => names.includes(name));
  const sizes: TableSize[] = [];
  for (const table of tables) {
    const from = qualifyName("public", table);
    const [row] = await database.query<{ rows: number }>(
      `select count(*)::integer as rows from (select 1 from ${from} limit ${LARGE_TABLE + 1}) v`,
    );
    const { "Plan Rows": estimate } = await readTree(database, `select 1 from ${from}`);
    sizes.push({ table, rows: row?.rows ?? 0, estimate });
  }
  return sizes;
}
