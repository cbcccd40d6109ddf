// One endpoint as an operation of the document.

import type { Definition, Endpoint, Expression, RespondAction } from "@stoa/definition";
import type { Operation } from "../outline/operations.js";
import { problemsOf, runsCode, securityOf } from "../outline/problems.js";
import type { Shape } from "../outline/shapes.js";
import { shapeSchema } from "./components.js";
import { pageParameters, pathParameter, queryParameter } from "./request-schema.js";
import {
  type Answer,
  headerRef,
  ownProblemAnswer,
  problemAnswer,
  renderAnswers,
  type SharedResponses,
} from "./response.js";
import { type Json, MAX_INTEGER } from "./schema.js";

export interface OperationParts {
  readonly definition: Definition;
  readonly operation: Operation;
  /** What is sent back; null where it is nothing, or up to code. */
  readonly response: Shape | null;
  readonly input: Json | null;
  readonly shared: SharedResponses;
}

export function operationObject(parts: OperationParts): Json {
  const { definition, operation } = parts;
  const { endpoint, group, id } = operation;
  return {
    operationId: id,
    summary: summaryOf(operation),
    description: endpoint.doc ?? undefined,
    tags: [group.path.join(".")],
    security: SECURITY[securityOf(definition, operation)],
    parameters: [...queryParameters(definition, endpoint), ...headerParameters(endpoint)],
    requestBody: parts.input === null ? undefined : requestBody(endpoint, parts.input),
    responses: renderAnswers(answersOf(parts), parts.shared),
  };
}

const BEARER = { bearer: [] };
const SECURITY = { none: [], optional: [{}, BEARER], required: [BEARER] };

/** The first sentence of the doc comment, or what the endpoint does. */
function summaryOf({ endpoint, group, name }: Operation): string {
  const sentence = /^[^\n]*?[.!?](?=\s|$)|^[^\n]+/.exec(endpoint.doc ?? "")?.[0];
  if (sentence !== undefined) return sentence.replace(/\.$/, "");
  const what = group.path.join(" ");
  return `${(endpoint.kind === "custom" ? name : endpoint.kind).replace(/^./, (letter) => letter.toUpperCase())} ${what}`;
}

// ---------------------------------------------------------------- requests

export function pathParameters(definition: Definition, { parameters }: Endpoint): Json[] {
  return parameters.map((parameter) => pathParameter(definition, parameter));
}

function queryParameters(definition: Definition, { list, request }: Endpoint): Json[] {
  const paging = list?.pagination ? pageParameters(list.pagination) : [];
  if (request?.in !== "query") return paging;
  const inputs = request.fields.flatMap((field) =>
    field.kind === "value" ? [queryParameter(definition, field)] : [],
  );
  return [...paging, ...inputs];
}

