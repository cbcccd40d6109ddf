// A definition as an OpenAPI 3.1 document: every address, what it takes and everything it can answer. The same
// definition gives the same text, and a small change of the one is a small change of the other.

import type { Definition } from "@stoa/definition";
import { inputErrorsOf } from "../outline/input-errors.js";
import { listGroups, type Operation } from "../outline/operations.js";
import { type Outline, outline } from "../outline/outline.js";
import { type ProblemCode, problemsOf, runsCode } from "../outline/problems.js";
import { AUTH_TAG, type AuthPart, authPart } from "./auth.js";
import { enumSchemas, HEADERS, namedSchema, OWN_PROBLEM, problemSchemas } from "./components.js";
import { operationObject, PARAMETERS, pathParameters } from "./operation.js";
import { inputSchema } from "./request-schema.js";
import { SharedResponses, schemaRef } from "./response.js";
import type { Json, JsonPart } from "./schema.js";

export interface OpenApiOptions {
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  /** An SPDX expression: `MIT`. */
  readonly license?: string;
  /** Where the application is reached: `https://shop.example.org`, or a path. */
  readonly serverUrl?: string;
}

export function writeOpenApi(definition: Definition, options: OpenApiOptions = {}): string {
  return `${JSON.stringify(createOpenApi(definition, options), null, 2)}\n`;
}

function createOpenApi(definition: Definition, options: OpenApiOptions): Json {
  const all = outline(definition);
  const shared = new SharedResponses();
  const auth = authPart(definition, all.shapes, shared);
  const paths = Object.fromEntries([...pathsOf(all, shared), ...auth.paths]);
  return {
    openapi: "3.1.0",
    info: infoOf(options),
    servers: [{ url: options.serverUrl ?? "/" }],
    tags: tagsOf(all, auth),
    paths,
    components: componentsOf({ all, auth, shared, paths }),
  };
}

const NO_LICENSE = { name: "All rights reserved", identifier: "LicenseRef-All-Rights-Reserved" };

function infoOf({ title, version, description, license }: OpenApiOptions): Json {
  return {
    title: title ?? "API",
    version: version ?? "0.0.0",
    description,
    license: license === undefined ? NO_LICENSE : { name: license, identifier: license },
  };
}

function tagsOf({ apis, definition }: Outline, { paths }: AuthPart): Json[] {
  const groups = listGroups(apis).filter(({ operations }) => operations.length > 0);
  const tags = groups.map(({ path, entrypoint }) => {
    const model = definition.models.find(({ name }) => name === entrypoint.model);
    const description = entrypoint.doc ?? model?.doc ?? `Records of ${entrypoint.model}.`;
    return { name: path.join("."), description };
  });
  const isTaken = tags.some(({ name }) => name === AUTH_TAG);
  const auth = paths.length > 0 && !isTaken ? [{ name: AUTH_TAG, description: "Who one is." }] : [];
  return [...tags, ...auth];
}

/** Operations of one path together, in the order in which the paths first appear. */
function pathsOf(all: Outline, shared: SharedResponses): [string, Json][] {
  const paths = new Map<string, Record<string, JsonPart>>();
  for (const operation of all.operations) {
    const { path, method } = operation.endpoint;
    const item = paths.get(path) ?? itemOf(all.definition, operation);
    item[method.toLowerCase()] = operationObject({
      ...{ definition: all.definition, operation, shared },
      response: all.responses.get(operation) ?? null,
      input: bodyRef(all, operation),
    });
    paths.set(path, item);
  }
  return [...paths];
}

function itemOf(definition: Definition, { endpoint }: Operation): Record<string, JsonPart> {
  const parameters = pathParameters(definition, endpoint);
  return parameters.length > 0 ? { parameters } : {};
}

function bodyRef({ inputs }: Outline, operation: Operation): Json | null {
  const name = inputs.get(operation);
  return name === undefined || operation.endpoint.request?.in !== "body" ? null : schemaRef(name);
}

// ---------------------------------------------------------------- components

interface Written {
  readonly all: Outline;
  readonly auth: AuthPart;
  readonly shared: SharedResponses;
  readonly paths: Json;
}

function componentsOf({ all, auth, shared, paths }: Written): Json {
  const { definition, operations } = all;
  const codes = codesOf(all, auth.codes);
  const schemas = [
    ...enumSchemas(definition),
    ...all.shapes.all.map((shape) => [shape.name, namedSchema(definition, shape)] as const),
    ...inputSchemas(all),
    ...auth.schemas,
    ...problemSchemas(codes, inputCodesOf(all, auth)),
    ...(operations.some((operation) => throwsOwn(definition, operation))
      ? [["OwnProblem", OWN_PROBLEM] as const]
      : []),
  ];
  const parts = { schemas: sorted(schemas), responses: shared.all };
  const text = JSON.stringify([paths, parts]);
  return {
    ...parts,
    headers: referred("headers", HEADERS, text),
    parameters: referred("parameters", PARAMETERS, text),
    securitySchemes: securitySchemes(definition),
  };
}

/** Those that the rest of the document mentions. */
function referred(section: string, components: Json, text: string): Json | undefined {
  const used = Object.entries(components).filter(([name]) =>
    text.includes(`"#/components/${section}/${name}"`),
  );
  return used.length > 0 ? Object.fromEntries(used) : undefined;
}

function throwsOwn(definition: Definition, operation: Operation): boolean {
  const { actions } = operation.endpoint;
  const isUpToCode = actions.some((action) => action.kind === "execute" && action.responds);
  return !isUpToCode && runsCode(definition, operation);
}

function inputSchemas({ definition, operations, inputs }: Outline): [string, Json][] {
  const schemas = new Map<string, Json>();
  for (const operation of operations) {
    const { request } = operation.endpoint;
    const name = inputs.get(operation);
    if (request?.in !== "body" || name === undefined) continue;
    schemas.set(name, inputSchema(definition, request.fields));
  }
  return [...schemas];
}

function codesOf({ definition, operations }: Outline, others: readonly ProblemCode[]): ProblemCode[] {
  const codes = operations.flatMap((operation) => problemsOf(definition, operation));
  return [...new Set([...codes, ...others])].sort();
}

const LOGIN_INPUT_CODES = ["duplicate", "invalid-text", "null", "repeated", "required", "type", "unknown"];

function inputCodesOf({ definition, operations }: Outline, { paths }: AuthPart): string[] {
  const codes = operations.flatMap(({ endpoint }) => inputErrorsOf(definition, endpoint).codes);
  return [...new Set([...codes, ...(paths.length > 0 ? LOGIN_INPUT_CODES : [])])].sort();
}

function securitySchemes({ auth }: Definition): Json | undefined {
  if (auth === null) return undefined;
  const format = auth.password === null ? "JWT" : undefined;
  const description = auth.password === null ? `A token of ${auth.jwt?.issuer}.` : "A token of `auth.login`.";
  return { bearer: { type: "http", scheme: "bearer", bearerFormat: format, description } };
}

function sorted(entries: readonly (readonly [string, Json])[]): Json {
  return Object.fromEntries([...entries].sort(([left], [right]) => (left < right ? -1 : 1)));
}
