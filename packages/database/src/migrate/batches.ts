// A statement for many rows, some thousands at a time in the order of their ids, each time in a transaction that
// also notes how far it has come. Rows are locked for moments, and a statement that must not run twice does not.

import type { Queryable } from "../connection/database.js";
import { estimateRows } from "./estimate.js";
import { recordStep } from "./history.js";
import { inTransaction, placeOf, type RunContext, recordDone } from "./run-context.js";
import { splitStatements } from "./sql-text.js";
import type { PlacedStep } from "./units.js";

export async function runBatches(placed: PlacedStep, context: RunContext): Promise<void> {
  const [statement] = splitStatements(placed.step.sql);
  const { run } = placed.step;
  if (statement !== undefined && run.kind === "batches") {
    const total = await estimateRows(context.session, run.table);
    const place = placeOf(placed, context);
    let [last, rows] = [await readProgress(placed, context), 0];
    for (;;) {
      const batch = await runBatch({ placed, context, statement, after: last, ...run });
      if (!batch) break;
      last = batch.last;
      rows += batch.rows;
      context.onEvent({ kind: "rows", place, rows, total: Math.max(total ?? 0, rows) });
    }
  }
  await inTransaction(context, (transaction) => recordDone(transaction, placed, context));
}

/** Asked for, not remembered: this may be another attempt after some batches. */
async function readProgress({ index }: PlacedStep, context: RunContext): Promise<string | null> {
  const [row] = await context.session.query<{ progress: string | null }>(
    "SELECT progress FROM _stoa.migration_step WHERE number = $1 AND step = $2",
    [context.number, index],
  );
  return row?.progress ?? null;
}

interface Batch {
  readonly placed: PlacedStep;
  readonly context: RunContext;
  readonly statement: string;
  readonly table: string;
  readonly size: number;
  /** The last id that is done. */
  readonly after: string | null;
}

interface Range {
  readonly rows: number;
  readonly first: string;
  readonly last: string;
}

async function runBatch({ placed, context, statement, ...batch }: Batch): Promise<Range | undefined> {
  let range: Range | undefined;
  await inTransaction(context, async (transaction) => {
    await transaction.execute(`SET LOCAL lock_timeout = ${context.lockTimeoutMs}`);
    range = await nextRange(transaction, batch);
    if (!range) return;
    await transaction.query(statement, [range.first, range.last]);
    const checksum = context.checksumOf(placed.step);
    const { number } = context;
    await recordStep(transaction, { number, step: placed.index, checksum, progress: range.last });
  });
  return range;
}

async function nextRange(
  transaction: Queryable,
  { table, size, after }: Pick<Batch, "table" | "size" | "after">,
): Promise<Range | undefined> {
  const condition = after === null ? "" : ' WHERE "id" > $1';
  const [row] = await transaction.query<{ rows: number; first: string | null; last: string | null }>(
    `SELECT count(*)::integer AS rows, (array_agg(id))[1] AS first, (array_agg(id))[count(*)::integer] AS last
     FROM (SELECT "id"::text AS id FROM ${table}${condition} ORDER BY ${table}."id" LIMIT ${size}) AS batch`,
    after === null ? [] : [after],
  );
  if (!row?.first || !row.last) return undefined;
  return { rows: row.rows, first: row.first, last: row.last };
}
