export { emptyTables } from "./empty.js";
export { PopulateError, type RowValues, type SourcePlace } from "./failure.js";
export type { HookHost } from "./hooks.js";
export { compileInlineCode, type HookContext, type HookFunction } from "./inline-code.js";
export { DEFAULT_SEED, type PopulateOptions, populate, type Summary } from "./populate.js";
export type { Progress } from "./progress.js";
export { hasRows } from "./rows.js";
export { type HashSecret, hashSecret, isCurrentHash, verifySecret } from "./secret.js";
