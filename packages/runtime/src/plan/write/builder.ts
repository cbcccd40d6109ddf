// A program while it is being written: statements and calls of code, and the aliases that they share.

import type { Assignment, Definition, Hook } from "@stoa/definition";
import { From } from "../../sql/from.js";
import type { Scope } from "../../sql/scope.js";
import type { Place } from "../place.js";
import { type Draft, draftStatement, type Statement } from "../statement.js";
import { laterDefaults } from "./defaults.js";
import { Aliases } from "./known.js";
import type { HookUse, Lookup, Refusal, Step } from "./program.js";
import type { Planning } from "./runs.js";
import { GOES_ON, STOP } from "./settings.js";

/** A statement of the program while it is being written. */
export interface StepDraft extends Draft {
  readonly from: From;
}

/** The number of the call of code that gives the value of an assignment. */
export type CallOf = (assignment: Assignment) => number;

export class Program {
  readonly definition: Definition;
  readonly place: Place;
  readonly planning: Planning;
  readonly aliases = new Aliases();
  readonly steps: Step[] = [];
  /** Whether something has been written: from then on, stopping means undoing. */
  hasWritten = false;
  /** The actions that are being written, by their places among those of the endpoint. */
  actions: readonly number[] = [];
  #mayStop = false;
  #calls = 0;

  constructor(definition: Definition, place: Place, planning: Planning) {
    this.definition = definition;
    this.place = place;
    this.planning = planning;
  }

  /** A new statement that sees all aliases, and does nothing once the program has stopped. */
  draft(): StepDraft {
    const draft = draftStatement(this.definition);
    const scope = this.scopeOf(draft);
    return { ...draft, scope, from: this.begin(scope) };
  }

  /** What a statement can look at. */
  scopeOf({ scope }: Draft): Scope {
    const defaults = laterDefaults(this.place.endpoint.request);
    return { ...this.aliases.bindTo(scope), defaults, strict: "" };
  }

  /** A query that finds nothing once the program has stopped. */
  begin({ context }: Scope): From {
    const from = new From(context);
    from.where(GOES_ON);
    return from;
  }

  add(statement: Statement, lookups: readonly Lookup[] = []): void {
    this.steps.push({ kind: "statement", statement, lookups, actions: this.actions });
  }

  /** A branch that ends the program if its condition holds, with a mark that says why. */
  stop({ mark, condition, isAfter = false }: Refusal): string {
    return this.stopWith(mark, condition, isAfter);
  }

  /** The same with a mark that the database finds. */
  stopWith(mark: string, condition: string, isAfter = false): string {
    if (this.hasWritten || isAfter) this.#mayStop = true;
    return `select ${mark} || left(${STOP}, 0) where ${GOES_ON} and (${condition})`;
  }

  /** Code that runs now, with arguments that a statement of its own makes. Gives the number of the call. */
  call(hook: Hook, use: HookUse, draft: StepDraft, scope: Scope = draft.scope): number {
    this.add(
      draft.finish(`select 'a' || ${scope.emitter.arguments(hook, scope)}::text${draft.from.render()}`),
    );
    const call = this.#calls++;
    this.steps.push({ kind: "hook", call, hook, use });
    return call;
  }

  /** If something was written before the program stopped, only an error undoes it. */
  finish(): readonly Step[] {
    if (this.#mayStop) {
      const raise = "('stoa:stop' || left(current_setting('stoa.go'), 0))::int::text";
      this.add({ sql: `select ${raise} where current_setting('stoa.go', true) = '0'`, bindings: [] });
    }
    return this.steps;
  }
}
