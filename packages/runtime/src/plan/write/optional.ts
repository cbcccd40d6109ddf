// Which inputs a request may leave out.

import type { RequestField, RequestSchema } from "@stoa/definition";

export function optionalFields(schema: RequestSchema | null): (path: readonly string[]) => boolean {
  return (path) => isOptional(schema?.fields ?? [], path);
}

function isOptional(fields: readonly RequestField[], [name, ...rest]: readonly string[]): boolean {
  const field = fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`The request has no field \`${name}\`.`);
  if (field.kind === "object") return !field.required || isOptional(field.fields, rest);
  return !field.required;
}
