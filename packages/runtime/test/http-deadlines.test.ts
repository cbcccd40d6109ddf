import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDeadlines, type Timed } from "../src/http/deadlines.js";

const TIMEOUT_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Step =
  | { readonly kind: "add" }
  | { readonly kind: "extend" | "remove"; readonly index: number }
  | { readonly kind: "wait"; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: "add" } as const),
  fc.record({ kind: fc.constantFrom("extend" as const, "remove" as const), index: fc.nat(20) }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 600 }) }),
);

test("whatever is added, extended and removed, exactly those whose time is over expire, once and in time", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const deadlines = createDeadlines(TIMEOUT_MS);
      const made: (Timed & { due: number | null; expired: number })[] = [];
      for (const action of steps) {
        if (action.kind === "add") {
          const due = performance.now() + TIMEOUT_MS;
          const timed = {
            expiresAt: 0,
            previous: undefined,
            next: undefined,
            due,
            expired: 0,
            expire() {
              this.expired++;
            },
          };
          made.push(timed);
          deadlines.add(timed, performance.now());
        } else if (action.kind === "wait") {
          vi.advanceTimersByTime(action.ms);
        } else {
          const timed = made[action.index];
          // What has expired or was removed is over, and nobody extends it.
          if (timed === undefined || timed.due === null || timed.expired > 0) continue;
          if (action.kind === "extend") deadlines.extend(timed);
          else deadlines.remove(timed);
          timed.due = action.kind === "extend" ? performance.now() + TIMEOUT_MS : null;
        }
        for (const { due, expired } of made) {
          const late = due === null ? Number.NEGATIVE_INFINITY : performance.now() - due;
          if (late < 0) expect(expired).toBe(0);
          if (late > TIMEOUT_MS / 10) expect(expired).toBe(1);
        }
      }
      vi.advanceTimersByTime(3 * TIMEOUT_MS);
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: 300 },
  );
});

test("what is not waiting can be removed", () => {
  const deadlines = createDeadlines(TIMEOUT_MS);
  const timed: Timed = { expiresAt: 0, previous: undefined, next: undefined, expire() {} };
  deadlines.remove(timed);
  deadlines.add(timed, performance.now());
  deadlines.remove(timed);
  deadlines.remove(timed);
  vi.advanceTimersByTime(2 * TIMEOUT_MS);
  expect(vi.getTimerCount()).toBe(0);
});
