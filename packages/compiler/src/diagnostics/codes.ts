// Every diagnostic code, with its severity. Codes are stable: they stand in docs/errors/ and in
// `// stoa-ignore` comments. A new code needs a page there; a test sees to it.

export type Severity = "error" | "warning";

const table = {
  // Files and text
  "not-utf8": "error",
  "empty-file": "warning",
  "invalid-character": "error",
  "invalid-number": "error",
  "invalid-escape": "error",
  "unterminated-string": "error",
  "unterminated-comment": "error",
  "integer-out-of-range": "error",
  // Syntax
  syntax: "error",
  "misspelt-word": "error",
  "missing-word": "error",
  "unknown-property": "error",
  "property-not-allowed": "error",
  "duplicate-property": "error",
  "missing-property": "error",
  "unclosed-block": "error",
  "stray-brace": "error",
  "reserved-name": "error",
  "foreign-operator": "error",
  "chained-comparison": "error",
  "method-call": "error",
  "too-deep": "error",
  "misplaced-doc": "warning",
  "bad-ignore": "warning",
  "unused-ignore": "warning",
  // Names
  "duplicate-name": "error",
  "unknown-model": "error",
  "unknown-type": "error",
  "unknown-member": "error",
  "unknown-name": "error",
  "unknown-function": "error",
  "unknown-validator": "error",
  "unknown-enum-value": "error",
  "ambiguous-name": "error",
  "alias-shadows": "error",
  // Models
  "relation-mismatch": "error",
  "set-null-needs-nullable": "error",
  "default-not-constant": "error",
  "invalid-type": "error",
  "invalid-was": "error",
  cycle: "error",
  "name-collision": "error",
  "invalid-database-name": "error",
  "query-shape": "error",
  "hook-shape": "error",
  "not-stored": "error",
  "invalid-pattern": "error",
  // Expressions
  "type-mismatch": "error",
  "operand-type": "error",
  "argument-count": "error",
  "argument-type": "error",
  "nullable-value": "error",
  "not-boolean": "error",
  "collection-value": "error",
  "not-comparable": "error",
  "not-orderable": "error",
  "no-members": "error",
  "invalid-literal": "error",
  "secret-exposed": "error",
  "hook-not-here": "error",
  "auth-missing": "error",
  "out-of-place": "error",
  // Api
  "not-a-resource": "error",
  "identify-not-unique": "error",
  "identify-on-single": "error",
  "endpoint-not-allowed": "error",
  "duplicate-endpoint": "error",
  "route-clash": "error",
  "invalid-path": "error",
  "invalid-method": "error",
  "invalid-page-size": "error",
  "unguarded-endpoint": "warning",
  "auth-may-be-null": "warning",
  // Actions
  "action-target": "error",
  "primary-action": "error",
  "not-writable": "error",
  "mentioned-twice": "error",
  "missing-value": "error",
  "input-clash": "error",
  "input-needs-alias": "error",
  "unknown-input": "error",
  "unused-input": "warning",
  "respond-misplaced": "error",
  // Auth, runtimes, generators, populators
  "duplicate-auth": "error",
  "auth-field": "error",
  "runtime-default": "error",
  "populate-target": "error",
  "invalid-repeat": "error",
} as const satisfies Record<string, Severity>;

export type Code = keyof typeof table;

export const codes: Readonly<Record<Code, Severity>> = table;

export function isCode(text: string): text is Code {
  return Object.hasOwn(table, text);
}
