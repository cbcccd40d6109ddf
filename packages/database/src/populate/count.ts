// How many rows there will be, where that can be known beforehand: counts that are numbers, or depend on
// iterators alone. For the progress bar only, so it gives up where counting itself would take long.

import { EvaluationProblem, type Expression, someExpression, type Value } from "@stoa/definition";
import type { NodePlan, Plan } from "./plan.js";

const MOST_STEPS = 200_000;

export function countRows({ roots }: Plan): number | undefined {
  const count: Count = { iterators: new Map(), steps: 0 };
  try {
    return sumOf(roots.map((node) => countNode(node, count)));
  } catch (error) {
    // A division by zero, for example: the run will tell.
    if (error instanceof EvaluationProblem) return undefined;
    throw error;
  }
}

interface Count {
  readonly iterators: Map<string, Value>;
  steps: number;
}

function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}

function countNode(node: NodePlan, count: Count): number | undefined {
  if (count.steps++ > MOST_STEPS) return undefined;
  const { repeat } = node.populate;
  if (!repeat || !node.repeat) return perRecord(node, count);
  if (!isCountable(repeat.start) || !isCountable(repeat.end)) return undefined;
  const [start, end] = [Number(node.repeat.start(count)), Number(node.repeat.end(count))];
  const total = Math.max(0, end - start + 1);
  const { iterator } = repeat;
  const varies = iterator !== null && node.children.some((child) => mentions(child, iterator));
  if (!varies) {
    const each = total === 0 ? 0 : perRecord(node, count);
    return each === undefined ? undefined : total * each;
  }
  let sum: number | undefined = 0;
  for (let current = start; current <= end && sum !== undefined; current++) {
    count.iterators.set(iterator, { current, total });
    sum = sumOf([sum, perRecord(node, count)]);
  }
  return sum;
}

/** The record itself and all below it. */
function perRecord(node: NodePlan, count: Count): number | undefined {
  return sumOf([1, ...node.children.map((child) => countNode(child, count))]);
}

/** Records, fake values and the clock are only known when the rows are made. */
function isCountable(expression: Expression): boolean {
  return !someExpression(expression, (part) => {
    if (part.kind === "variable") return part.variable !== "iterator";
    return part.kind === "call" && UNCOUNTABLE.has(part.function);
  });
}

const UNCOUNTABLE: ReadonlySet<string> = new Set(["fake", "now", "today", "uuid"]);

/** Whether a repeat of a block or of one below it depends on an iterator. */
function mentions({ populate, children }: NodePlan, iterator: string): boolean {
  const own = populate.repeat ? [populate.repeat.start, populate.repeat.end] : [];
  const uses = (part: Expression): boolean =>
    part.kind === "variable" && part.variable === "iterator" && part.name === iterator;
  return (
    own.some((expression) => someExpression(expression, uses)) ||
    children.some((child) => mentions(child, iterator))
  );
}
