// What is made of a definition: texts of files, which somebody else writes.

export { type ClientFile, writeClient } from "./client/client.js";
export type { ApiChange, ApiChangeKind, ChangeClass } from "./diff/change.js";
export { type ApiVersion, compareApis } from "./diff/diff.js";
export { writeHookTypes } from "./hook-types.js";
export { type OpenApiOptions, writeOpenApi } from "./openapi/openapi.js";
