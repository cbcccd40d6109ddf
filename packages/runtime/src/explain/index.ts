// Explaining endpoints, for tools.

export {
  type AccessAnswer,
  type AccessRow,
  type AccessRule,
  type DecidedClause,
  explainAccess,
  listAccess,
} from "./access.js";
export type { AccessQuestion, Truth } from "./clauses.js";
export { explainEndpoint } from "./explain.js";
export * from "./explanation.js";
export { type FoundPlace, findPlace } from "./find-place.js";
export { layoutSql } from "./sql-layout.js";
