export { emptyTables } from "./empty.js";
export { PopulateError, type RowValues, type SourcePlace } from "./failure.js";
export type { HookHost, SourceCode } from "./hooks.js";
export type { HookContext, HookFunction } from "./inline-code.js";
export { DEFAULT_SEED, type PopulateOptions, populate, type Summary } from "./populate.js";
export type { Progress } from "./progress.js";
export { type HashSecret, hashSecret, verifySecret } from "./secret.js";
