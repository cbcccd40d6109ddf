// Names that the language itself provides.

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
