// A migration: steps in the order in which they are done, as they stand in `up.sql`, and the snapshot of what they
// lead to. Plain data; reading and writing folders is the command line's business.

import type { Catalog } from "../schema/catalog.js";
import type { Placement } from "../schema/renames.js";
import type { StepClass } from "../schema/step.js";

export interface Migration {
  /** The name of its folder: `0002_pages`. */
  readonly name: string;
  readonly number: number;
  /** The text of `up.sql`; what is run is read from it, since people may have edited it. */
  readonly sql: string;
  readonly snapshot: Snapshot;
}

export interface Snapshot {
  /** The migration before; null for the first. Two with the same one come from two branches. */
  readonly parent: string | null;
  readonly catalog: Catalog;
  readonly placement: Placement;
}

export interface MigrationStep {
  readonly class: StepClass;
  /** "adds the column pages to book" */
  readonly words: string;
  readonly run: StepRun;
  /** Why it is done in this way. */
  readonly reasons: readonly string[];
  /** SQL, with comments where people are asked to write something. */
  readonly sql: string;
}

/**
 * `together`    in one transaction with its neighbours of the same kind
 * `apart`       the same, but a new transaction begins here: what is locked before is let go first
 * `alone`       outside a transaction, as PostgreSQL asks for
 * `batches`     once for every so many rows of a table, `$1` and `$2` being the first and last id
 * `no-rows`     a question; if it has an answer, deployment stops there
 */
export type StepRun =
  | { readonly kind: "together" }
  | { readonly kind: "apart" }
  | { readonly kind: "alone" }
  | { readonly kind: "batches"; readonly size: number; readonly table: string }
  | { readonly kind: "no-rows" };

/** What stops a command, in words, and what to do about it. */
export interface MigrationProblem {
  readonly kind: ProblemKind;
  readonly message: string;
  readonly hint: string;
}

export type ProblemKind =
  | "branches"
  | "gap"
  | "unreadable"
  | "edited"
  | "missing-files"
  | "out-of-order"
  | "pushed"
  | "newer-record";

const NAME = /^(\d{4,})_[a-z0-9_]+$/;

/** The number of a migration's folder; null if it is no such folder. */
export function migrationNumber(folder: string): number | null {
  const digits = NAME.exec(folder)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** `Add pages!` as number 2 → `0002_add_pages`; null where nothing of the text is left. */
export function migrationName(number: number, text: string): string | null {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 60);
  return words === "" ? null : `${String(number).padStart(4, "0")}_${words}`;
}
