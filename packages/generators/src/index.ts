// What is made of a definition: texts of files, which somebody else writes.

export { writeHookTypes } from "./hook-types.js";
export { type OpenApiOptions, writeOpenApi } from "./openapi/openapi.js";
