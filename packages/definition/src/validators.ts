// Names of validators that need no declaration.

/** Validators that the runtime brings along; no definition declares them. */
export const BUILT_IN_VALIDATORS: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "min",
  "max",
  "matches",
  "isEmail",
  "isUrl",
  "oneOf",
]);
