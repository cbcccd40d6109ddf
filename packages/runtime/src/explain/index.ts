// Explaining endpoints, for tools.

export { explainEndpoint } from "./explain.js";
export * from "./explanation.js";
export { type FoundPlace, findPlace } from "./find-place.js";
export { layoutSql } from "./sql-layout.js";
