// Schema: the catalog of a definition and of a live database, the difference between two, and push.

export * from "./catalog.js";
export { columnTypeSql } from "./column-type.js";
export { compareTables, type TableChange } from "./compatibility.js";
export { desiredCatalog } from "./desired.js";
export { type DiffOptions, diffCatalogs } from "./diff.js";
export { introspect, type LiveSchema, readableSession } from "./introspect.js";
export { type LockOptions, withSchemaLock } from "./lock.js";
export type { Obstacle, PushWarning, RowInTheWay } from "./messages.js";
export {
  applyPush,
  type PushHooks,
  type PushOptions,
  type PushOutcome,
  type PushPlan,
  planPush,
} from "./push.js";
export { qualifyName, quoteLiteral, quoteName, quoteNames } from "./quote.js";
export { SYSTEM_SCHEMA } from "./record.js";
export {
  findRenames,
  type ModelPlacement,
  NO_RENAMES,
  type Placement,
  placementOf,
  type Renames,
} from "./renames.js";
export type { Affected, Requirement, Step, StepClass, StepKind } from "./step.js";
