// Rows, depth first: a record, then all below it, then the next. Generators keep only the records on the way
// down, so memory does not grow with the number of rows. They stop (yield) where something has to be waited for:
// a hook, a hash, or a full batch being written.

import type { Value } from "@stoa/definition";
import { messageOfProblem, PopulateError, sourcePlace } from "./failure.js";
import type { NextId } from "./ids.js";
import type { NodePlan, Plan } from "./plan.js";
import { createRow, describeRow, type Row } from "./row.js";
import type { RunScope, Step } from "./step.js";

export interface Production {
  readonly plan: Plan;
  readonly scope: RunScope;
  /** The maps behind the scope: which records and iterations the rows are below. */
  readonly aliases: Map<string, Value>;
  readonly iterators: Map<string, Value>;
  readonly nextId: ReadonlyMap<string, NextId>;
  /** Takes a row; gives a promise when the next one has to wait. */
  readonly take: (node: NodePlan, row: Row) => Promise<void> | undefined;
}

export async function produceRows(production: Production): Promise<void> {
  for (const node of production.plan.roots) await drive(produceNode(production, node));
}

type Wait = Generator<Promise<void>, void, void>;

async function drive(steps: Wait): Promise<void> {
  let step = steps.next();
  while (!step.done) {
    step = await step.value.then(
      () => steps.next(),
      (error) => steps.throw(error),
    );
  }
}

function* produceNode(production: Production, node: NodePlan): Wait {
  const { plan, scope, aliases, iterators, take } = production;
  const { start, end, iterator } = rangeOf(production, node);
  const total = Math.max(0, end - start + 1);
  const nextId = production.nextId.get(node.model.name);
  if (!nextId) throw new Error(`There are no ids for \`${node.model.name}\`.`);
  for (let current = start; current <= end; current++) {
    if (iterator !== undefined) iterators.set(iterator, { current, total });
    const row = createRow();
    row.id = nextId();
    for (const step of node.steps) {
      try {
        const waiting = step.apply(row, scope);
        if (waiting) yield waiting;
      } catch (error) {
        throw rowError(plan, { node, step, row }, error);
      }
    }
    const full = take(node, row);
    if (full) yield full;
    if (node.children.length === 0) continue;
    aliases.set(node.populate.alias, row);
    for (const child of node.children) yield* produceNode(production, child);
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly iterator: string | undefined;
}

function rangeOf({ plan, scope }: Production, { repeat, populate }: NodePlan): Range {
  if (!repeat) return { start: 1, end: 1, iterator: undefined };
  try {
    return {
      start: Number(repeat.start(scope)),
      end: Number(repeat.end(scope)),
      iterator: repeat.iterator,
    };
  } catch (error) {
    const message = messageOfProblem(error);
    if (!message) throw error;
    throw new PopulateError({ message, place: sourcePlace(plan.definition, populate.at), cause: error });
  }
}

interface FailedStep {
  readonly node: NodePlan;
  readonly step: Step;
  readonly row: Row;
}

/** The problem of a row, with the row and the place; anything else is a bug and stays as it is. */
function rowError({ definition }: Plan, { node, step, row }: FailedStep, error: unknown): unknown {
  const message = messageOfProblem(error);
  if (!message) return error;
  return new PopulateError({
    message,
    place: sourcePlace(definition, step.at),
    row: { model: node.model.name, values: describeRow(node.model, row) },
    cause: error,
  });
}
