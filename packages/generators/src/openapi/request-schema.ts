// What requests bring, as schemas: objects of inputs, and parameters of paths and query strings.

import type { Definition, Parameter, RequestField } from "@stoa/definition";
import { exampleOf } from "./example.js";
import { constrain, mergeSchemas } from "./rule-schema.js";
import { type Json, valueSchema } from "./schema.js";

type ValueField = Extract<RequestField, { kind: "value" }>;

export function inputSchema(definition: Definition, fields: readonly RequestField[]): Json {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(definition, field)])),
    required: required.length > 0 ? required : undefined,
    additionalProperties: false,
  };
}

function fieldSchema(definition: Definition, field: RequestField): Json {
  if (field.kind === "object") return inputSchema(definition, field.fields);
  return valueFieldSchema(definition, field, "input");
}

export function valueFieldSchema(
  definition: Definition,
  field: ValueField,
  direction: "input" | "text",
): Json {
  const { type, validate, doc } = field;
  // A query string cannot say null.
  const given = direction === "text" ? { ...type, nullable: false } : type;
  const { schema, checks } = constrain(definition, validate, given);
  const own = mergeSchemas(valueSchema(definition, given, direction), schema);
  const all = [...new Set([...checks, ...otherChecks(definition, field)])].sort();
  return {
    ...own,
    description: doc ?? undefined,
    default: defaultOf(field),
    examples: exampleOf(definition, field, own),
    writeOnly: isSecret(definition, field) ? true : undefined,
    "x-checks": all.length > 0 ? all : undefined,
  };
}

/**
 * What a schema cannot say. Whether the record that a value names is there is known only to the database; numbers of
 * schemas have no limits.
 */
function otherChecks({ models }: Definition, { source, type }: ValueField): string[] {
  if (source.kind === "lookup") return ["not-found"];
  if (source.kind === "member") {
    const members = models.find(({ name }) => name === source.model)?.members ?? [];
    const member = members.find(({ name }) => name === source.member);
    if (member?.kind === "reference" || member?.kind === "key") return ["not-found"];
  }
  if (type.kind === "json") return ["inexact-number"];
  return type.kind === "datetime" ? ["datetime-range"] : [];
}

/** Only what is the same for everybody, at any time. */
function defaultOf({ default: value, type }: ValueField): Json[string] {
  if (value?.kind !== "literal") return undefined;
  return type.kind === "decimal" && value.value !== null ? String(value.value) : value.value;
}

function isSecret({ models }: Definition, { source }: ValueField): boolean {
  if (source.kind !== "member") return false;
  const members = models.find(({ name }) => name === source.model)?.members ?? [];
  return members.some((member) => member.kind === "field" && member.name === source.member && member.secret);
}

export function pathParameter(definition: Definition, { name, type }: Parameter): Json {
  const schema = valueSchema(definition, { ...type, nullable: false }, "text");
  return {
    ...{ name, in: "path", required: true },
    description: `Which one: ${name.replaceAll("_", " ")}.`,
    schema: type.kind === "string" ? { ...schema, minLength: 1 } : schema,
  };
}

export function queryParameter(definition: Definition, field: ValueField): Json {
  const { description, ...schema } = valueFieldSchema(definition, field, "text");
  return {
    ...{ name: field.name, in: "query", required: field.required },
    description:
      description ?? `The input \`${field.name}\`${field.type.kind === "json" ? ", as JSON" : ""}.`,
    schema,
  };
}

const MOST_PAGES = Number.MAX_SAFE_INTEGER;

export function pageParameters({
  pageSize,
  max,
}: {
  readonly pageSize: number;
  readonly max: number;
}): Json[] {
  return [
    {
      ...{ name: "page", in: "query", required: false },
      description: "Which page, from 1. One past the end has no data.",
      schema: { type: "integer", format: "int64", minimum: 1, maximum: MOST_PAGES, default: 1 },
    },
    {
      ...{ name: "pageSize", in: "query", required: false },
      description: `How many records a page has; more than ${max} are lowered to that.`,
      schema: { type: "integer", minimum: 1, default: pageSize },
    },
  ];
}