function headerParameters({ kind, method }: Endpoint): Json[] {
  const refs = [
    ...(kind === "get" ? ["IfNoneMatch"] : []),
    ...(kind === "update" || kind === "delete" ? ["IfMatch"] : []),
    ...(method === "POST" ? ["IdempotencyKey"] : []),
  ];
  return refs.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

export const PARAMETERS: Json = {
  IfNoneMatch: {
    ...{ name: "If-None-Match", in: "header", required: false },
    description: "The `ETag` of what the client has; if it is still the same, the answer is 304.",
    schema: { type: "string" },
  },
  IfMatch: {
    ...{ name: "If-Match", in: "header", required: false },
    description: "The `ETag` of the record that is meant; if it has changed, the answer is 412.",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    ...{ name: "Idempotency-Key", in: "header", required: false },
    description: "Makes it safe to send a request again: the same key and body get the same answer.",
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
  },
};

/** Without inputs that have to be there, no body is needed either. */
function requestBody({ request, method }: Endpoint, schema: Json): Json {
  const types =
    method === "PATCH" ? ["application/json", "application/merge-patch+json"] : ["application/json"];
  return {
    required: request?.fields.some(({ required }) => required) ?? false,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

// ---------------------------------------------------------------- answers

function answersOf(parts: OperationParts): Answer[] {
  const { definition, operation } = parts;
  const { actions } = operation.endpoint;
  const problems = problemsOf(definition, operation).map(problemAnswer);
  // Ranges such as 4XX would say more than `default`, but generators of clients stumble over them.
  const statuses = [...new Set(problems.map(({ status }) => status)), "default"];
  const isUpToCode = actions.some((action) => action.kind === "execute" && action.responds);
  if (isUpToCode) return [done(operation.endpoint), ...problems, ...statuses.map(answerOfCode)];
  const own = runsCode(definition, operation) ? statuses.map(ownProblemAnswer) : [];
  return [...successes(parts, statuses), ...problems, ...own];
}

/** Nobody knows what code will answer. */
function answerOfCode(status: string): Answer {
  const description = "What the code of the application answers.";
  return { status, description, headers: {}, content: { mediaType: "*/*", schema: {} } };
}

function done(endpoint: Endpoint): Answer {
  return { status: "204", description: "Done.", headers: onceHeader(endpoint), content: null };
}

/** `others`: the statuses that an answer may have whose status is worked out. */
function successes(parts: OperationParts, others: readonly string[]): Answer[] {
  const { endpoint } = parts.operation;
  const respond = endpoint.actions.find((action) => action.kind === "respond");
  if (respond !== undefined) return said(parts, respond, others);
  switch (endpoint.kind) {
    case "get":
      return [
        found(parts),
        { status: "304", description: "Nothing has changed.", headers: TAG, content: null },
      ];
    case "list":
    case "update":
      return [found(parts)];
    case "create":
      return [created(parts)];
    case "delete":
    case "custom":
      return [done(endpoint)];
  }
}

const TAG = { ETag: headerRef("ETag") };

function onceHeader({ method }: Endpoint): Readonly<Record<string, Json>> {
  return method === "POST" ? { "Idempotent-Replayed": headerRef("IdempotentReplayed") } : {};
}

function found(parts: OperationParts): Answer {
  const { endpoint } = parts.operation;
  const description = endpoint.kind === "list" ? "The records." : "The record.";
  const headers = endpoint.kind === "list" ? {} : TAG;
  return { status: "200", description, headers, content: jsonContent(listSchema(parts)) };
}

function created(parts: OperationParts): Answer {
  const { endpoint, group } = parts.operation;
  const hasGet = group.entrypoint.endpoints.some(({ kind }) => kind === "get");
  const location = hasGet ? { Location: headerRef("Location") } : {};
  const headers = { ...TAG, ...location, ...onceHeader(endpoint) };
  return { status: "201", description: "The new record.", headers, content: jsonContent(listSchema(parts)) };
}

function jsonContent(schema: Json): Answer["content"] {
  return { mediaType: "application/json", schema };
}

function listSchema({ definition, operation, response }: OperationParts): Json {
  const schema = response === null ? {} : shapeSchema(definition, response);
  const { list } = operation.endpoint;
  if (list === null) return schema;
  return list.pagination === null
    ? { type: "array", items: schema }
    : pageSchema(schema, list.pagination.max);
}

function pageSchema(items: Json, max: number): Json {
  const count = { type: "integer", minimum: 0, maximum: MAX_INTEGER };
  return {
    type: "object",
    properties: {
      page: { type: "integer", minimum: 1, maximum: MAX_INTEGER },
      pageSize: { type: "integer", minimum: 1, maximum: max },
      totalPages: count,
      totalCount: count,
      data: { type: "array", items, maxItems: max },
    },
    required: ["page", "pageSize", "totalPages", "totalCount", "data"],
    additionalProperties: false,
  };
}

/** `respond`: as the program says. A status that is worked out may be any. */
function said(
  { definition, operation, response }: OperationParts,
  { status, headers }: RespondAction,
  others: readonly string[],
): Answer[] {
  const schema = response === null ? {} : shapeSchema(definition, response);
  const named = headers.map(({ name }) => [
    name,
    { description: "Set by the application.", schema: { type: "string" } },
  ]);
  const type = textOf(headers.find(({ name }) => /^content-type$/i.test(name))?.value);
  return statusesOf(status, others).map((each) => ({
    ...{ status: each, description: "What the endpoint answers." },
    headers: {
      ...Object.fromEntries(named.filter(([name]) => !/^content-type$/i.test(String(name)))),
      ...onceHeader(operation.endpoint),
    },
    content: each === "204" || each === "304" ? null : { mediaType: type ?? "application/json", schema },
  }));
}

function statusesOf(status: Expression | null, others: readonly string[]): readonly string[] {
  if (status === null) return ["200"];
  return status.kind === "literal" && status.value !== null ? [String(status.value)] : ["200", ...others];
}

function textOf(value: Expression | undefined): string | undefined {
  if (value?.kind !== "literal" || typeof value.value !== "string") return undefined;
  return value.value.split(";")[0]?.trim();
}
