// Rows of JSON, put together into arrays without a look inside.

import { MARK } from "../plan/plan.js";

const COMMA = 0x2c;

export function arrayOf(rows: readonly Uint8Array[]): Uint8Array {
  return enclose("[", rows, "]");
}

/** The rows between two texts of plain letters, with commas between them, in one piece of memory. */
export function enclose(before: string, rows: readonly Uint8Array[], after: string): Uint8Array {
  let size = before.length + after.length + Math.max(0, rows.length - 1);
  for (const row of rows) size += row.length;
  const result = Buffer.allocUnsafe(size);
  let at = result.write(before, 0, "latin1");
  for (let index = 0; index < rows.length; index++) {
    if (index > 0) result[at++] = COMMA;
    const row = rows[index] as Uint8Array;
    result.set(row, at);
    at += row.length;
  }
  result.write(after, at, "latin1");
  return result;
}

type Rows = readonly Uint8Array[];

/** The same rows in other batches: each as large as the limits allow, of which one must be reached. */
export async function* regroup(
  batches: AsyncIterable<Rows>,
  limits: { readonly rows: number; readonly bytes: number },
): AsyncGenerator<Rows> {
  let group: Uint8Array[] = [];
  let bytes = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      group.push(row);
      bytes += row.length;
      if (group.length < limits.rows && bytes < limits.bytes) continue;
      yield group;
      group = [];
      bytes = 0;
    }
  }
  if (group.length > 0) yield group;
}

/** An array in chunks, one per batch. Left before its end, it lets go of the rows that are still to come. */
export function streamArray(
  first: Rows,
  rest: AsyncIterator<Rows>,
  fill: (rows: Rows) => Promise<Rows>,
): AsyncIterableIterator<Uint8Array> {
  const chunks = chunksOf(first, rest, fill);
  return {
    next: () => chunks.next(),
    // A generator that has not been started ends without a look at its `finally`.
    return: async () => {
      await chunks.return(undefined);
      await rest.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* chunksOf(
  first: Rows,
  rest: AsyncIterator<Rows>,
  fill: (rows: Rows) => Promise<Rows>,
): AsyncGenerator<Uint8Array> {
  let before = "[";
  try {
    for (let batch: Rows | undefined = first; batch !== undefined; ) {
      const records = await fill(batch.filter((row) => row[0] === MARK.record));
      if (records.length > 0) {
        yield enclose(before, records, "");
        before = ",";
      }
      const next: IteratorResult<Rows> = await rest.next();
      batch = next.done ? undefined : next.value;
    }
    yield Buffer.from(before === "[" ? "[]" : "]");
  } finally {
    await rest.return?.();
  }
}
