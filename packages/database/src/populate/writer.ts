// Rows on their way into the database: collected per block, written by COPY when there are enough, while the next
// ones are made. Blocks are written in the order of the plan, so that parents come before their children, also
// where tables refer to each other in a circle.

import type { Queryable } from "../connection/database.js";
import { qualifyName, quoteNames } from "../schema/quote.js";
import { describeTableError } from "./empty.js";
import type { NodePlan, Plan } from "./plan.js";
import { describeRefusal } from "./refusal.js";
import type { Row } from "./row.js";

/** Characters of text that are collected before they are written; two batches are in memory at a time. */
const BATCH_CHARS = 1024 * 1024;
/** Lines are joined early: one flat text is far smaller than what a long chain of additions leaves behind. */
const PIECE_CHARS = 16 * 1024;

export interface Writer {
  /** Takes a row; gives a promise when a batch is full, until which the next row has to wait. */
  take(node: NodePlan, row: Row): Promise<void> | undefined;
  /** Writes what is left. */
  finish(): Promise<void>;
  /** Waits for what is being written, and throws what went wrong with it. */
  settle(): Promise<void>;
}

interface Batch {
  readonly node: NodePlan;
  rows: number;
  /** The text of the rows; the rows themselves are not kept, so that they are gone soon. */
  readonly pieces: string[];
  lines: string[];
  lineChars: number;
}

export interface WriterOptions {
  readonly transaction: Queryable;
  readonly plan: Plan;
  readonly schema: string;
  /** Called after rows have been written. */
  readonly onWritten: (rows: number) => void;
}

export function createWriter(options: WriterOptions): Writer {
  const { plan } = options;
  let batches = emptyBatches(plan);
  let collected = 0;
  let writing: Promise<void> = Promise.resolve();

  const start = (): void => {
    const full = batches.filter((batch) => batch.rows > 0);
    batches = emptyBatches(plan);
    collected = 0;
    writing = writeBatches(options, full);
    // It is waited for later; until then a failure must not count as unhandled.
    writing.catch(() => undefined);
  };

  return {
    take: (node, row) => {
      const batch = batches[node.index];
      if (!batch) throw new Error("The block is not of this plan.");
      collected += addRow(batch, row);
      return collected < BATCH_CHARS ? undefined : writing.then(start);
    },
    finish: async () => {
      await writing;
      start();
      await writing;
    },
    settle: () => writing,
  };
}

function emptyBatches({ nodes }: Plan): Batch[] {
  return nodes.map((node) => ({ node, rows: 0, pieces: [], lines: [], lineChars: 0 }));
}

/** Gives the length of the row's line. */
function addRow(batch: Batch, row: Row): number {
  const { columns } = batch.node;
  let line = "";
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index];
    if (column) line += (index === 0 ? "" : "\t") + column.encode(row[column.member] ?? null);
  }
  line += "\n";
  batch.rows++;
  batch.lines.push(line);
  batch.lineChars += line.length;
  if (batch.lineChars >= PIECE_CHARS) joinLines(batch);
  return line.length;
}

function joinLines(batch: Batch): void {
  batch.pieces.push(batch.lines.join(""));
  batch.lines = [];
  batch.lineChars = 0;
}

async function writeBatches(options: WriterOptions, batches: readonly Batch[]): Promise<void> {
  const { transaction, plan, schema, onWritten } = options;
  for (const batch of batches) {
    joinLines(batch);
    try {
      await transaction.copyFrom(copySql(batch.node, schema), piecesOf(batch));
    } catch (error) {
      const text = batch.pieces.join("");
      const refusal = describeRefusal(error, { definition: plan.definition, node: batch.node, text });
      throw describeTableError(refusal);
    }
    onWritten(batch.rows);
  }
}

async function* piecesOf({ pieces }: Batch): AsyncIterable<string> {
  yield* pieces;
}

function copySql({ model, columns }: NodePlan, schema: string): string {
  const names = quoteNames(columns.map((column) => column.name));
  return `COPY ${qualifyName(schema, model.table.name)} (${names}) FROM STDIN`;
}
