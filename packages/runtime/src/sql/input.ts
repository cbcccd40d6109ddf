// A value of the request.

import type { Expression, ValueType } from "@stoa/definition";
import type { Scope } from "./scope.js";

/** A parameter; where the request may leave it to a default that looks at records, that stands beside it. */
export function inputOr(
  { context, defaults }: Scope,
  path: readonly string[],
  type: ValueType,
  emitDefault: (value: Expression) => string,
): string {
  const value = context.parameter({ kind: "input", path, type });
  const fallback = defaults.get(path.join("."));
  if (fallback === undefined) return value;
  return `(case when ${context.parameter({ kind: "given", path })} then ${value} else ${emitDefault(fallback)} end)`;
}
