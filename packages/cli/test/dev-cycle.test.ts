// The cycle of `stoa dev`: one turn after the other, however many wishes there are.

import { expect, it } from "vitest";
import { type Cycle, createCycle, type Wish } from "../src/dev/cycle.js";
import { until } from "./serve.js";

interface Turn {
  readonly wish: Wish;
  readonly signal: AbortSignal;
  end(): void;
}

/** A cycle whose turns end when the test says so. */
function slowCycle(settleMs = 1): { cycle: Cycle; turns: Turn[]; most: () => number } {
  const turns: Turn[] = [];
  let running = 0;
  let most = 0;
  const cycle = createCycle({
    settleMs,
    onBug: (error) => {
      throw error;
    },
    turn: async (wish, signal) => {
      most = Math.max(most, ++running);
      await new Promise<void>((end) => turns.push({ wish, signal, end }));
      running--;
    },
  });
  return { cycle, turns, most: () => most };
}

it("takes many changes during a turn together as exactly one more turn", async () => {
  const { cycle, turns, most } = slowCycle();
  cycle.wish("start");
  await until(() => turns.length === 1);
  for (const file of ["a", "b", "a", "c"]) cycle.wish("files", file);
  cycle.wish("restart");
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(turns.length).toBe(1);
  turns[0]?.end();
  await until(() => turns.length === 2);
  expect([...(turns[1]?.wish.files ?? [])]).toEqual(["a", "b", "c"]);
  expect([...(turns[1]?.wish.reasons ?? [])]).toEqual(["files", "restart"]);
  turns[1]?.end();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect({ turns: turns.length, most: most() }).toEqual({ turns: 2, most: 1 });
});

it("takes the burst of events of one save as one turn", async () => {
  const { cycle, turns } = slowCycle(20);
  for (let event = 0; event < 10; event++) cycle.wish("files", "app.stoa");
  await until(() => turns.length === 1);
  turns[0]?.end();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(turns.length).toBe(1);
});

it("begins although events never end", async () => {
  const { cycle, turns } = slowCycle(20);
  const timer = setInterval(() => cycle.wish("files", "app.log.json"), 5);
  await until(() => turns.length === 1);
  clearInterval(timer);
  expect(turns.length).toBe(1);
});

it("tells a turn that there are newer wishes", async () => {
  const { cycle, turns } = slowCycle();
  cycle.wish("start");
  await until(() => turns.length === 1);
  expect(turns[0]?.signal.aborted).toBe(false);
  cycle.wish("files", "a");
  expect(turns[0]?.signal.aborted).toBe(true);
});

it("goes on after a turn that failed", async () => {
  const bugs: unknown[] = [];
  let turns = 0;
  const cycle = createCycle({
    settleMs: 1,
    onBug: (error) => bugs.push(error),
    turn: async () => {
      if (++turns === 1) throw new Error("once");
    },
  });
  cycle.wish("start");
  await until(() => bugs.length === 1);
  cycle.wish("files", "a");
  await until(() => turns === 2);
  expect(bugs).toEqual([new Error("once")]);
});

it("waits for its turn to end when it is stopped, and begins no other", async () => {
  const { cycle, turns } = slowCycle();
  cycle.wish("start");
  await until(() => turns.length === 1);
  cycle.wish("files", "a");
  let isStopped = false;
  const stopping = cycle.stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isStopped).toBe(false);
  turns[0]?.end();
  await stopping;
  cycle.wish("restart");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(turns.length).toBe(1);
});
