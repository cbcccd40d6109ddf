// Defaults of inputs that look at records: whoever reads the request does not have them, so the database works them
// out.

import type { Expression, RequestField, RequestSchema } from "@stoa/definition";
import { mentionsVariable } from "../rules.js";

/** By the path of the input, its parts joined by points. */
export function laterDefaults(schema: RequestSchema | null): ReadonlyMap<string, Expression> {
  return new Map(defaultsOf(schema?.fields ?? [], []));
}

function defaultsOf(
  fields: readonly RequestField[],
  above: readonly string[],
): (readonly [string, Expression])[] {
  return fields.flatMap((field) => {
    const path = [...above, field.name];
    if (field.kind === "object") return defaultsOf(field.fields, path);
    const { default: value } = field;
    return value === null || !mentionsVariable(value) ? [] : [[path.join("."), value] as const];
  });
}
