// What there is to know of an endpoint: plain data, for whoever shows it.

import type { EndpointKind, Method } from "@stoa/definition";

export interface Explanation {
  readonly name: string;
  readonly kind: EndpointKind;
  readonly method: Method;
  /** `/api/author/{author_slug}/books` */
  readonly path: string;
  readonly doc: string | null;
  readonly at: SourcePlace;
  readonly parameters: readonly ExplainedParameter[];
  readonly rules: readonly ExplainedRule[];
  /** As in the source; null where there is none. */
  readonly filter: string | null;
  readonly order: string | null;
  /** Null for endpoints other than get and list. */
  readonly statement: ExplainedStatement | null;
  readonly plan: ExplainedPlan;
  readonly warnings: readonly ExplainWarning[];
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface ExplainedParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly type: string;
  /** What it may be and is without being given, in words. */
  readonly about: string | null;
}

export interface ExplainedRule {
  /** Whose rule it is: the segment of an entrypoint, or the name of the endpoint. */
  readonly of: string;
  readonly condition: string;
  readonly at: SourcePlace;
}

export interface ExplainedStatement {
  /** As it is sent to the database. */
  readonly sql: string;
  /** The same for people. */
  readonly formatted: string;
  /** What is bound to `$1`, `$2` and so on, in words. */
  readonly parameters: readonly string[];
}

export type ExplainedPlan =
  | {
      readonly kind: "plan";
      /** Lines as PostgreSQL prints them. */
      readonly lines: readonly string[];
      /** The same as PostgreSQL's own JSON. */
      readonly tree: PlanNode;
      readonly tables: readonly TableSize[];
    }
  | { readonly kind: "none"; readonly reason: string };

/** The parts of PostgreSQL's JSON that we read. */
export interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Parent Relationship"?: string;
  readonly "Plan Rows": number;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

export interface TableSize {
  readonly table: string;
  /** Counted up to `LARGE_TABLE`: one more than that means more than that. */
  readonly rows: number;
  /** What PostgreSQL believes when it plans. */
  readonly estimate: number;
}

/** Up to so many rows, reading all of them costs next to nothing. */
export const LARGE_TABLE = 1000;

export interface ExplainWarning {
  readonly code: "missing-index" | "sequential-scan";
  readonly message: string;
  readonly hint: string;
  /** Where to write what the hint says, or the endpoint. */
  readonly at: SourcePlace;
  readonly table: string;
  /** `unknown` where the rows that there will be decide: the table is empty, or the database was not asked. */
  readonly certainty: "sure" | "unknown";
}
