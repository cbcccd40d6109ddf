// Which steps of a program one statement can do. The parts of a statement do not see each other's work, and all of
// them see the tables as they were when it began, however long it has waited for a lock since. So actions go together
// where each needs nothing but the request, the user, the rows that the others give back, and the row it changes; and
// where no two of them write the same table.

import {
  type Action,
  type CreateAction,
  type Definition,
  type DeleteAction,
  type Expression,
  expressionParts,
  modelOfType,
  type UpdateAction,
} from "@stoa/definition";
import type { Place } from "../place.js";
import { representationOf } from "../tag.js";
import { tagSource } from "./about.js";
import { laterDefaults } from "./defaults.js";
import { judgementOf } from "./foreseen.js";
import { lockedOfPath, locksBefore, type RowLock } from "./locks.js";
import { isPassword } from "./passwords.js";
import { expressionTouches, touches } from "./touch.js";

export type SimpleAction = CreateAction | UpdateAction | DeleteAction;

/** One statement: it may find the records of the path, do some actions, and make the answer. */
export interface Run {
  readonly kind: "run";
  readonly loads: boolean;
  readonly actions: readonly number[];
  readonly answers: boolean;
}

/** Steps in order. An action that goes with nothing else has statements of its own. */
export type Part =
  | Run
  | { readonly kind: "alone"; readonly action: number }
  | { readonly kind: "lock"; readonly rows: readonly RowLock[] };

/** How far statements are put together. Tests hold programs that are and that are not against each other. */
export interface Planning {
  /** Rules are asked about records before they are written, where that can be. */
  readonly asksBefore: boolean;
  /** Actions that go together are one statement. */
  readonly merges: boolean;
}

export const PLANNING: Planning = { asksBefore: true, merges: true };

export function partsOf(definition: Definition, place: Place, planning: Planning): readonly Part[] {
  const { actions } = place.endpoint;
  let run: Run | null = { kind: "run", loads: true, actions: [], answers: false };
  const parts: Part[] = [run];
  const check = new Check(definition, place, planning);
  const locks = locksBefore(definition, place);
  for (const [index, action] of actions.entries()) {
    if (action.kind === "respond") continue;
    const rows = locks.get(index);
    if (rows !== undefined) {
      // A statement sees rows as they were when it began: what it is to see locked is locked by one before it.
      run = null;
      parts.push({ kind: "lock", rows });
    }
    if (run !== null && check.canJoin(index, run)) {
      run = { ...run, actions: [...run.actions, index] };
      parts[parts.length - 1] = run;
    } else if (planning.merges && check.isSimple(index)) {
      run = { kind: "run", loads: false, actions: [index], answers: false };
      parts.push(run);
    } else {
      run = null;
      parts.push({ kind: "alone", action: index });
    }
  }
  if (run !== null && planning.merges && check.canAnswer(run))
    parts[parts.length - 1] = { ...run, answers: true };
  return parts.map((part) => (isOneAction(part) ? { kind: "alone", action: part.actions[0] ?? 0 } : part));
}

function isOneAction(part: Part): part is Run {
  return part.kind === "run" && !part.loads && !part.answers && part.actions.length === 1;
}

class Check {
  readonly #definition: Definition;
  readonly #place: Place;
  readonly #planning: Planning;

  constructor(definition: Definition, place: Place, planning: Planning) {
    this.#definition = definition;
    this.#place = place;
    this.#planning = planning;
  }

