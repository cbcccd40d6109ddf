// A change of what clients can call and see: plain data, for printing and for programs.

/**
 * `compatible`  whoever used the old version can use the new one: what was sent is still taken and means the same,
 *               and what is answered can still be read
 * `breaking`    somebody may have to change something
 */
export type ChangeClass = "breaking" | "compatible";

export interface ApiChange {
  /** Stable, for programs: `property-removed`. */
  readonly kind: ApiChangeKind;
  readonly class: ChangeClass;
  /** Method and path after the change, or the last ones of what is gone; `auth` and the like otherwise. */
  readonly where: string;
  /** `author.books.create`; null where it is not about one endpoint. */
  readonly operation: string | null;
  readonly what: string;
  readonly why: string;
  /** Who notices; null where nobody needs to. */
  readonly affects: string | null;
}

/** A change before it is known where. */
export type Finding = Omit<ApiChange, "where" | "operation">;

export type ApiChangeKind =
  | "endpoint-added"
  | "endpoint-removed"
  | "path-changed"
  | "method-changed"
  | "identifier-changed"
  | "operation-renamed"
  | "rule-stricter"
  | "rule-laxer"
  | "rule-changed"
  | "input-added"
  | "input-removed"
  | "input-renamed"
  | "input-required"
  | "input-optional"
  | "input-type-changed"
  | "input-nullable"
  | "input-not-nullable"
  | "input-stricter"
  | "input-laxer"
  | "input-rule-changed"
  | "input-unique"
  | "input-not-unique"
  | "input-default-changed"
  | "property-added"
  | "property-removed"
  | "property-renamed"
  | "property-nullable"
  | "property-not-nullable"
  | "property-type-changed"
  | "value-changed"
  | "answer-changed"
  | "status-changed"
  | "content-type-changed"
  | "header-added"
  | "header-removed"
  | "problem-added"
  | "problem-removed"
  | "error-code-changed"
  | "paging-added"
  | "paging-removed"
  | "page-size-changed"
  | "page-limit-changed"
  | "filter-stricter"
  | "filter-laxer"
  | "filter-changed"
  | "order-changed"
  | "action-changed"
  | "hook-changed"
  | "auth-added"
  | "auth-removed"
  | "auth-changed"
  | "documentation";
