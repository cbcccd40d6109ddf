// The program of an endpoint that writes: statements and calls of code, in order, in one transaction. What one
// step finds, later ones read from settings of the transaction, so that steps without code between them are
// sent in one go.

import type { Endpoint, Hook, Rule, ValueType } from "@stoa/definition";
import type { HookSlot } from "../plan.js";
import type { Statement } from "../statement.js";

export interface WriteProgram {
  readonly endpoint: Endpoint;
  readonly steps: readonly Step[];
  /** Models whose rows it writes; their constraints may be violated. */
  readonly models: readonly string[];
  /** Tells a caller who may not do this so, before anything is said about what they have sent; null without rules. */
  readonly guard: Statement | null;
  /** Where the entity tag of the answer comes from: its own bytes, or a row with a mark. */
  readonly tag: "answer" | "row" | "none";
  /** Hooks in the JSON of its response. */
  readonly hooks: readonly HookSlot[];
}

export type Step =
  | {
      readonly kind: "statement";
      readonly statement: Statement;
      readonly lookups: readonly Lookup[];
      /** Whose statement it is, by their places among the actions; none if it belongs to none of them. */
      readonly actions: readonly number[];
    }
  /** Code: its arguments are what the statement before gave; its result is a parameter of later ones. */
  | { readonly kind: "hook"; readonly call: number; readonly hook: Hook; readonly use: HookUse }
  /** Validators over the values that the statement before gave. */
  | { readonly kind: "rule"; readonly key: readonly string[]; readonly rule: Rule };

export type HookUse =
  /** `isPassword`: the result is stored as a hash. */
  | {
      readonly kind: "set";
      readonly type: ValueType;
      readonly member: string;
      readonly isPassword: boolean;
    }
  | { readonly kind: "execute"; readonly responds: boolean };

/** A reason to write nothing: the mark that says it, as SQL, and when. */
export interface Refusal {
  readonly mark: string;
  readonly condition: string;
  /** It can be true only where the write has all that it stands on. */
  readonly isOfGround?: boolean;
  /** It is looked at when the statement has written, so that refusing means undoing. */
  readonly isAfter?: boolean;
}

/** A record that the request names by a unique value: where in the request. */
export interface Lookup {
  readonly field: readonly string[];
}

/**
 * Beside the marks of statements that read: `k` a step was done; `l` and a number: nothing has the value of that
 * lookup; `t`: there is a record already where one was to be created; `n`: a record that must exist does not; `v`
 * and a number: that validation failed; `i` and a text: the identifier of the created record; `s`, `h`, `b`:
 * status, headers and body of an answer; `e`: the entity tag; `m`: the record has another tag than it should; `a` and an object: arguments of code.
 */
export const WRITE_MARK = {
  done: 0x6b,
  lookup: 0x6c,
  taken: 0x74,
  missing: 0x6e,
  invalid: 0x76,
  identifier: 0x69,
  status: 0x73,
  headers: 0x68,
  body: 0x62,
  arguments: 0x61,
  tag: 0x65,
  changed: 0x6d,
  overtaken: 0x77,
} as const;
