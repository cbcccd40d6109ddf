import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CancelSignal, Database } from "../src/index.js";
import { testDatabase } from "./server.js";

let database: Database;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ database, drop } = await testDatabase());
});
afterAll(() => drop());

const SLEEP = "select pg_sleep($1::float)::text";
const QUICK = "select 'quick' where $1::text is not null";
const textOf = (rows: readonly Uint8Array[]) => rows.map((row) => Buffer.from(row).toString());
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Whether a quick statement is done while the others still run. */
async function passes(others: readonly Promise<unknown>[]): Promise<boolean> {
  let isOver = false;
  const all = Promise.all(others).then(() => {
    isOver = true;
  });
  await pause(100);
  expect(textOf(await database.prepare(QUICK).execute(["x"]))).toEqual(["quick"]);
  const wasFirst = !isOver;
  await all;
  return wasFirst;
}

describe("a quick statement", () => {
  test("passes by slow ones that were thought to be quick", async () => {
    const slow = database.prepare(SLEEP);
    // The second connection is opened when the first has something to do.
    await Promise.all([slow.execute(["0.05"]), slow.execute(["0.05"])]);
    await pause(100);
    expect(await passes(["1", "1"].map((seconds) => slow.execute([seconds])))).toBe(true);
  });

  test("is not held up by others at all", async () => {
    const slow = database.prepare(SLEEP, { isQuick: false });
    expect(await passes(Array.from({ length: 12 }, () => slow.execute(["0.5"])))).toBe(true);
  });
});

test("whatever says `abort` as a signal does cancels a statement", async () => {
  const actions: (() => void)[] = [];
  const signal = {
    aborted: false as boolean,
    addEventListener: (_: "abort", action: () => void) => void actions.push(action),
    removeEventListener: () => {},
  } satisfies CancelSignal;
  const slow = database.prepare(SLEEP, { isQuick: false }).execute(["60"], signal);
  const failure = expect(slow).rejects.toMatchObject({ kind: "cancelled" });
  await pause(100);
  signal.aborted = true;
  for (const action of actions) action();
  await failure;
});
