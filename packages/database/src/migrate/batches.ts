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
    const end = await lastId(context.session, run.table);
    let [last, rows] = [await readProgress(placed, context), 0];
    while (end !== null) {
      const batch = await runBatch({ placed, context, statement, after: last, end, ...run });
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

/** Rows that come while the batches run are no longer our business; under load there would be no end to them. */
async function lastId(session: Queryable, table: string): Promise<string | null> {
  const [row] = await session.query<{ id: string }>(
    `SELECT "id"::text AS id FROM ${table} ORDER BY ${table}."id" DESC LIMIT 1`,
  );
  return row?.id ?? null;
}

interface Batch {
  readonly placed: PlacedStep;
  readonly context: RunContext;
  readonly statement: string;
  readonly table: string;
  readonly size: number;
  /** The last id that is done. */
  readonly after: string | null;
  readonly end: string;
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
  { table, size, after, end }: Pick<Batch, "table" | "size" | "after" | "end">,
): Promise<Range | undefined> {
  const condition = after === null ? '"id" <= $1' : '"id" <= $1 AND "id" > $2';
  const [row] = await transaction.query<{ rows: number; first: string | null; last: string | null }>(
    `SELECT count(*)::integer AS rows, (array_agg(id))[1] AS first, (array_agg(id))[count(*)::integer] AS last
     FROM (SELECT "id"::text AS id FROM ${table} WHERE ${condition} ORDER BY ${table}."id" LIMIT ${size}) AS batch`,
    after === null ? [end] : [end, after],
  );
  if (!row?.first || !row.last) return undefined;
  return { rows: row.rows, first: row.first, last: row.last };
}
