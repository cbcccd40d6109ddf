// The parts of the document that others refer to: headers, problems, enums, and the objects of answers.

import type { Definition } from "@stoa/definition";
import { enumNames } from "../outline/enum-names.js";
import { PROBLEMS, type ProblemCode } from "../outline/problems.js";
import type { NamedShape, Shape, ShapeProperty } from "../outline/shapes.js";
import { storedExample } from "./example.js";
import { problemSchemaName, schemaRef } from "./response.js";
import { type Json, orNull, valueSchema } from "./schema.js";

export const HEADERS: Json = {
  RequestId: {
    description: "Finds the request in the log; the request's own `X-Request-Id` if it is a sane one.",
    schema: { type: "string" },
  },
  ETag: {
    description: "Changes when the record does. For `If-Match` and `If-None-Match`.",
    schema: { type: "string", pattern: '^"[0-9a-f]+"$' },
  },
  Location: { description: "Where the new record is.", schema: { type: "string", format: "uri-reference" } },
  RetryAfter: {
    description: "After how many seconds to try again.",
    schema: { type: "integer", minimum: 1 },
  },
  WwwAuthenticate: { description: "How to authenticate.", schema: { type: "string" } },
  IdempotentReplayed: {
    description:
      "There when this is the stored answer to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
  },
};

export function enumSchemas(definition: Definition): [string, Json][] {
  return definition.enums.map(({ name, doc, values }) => {
    const told = values
      .filter((value) => value.doc !== null)
      .map((value) => `- \`${value.name}\`: ${value.doc}`);
    const description = [doc, told.join("\n")].filter(Boolean).join("\n\n");
    const schema = {
      type: "string",
      enum: values.map((value) => value.name),
      description: description || undefined,
    };
    return [enumNames(definition).get(name) ?? name, schema];
  });
}

// ---------------------------------------------------------------- problems

const TYPE_BASE = "https://stoa.dev/errors/";

export function problemSchemas(
  codes: readonly ProblemCode[],
  inputCodes: readonly string[],
): [string, Json][] {
  const problems = codes.map((code): [string, Json] => [problemSchemaName(code), problemSchema(code)]);
  const inputErrors: [string, Json][] = [
    ["InputError", inputErrorSchema({ enum: inputCodes }, PARAMS)],
    ["TakenError", inputErrorSchema({ const: "unique" }, undefined)],
  ];
  const used = [codes.includes("validation"), codes.includes("conflict")];
  return [...problems, ...inputErrors.filter((_, index) => used[index])];
}

function problemSchema(code: ProblemCode): Json {
  const { status, title, detail, when } = PROBLEMS[code];
  const errors = errorsOf(code);
  return {
    type: "object",
    description: when,
    properties: {
      type: { type: "string", const: TYPE_BASE + code },
      title: { type: "string", const: title },
      status: { type: "integer", const: status },
      code: { type: "string", const: code },
      detail: { type: "string", const: detail },
      requestId: { type: "string" },
      errors: errors?.schema,
    },
    required: [
      "type",
      "title",
      "status",
      "code",
      "detail",
      "requestId",
      ...(errors?.isRequired ? ["errors"] : []),
    ],
    additionalProperties: false,
  };
}

function errorsOf(code: ProblemCode): { readonly schema: Json; readonly isRequired: boolean } | undefined {
  if (code !== "validation" && code !== "conflict") return undefined;
  const isRequired = code === "validation";
  const items = schemaRef(isRequired ? "InputError" : "TakenError");
  return { isRequired, schema: { type: "array", items, minItems: isRequired ? 1 : undefined } };
}

const PARAMS: Json = {
  type: "object",
  description: "What the message says, for programs.",
  additionalProperties: {
    anyOf: [{ type: ["string", "number", "boolean"] }, { type: "array", items: { type: "string" } }],
  },
};

function inputErrorSchema(code: Json, params: Json | undefined): Json {
  return {
    type: "object",
    properties: {
      path: {
        type: "string",
        format: "json-pointer",
        description: "Into the body; of a query parameter `/name`.",
      },
      code: { type: "string", ...code },
      message: { type: "string", description: "Goes on after the name of the input." },
      params,
    },
    required: ["path", "code", "message"],
    additionalProperties: false,
  };
}

/** What code of the program throws: a status and a code of its own. */
export const OWN_PROBLEM: Json = {
  type: "object",
  description: "An error of the application's own.",
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer", minimum: 400, maximum: 599 },
    code: { type: "string" },
    detail: { type: "string" },
    requestId: { type: "string" },
  },
  required: ["type", "title", "status", "code", "detail", "requestId"],
  additionalProperties: false,
};

// ---------------------------------------------------------------- answers

export function shapeSchema(definition: Definition, shape: Shape): Json {
  switch (shape.kind) {
    case "value":
      return valueSchema(definition, shape.type, "output");
    case "object":
      return shape.nullable ? orNull(schemaRef(shape.name)) : schemaRef(shape.name);
    case "list": {
      const schema = { type: "array", items: shapeSchema(definition, shape.of) };
      return shape.nullable ? orNull(schema) : schema;
    }
    case "null":
      return { type: "null" };
    case "any":
      return {};
  }
}

export function namedSchema(definition: Definition, { model, properties }: NamedShape): Json {
  const names = properties.map(({ name }) => name);
  return {
    type: "object",
    description: model?.doc ?? undefined,
    properties: Object.fromEntries(
      properties.map((property) => [property.name, propertySchema(definition, model?.name, property)]),
    ),
    required: names.length > 0 ? names : undefined,
    additionalProperties: false,
  };
}

function propertySchema(definition: Definition, model: string | undefined, property: ShapeProperty): Json {
  const { shape, doc, member } = property;
  const schema = shapeSchema(definition, shape);
  const examples =
    model === undefined || member === null ? undefined : storedExample(definition, model, member, schema);
  return { ...schema, description: doc ?? undefined, examples };
}
