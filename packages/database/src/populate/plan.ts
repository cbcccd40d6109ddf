// A populator as a plan: for each `populate` block the steps that fill a row and the columns it is written to,
// all looked up and compiled once. What can never work is found here, before anything is written.

import {
  type Column,
  type ColumnType,
  compileExpression,
  type Definition,
  type Evaluate,
  type Model,
  type Populate,
  type Populator,
} from "@stoa/definition";
import { type EncodeValue, encoderOf } from "./copy-text.js";
import type { LoadedHooks } from "./hooks.js";
import type { HookContext } from "./inline-code.js";
import { memberReader } from "./read-member.js";
import { findModel, storedMembers } from "./row.js";
import { located, planSteps, type Step, type StepPlanner } from "./step.js";

export interface Plan {
  readonly definition: Definition;
  readonly roots: readonly NodePlan[];
  /** All nodes, parents before their children and in the order of the source. */
  readonly nodes: readonly NodePlan[];
}

/** A `populate` block. */
export interface NodePlan {
  /** Its position in `nodes`. */
  readonly index: number;
  readonly populate: Populate;
  readonly model: Model;
  readonly repeat: RepeatPlan | undefined;
  readonly steps: readonly Step[];
  readonly columns: readonly ColumnPlan[];
  readonly children: readonly NodePlan[];
}

export interface RepeatPlan {
  readonly iterator: string | undefined;
  readonly start: Evaluate;
  readonly end: Evaluate;
}

export interface ColumnPlan {
  readonly name: string;
  readonly member: string;
  readonly type: ColumnType;
  readonly encode: EncodeValue;
}

export interface PlanInput {
  readonly definition: Definition;
  readonly populator: Populator;
  readonly hooks: LoadedHooks;
  readonly context: HookContext;
}

interface Planner extends StepPlanner {
  readonly nextIndex: () => number;
}

export function planPopulator({ definition, populator, hooks, context }: PlanInput): Plan {
  let count = 0;
  const options = memberReader(definition);
  const planner: Planner = { definition, hooks, context, options, nextIndex: () => count++ };
  const roots = populator.populates.map((populate) => planNode(planner, populate));
  return { definition, roots, nodes: flatten(roots) };
}

function flatten(nodes: readonly NodePlan[]): NodePlan[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)]);
}

function planNode(planner: Planner, populate: Populate): NodePlan {
  const model = findModel(planner.definition, populate.model);
  // Before the children take theirs: parents come first.
  const index = planner.nextIndex();
  return {
    index,
    populate,
    model,
    repeat: planRepeat(planner, populate),
    steps: planSteps(planner, populate, model),
    columns: planColumns(model),
    children: populate.populates.map((child) => planNode(planner, child)),
  };
}

function planRepeat(planner: Planner, { repeat, at }: Populate): RepeatPlan | undefined {
  if (!repeat) return undefined;
  return located(planner.definition, at, () => ({
    iterator: repeat.iterator ?? undefined,
    start: compileExpression(repeat.start, planner.options),
    end: compileExpression(repeat.end, planner.options),
  }));
}

function planColumns(model: Model): ColumnPlan[] {
  const members = storedMembers(model);
  return model.table.columns.map((column: Column) => {
    const member = members.find((candidate) => candidate.column === column.name);
    if (!member) throw new Error(`No member of \`${model.name}\` is stored in \`${column.name}\`.`);
    const { name, type } = column;
    return { name, member: member.name, type, encode: encoderOf(type) };
  });
}
