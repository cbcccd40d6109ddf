// Programs of several statements: the records of the path are found, checked, locked and kept; then the actions
// follow one another; then the answer is made.

import { quoteName } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { idColumn, idOf, tableOf } from "../../sql/from.js";
import type { Place } from "../place.js";
import { conditionsOf, refusal, unionOf, userBranch } from "../refusal.js";
import { draftStatement, type Statement } from "../statement.js";
import { addAction } from "./actions.js";
import { answerSteps, respondOf } from "./answer.js";
import { Program } from "./builder.js";
import type { RowLock } from "./locks.js";
import type { Step } from "./program.js";
import { addRun } from "./run.js";
import { type Planning, partsOf } from "./runs.js";

export function planSteps(definition: Definition, place: Place, planning: Planning): readonly Step[] {
  const program = new Program(definition, place, planning);
  const parts = partsOf(definition, place, planning);
  const isAnswered = parts.some((part) => part.kind === "run" && part.answers);
  const says = !isAnswered && (place.endpoint.response !== null || respondOf(place.endpoint) !== undefined);
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1 && !says;
    if (part.kind === "run") addRun(program, part, isLast);
    else if (part.kind === "lock") {
      program.actions = [];
      addLocks(program, part.rows);
    } else {
      program.actions = [part.action];
      addAction(program, part.action);
    }
  }
  program.actions = [];
  if (says) answerSteps(program);
  return program.finish();
}

/** Rows of a model are locked in the order of their ids, so that two requests do not wait for each other. */
function addLocks(program: Program, locks: readonly RowLock[]): void {
  for (const { model: name, targets, lock } of locks) {
    const { scope, from, finish } = program.draft();
    const model = scope.context.model(name);
    const table = from.add(tableOf(model));
    const id = `${table}.${quoteName(idColumn(model))}`;
    const ids = targets.map((target) => idOf(scope.emitter.record(target, scope)));
    from.where(ids.length === 1 ? `${id} = ${ids[0]}` : `${id} in (${ids.join(", ")})`);
    program.add(finish(`select 'k'${from.render()} order by ${id} ${lock} of ${table}`));
  }
}

/** One row if a rule about the user refuses them, and one with who they are. */
export function guardOf(definition: Definition, place: Place): Statement | null {
  const { scope, finish } = draftStatement(definition);
  const branches = refusal(conditionsOf(place, scope), scope);
  return branches.length === 0 ? null : finish(unionOf([...branches, ...userBranch(scope)]));
}
