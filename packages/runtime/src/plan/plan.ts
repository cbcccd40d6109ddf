// The plan of an endpoint: everything that is known before a request comes. Constant SQL, where its parameters
// come from, and what is done with the rows.

import type { Endpoint } from "@stoa/definition";
import type { Binding } from "../sql/context.js";

export interface ReadPlan {
  /** `one`: a record or nothing. `all`: every record, streamed. `page`: a page and the count of all. */
  readonly kind: "one" | "all" | "page";
  readonly endpoint: Endpoint;
  readonly sql: string;
  readonly bindings: readonly Binding[];
  readonly pagination: { readonly pageSize: number; readonly max: number } | null;
  readonly hooks: readonly HookSlot[];
  /** Whether it reads a few rows by their keys and nothing else, so that it is done in no time. */
  readonly isQuick: boolean;
}

/**
 * Rows of a statement are texts that begin with a mark: `{` a record, as JSON; a digit the count of all records;
 * `p` there is the parent (of which there may be no records); `u` and `f` a rule refuses a caller who is not
 * authenticated, or one who is; `x` the credentials are nobody's;
 * `U` the id of the user, for code. In whatever order they come.
 */
export const MARK = {
  record: 0x7b,
  parent: 0x70,
  unauthenticated: 0x75,
  forbidden: 0x66,
  badCredentials: 0x78,
  user: 0x55,
} as const;

/** A property of the response that a hook gives: where it stands, and whose hook it is. */
export interface HookSlot {
  /** From the record to the property; `*` for each element of a collection. */
  readonly path: readonly string[];
  readonly model: string;
  readonly hook: string;
}
