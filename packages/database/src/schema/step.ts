// A step: one change of the database that people understand, with its statements, what it does to the rows
// that are there, and what it asks of them. Plain data, for printing, for asking, for migration files.

export interface Step {
  readonly kind: StepKind;
  readonly class: StepClass;
  /** "adds the column price to book" */
  readonly words: string;
  readonly statements: readonly string[];
  readonly affects: Affected;
  /** What must hold for the rows there are; looked at before anything is changed. */
  readonly needs: readonly Requirement[];
}

/**
 * `additive`     adds or renames; no row changes
 * `widening`     allows more than before, or keeps every value there can be in a wider type
 * `data`         needs rows to fit, or rewrites their values; loses nothing, or does not happen
 * `destructive`  loses rows or values, or decides about a table that others made
 */
export type StepClass = "additive" | "widening" | "data" | "destructive";

export type StepKind =
  | "create-schema"
  | "take-over-table"
  | "create-table"
  | "drop-table"
  | "rename-table"
  | "add-column"
  | "drop-column"
  | "rename-column"
  | "change-type"
  | "set-default"
  | "drop-default"
  | "set-not-null"
  | "drop-not-null"
  | "add-identity"
  | "drop-identity"
  | "add-primary-key"
  | "drop-primary-key"
  | "add-unique"
  | "drop-unique"
  | "add-foreign-key"
  | "drop-foreign-key"
  | "change-foreign-key"
  | "add-check"
  | "drop-check"
  | "change-check"
  | "add-index"
  | "drop-index"
  | "rename-constraints";

/** By the names after the change, or the last ones of what is gone. */
export interface Affected {
  readonly table: string | null;
  readonly columns: readonly string[];
  /** Name of the constraint or index. */
  readonly constraint: string | null;
}

/** A table before and after; its rows are asked under the old name. */
export interface TableNames {
  readonly live: string;
  readonly name: string;
}

/** A column by its new name, and the SQL of its new value over a row of the live table. */
export interface ValueSql {
  readonly name: string;
  readonly sql: string;
}

export type Requirement =
  /** A required column without a default. */
  | { readonly kind: "no-rows"; readonly table: TableNames; readonly column: string }
  | { readonly kind: "no-nulls"; readonly table: TableNames; readonly column: ValueSql }
  | {
      readonly kind: "castable";
      readonly table: TableNames;
      readonly column: ValueSql;
      readonly fits: string;
      readonly from: string;
      readonly to: string;
      /** Some values of the one type are values of the other. */
      readonly isPossible: boolean;
    }
  | {
      readonly kind: "unique";
      readonly table: TableNames;
      readonly columns: readonly ValueSql[];
      /** Some column is added by this very change, with the same default in all rows. */
      readonly isNew: boolean;
    }
  | {
      readonly kind: "references";
      readonly table: TableNames;
      readonly column: ValueSql;
      /** Null if the target is made by this very change, and so is empty. */
      readonly target: (TableNames & { readonly sql: string }) | null;
      readonly targetName: string;
    }
  | {
      readonly kind: "values";
      readonly table: TableNames;
      readonly column: ValueSql;
      readonly values: readonly string[];
    }
  /** No view and no foreign key of others holds on to the table, or to one column of it. */
  | { readonly kind: "no-dependents"; readonly table: TableNames; readonly column: string | null };