  /** Whether one statement can do the action, and whatever has to be asked of it. */
  isSimple(index: number): boolean {
    const action = this.#action(index);
    if (!isSimpleKind(action) || (action.kind === "create" && action.link !== null)) return false;
    if (action.kind === "delete") return action.target.type.kind === "record" && !this.#clears(action.target);
    if (action.assignments.some(({ kind }) => kind === "hook")) return false;
    const endsSessions = action.assignments.some(({ member }) =>
      isPassword(this.#definition, action.model, member),
    );
    return !(action.kind === "update" && endsSessions) && this.#judgement(index) !== "after";
  }

  canJoin(index: number, { loads, actions }: Run): boolean {
    const action = this.#action(index);
    if (!this.#planning.merges || !this.isSimple(index) || !isSimpleKind(action)) return false;
    // Rules look at tables; those that the run has changed they would see as they were.
    if (this.#judgement(index) === "image" && actions.length > 0) return false;
    // Where a record of the path is locked, the statement may have waited for it.
    const mayHaveWaited = actions.length > 0 || (loads && lockedOfPath(this.#place).length > 0);
    if (mayHaveWaited && !this.#isSelfContained(action)) return false;
    const written = this.#writtenBy(actions);
    return [...this.#reachedBy(action), ...this.#lookedUp(action)].every((model) => !written.has(model));
  }

  /** Whether the answer shows nothing of what the run has written but the rows that it gives back. */
  canAnswer({ actions }: Run): boolean {
    const { endpoint } = this.#place;
    const written = this.#writtenBy(actions);
    const respond = endpoint.actions.find((action) => action.kind === "respond");
    if (respond !== undefined) {
      const said = [respond.body, respond.status, ...respond.headers.map(({ value }) => value)];
      return said.every((each) => each === null || !expressionTouches(each, written, this.#definition));
    }
    if (endpoint.response === null) return false;
    const primary = endpoint.actions.findIndex((action) => "primary" in action && action.primary);
    const shown = [
      endpoint.response,
      tagSource(this.#place) === "row" ? representationOf(this.#place) : null,
    ];
    return (
      actions.includes(primary) &&
      shown.every((select) => select === null || !touches(select, written, this.#definition))
    );
  }

  #action(index: number): Action {
    const action = this.#place.endpoint.actions[index];
    if (action === undefined) throw new Error(`The endpoint has no action ${index}.`);
    return action;
  }

  #judgement(index: number): "none" | "image" | "after" {
    const { actions } = this.#place.endpoint;
    const { kind } = judgementOf(this.#definition, this.#place, this.#action(index), actions.slice(0, index));
    return kind === "image" && !this.#planning.asksBefore ? "after" : kind;
  }

  #writtenBy(actions: readonly number[]): ReadonlySet<string> {
    return new Set(actions.map((index) => this.#action(index)).flatMap((action) => this.#reachedBy(action)));
  }

  /** Models whose rows an action changes; deleting one also concerns all that may point at it. */
  #reachedBy(action: Action): readonly string[] {
    if (!isSimpleKind(action)) return [];
    return action.kind === "delete" ? this.#referrers(action.model) : [action.model];
  }

  #referrers(name: string, known: readonly string[] = []): readonly string[] {
    if (known.includes(name)) return known;
    const table = this.#definition.models.find((model) => model.name === name)?.table.name;
    const pointing = this.#definition.models.filter((model) =>
      model.table.foreignKeys.some((key) => key.table === table),
    );
    return pointing.reduce<readonly string[]>(
      (all, model) => this.#referrers(model.name, all),
      [...known, name],
    );
  }

  /** Models in which the request names records. */
  #lookedUp(action: SimpleAction): readonly string[] {
    if (action.kind === "delete") return [];
    const model = this.#definition.models.find(({ name }) => name === action.model);
    return action.assignments.flatMap((assignment) =>
      assignment.kind === "lookup" ? this.#along(model?.name, [assignment.member, ...assignment.path]) : [],
    );
  }

  #along(name: string | undefined, [step, ...rest]: readonly string[]): readonly string[] {
    const model = this.#definition.models.find((each) => each.name === name);
    const member = model?.members.find((each) => each.name === step);
    const next =
      member?.kind === "reference" ? member.to : member?.kind === "relation" ? member.from : undefined;
    return next === undefined ? [] : [next, ...this.#along(next, rest)];
  }

  #isSelfContained(action: SimpleAction): boolean {
    if (action.kind !== "create" && !this.#isNear(action.target)) return false;
    if (action.kind === "delete") return true;
    const defaults = laterDefaults(this.#place.endpoint.request);
    return action.assignments.every((assignment) => {
      if (assignment.kind === "hook") return false;
      if (assignment.kind === "set" || assignment.kind === "parent")
        return this.#readsNoTable(assignment.value);
      const value = defaults.get(assignment.field.join("."));
      return value === undefined || this.#readsNoTable(value);
    });
  }

  /** A record that is named, or one step from it. */
  #isNear(target: Expression): boolean {
    if (target.kind === "variable") return true;
    if (target.kind !== "member" || target.on.kind !== "variable") return false;
    return target.member === "reference" || target.member === "relation";
  }

  #readsNoTable(expression: Expression): boolean {
    switch (expression.kind) {
      case "variable":
        return expression.type.kind !== "collection";
      case "member":
        return this.#isColumn(expression);
      case "aggregate":
        return false;
      default:
        if (expression.kind === "call" && expression.type.kind === "record") return false;
        return expressionParts(expression).every((part) => this.#readsNoTable(part));
    }
  }

  #isColumn({ on, name, member }: Extract<Expression, { kind: "member" }>): boolean {
    if (member === "json" || member === "part") return this.#readsNoTable(on);
    if (on.kind !== "variable" || on.type.kind === "collection") return false;
    if (member !== "computed") return member !== "relation" && member !== "query" && member !== "hook";
    const model = this.#definition.models.find((each) => each.name === modelOfType(on.type));
    const computed = model?.members.find((each) => each.name === name);
    return computed?.kind === "computed" && this.#readsNoTable(computed.value);
  }

  /** Deleting what a reference leads to that may be empty empties it: two writes of one action. */
  #clears(target: Expression): boolean {
    if (target.kind === "member") return target.member === "reference";
    if (target.kind !== "variable") return true;
    const { entrypoints } = this.#place;
    const own = entrypoints.find(({ alias }) => alias === target.name);
    return own?.target.kind === "member" && own.target.nullable;
  }
}

function isSimpleKind(action: Action): action is SimpleAction {
  return action.kind === "create" || action.kind === "update" || action.kind === "delete";
}
