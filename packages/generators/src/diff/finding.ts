// Findings, and how names stand in their texts.

import type { ApiChangeKind, Finding } from "./change.js";

export function breaking(kind: ApiChangeKind, what: string, why: string, affects: string): Finding {
  return { kind, class: "breaking", what, why, affects };
}

export function compatible(
  kind: ApiChangeKind,
  what: string,
  why: string,
  affects: string | null = null,
): Finding {
  return { kind, class: "compatible", what, why, affects };
}

/** Something before and after, in words. */
export interface Words {
  readonly before: string;
  readonly after: string;
}

export const code = (text: string): string => `\`${text}\``;
export const list = (names: readonly string[]): string => names.map(code).join(", ");
