// Programs of several statements: the records of the path are found, checked, locked and kept; then the actions
// follow one another; then the answer is made.

import type { Action, Definition } from "@stoa/definition";
import { From, TableRecord } from "../../sql/from.js";
import type { Scope } from "../../sql/scope.js";
import { addChain, addClauses } from "../chain.js";
import type { Place } from "../place.js";
import { conditionsOf, refusal, unionOf, userBranch } from "../refusal.js";
import { clausesOfPath } from "../rules.js";
import { draftStatement, type Statement } from "../statement.js";
import { addPrecondition, changedBranch } from "../tag.js";
import { addAction } from "./actions.js";
import { boundEntrypoints, forbiddenBranch } from "./allowed.js";
import { answerSteps } from "./answer.js";
import { Program } from "./builder.js";
import type { Step } from "./program.js";
import { GO_ON, keep } from "./settings.js";

export function planSteps(definition: Definition, place: Place): readonly Step[] {
  const program = new Program(definition, place);
  addLoad(program);
  for (const [index, action] of place.endpoint.actions.entries()) {
    program.actions = [index];
    addAction(program, action, index);
  }
  program.actions = [];
  answerSteps(program);
  return program.finish();
}

/** Finds the records of the path, if the rules allow it, and keeps them. */
function addLoad({ definition, place, aliases, steps }: Program): void {
  const { endpoint } = place;
  const guard = guardOf(definition, place);
  if (guard !== null) steps.push({ kind: "statement", statement: guard, lookups: [], actions: [] });
  addBranch(definition, steps, (scope) => forbiddenBranch(place, scope));
  addBranch(definition, steps, (scope) => changedBranch(place, scope));
  const { scope, finish } = draftStatement(definition);
  const from = new From(scope.context);
  const isOne = endpoint.cardinality === "one";
  const bound = boundEntrypoints(place);
  const chain = addChain(bound, scope, from);
  for (const rule of conditionsOf(place, scope)) from.where(rule);
  addClauses(clausesOfPath(place), chain.scope, from);
  if (isOne && chain.last !== null) addPrecondition(place, chain.last, chain.scope, from);
  const kept = bound.map((entrypoint) => {
    const record = chain.scope.aliases.get(entrypoint.alias);
    if (!(record instanceof TableRecord)) throw new Error("A record of the path is no row.");
    return keep(aliases.addEntrypoint(entrypoint), `row_to_json(${record.tableName()})::text`);
  });
  const lock = isOne && chain.last instanceof TableRecord && writes(endpoint.actions) ? chain.last : null;
  const locking = lock === null ? "" : ` for update of ${lock.tableName()}`;
  const settings = [GO_ON, ...kept].join(", ");
  const statement = finish(`select 'k' || left(concat(${settings}), 0)${from.render()}${locking}`);
  steps.push({ kind: "statement", statement, lookups: [], actions: [] });
}

/** A statement that may say why nothing will be done. */
function addBranch(
  definition: Definition,
  steps: Step[],
  branches: (scope: Scope) => readonly string[],
): void {
  const { scope, finish } = draftStatement(definition);
  const [branch] = branches(scope);
  if (branch !== undefined)
    steps.push({ kind: "statement", statement: finish(branch), lookups: [], actions: [] });
}

/** One row if a rule about the user refuses them, and one with who they are. */
export function guardOf(definition: Definition, place: Place): Statement | null {
  const { scope, finish } = draftStatement(definition);
  const branches = refusal(conditionsOf(place, scope), scope);
  return branches.length === 0 ? null : finish(unionOf([...branches, ...userBranch(scope)]));
}

export function writes(actions: readonly Action[]): boolean {
  return actions.some(({ kind }) => kind !== "respond" && kind !== "validate");
}
