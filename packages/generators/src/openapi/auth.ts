// The addresses that an auth block brings along: login, logout, and who one is.

import type { Auth, Definition } from "@stoa/definition";
import { loginFields } from "../outline/login.js";
import type { ProblemCode } from "../outline/problems.js";
import type { Shapes } from "../outline/shapes.js";
import { shapeSchema } from "./components.js";
import { problemAnswer, renderAnswers, type SharedResponses, schemaRef } from "./response.js";
import { type Json, valueSchema } from "./schema.js";

export const AUTH_TAG = "auth";

export interface AuthPart {
  readonly paths: readonly [string, Json][];
  readonly schemas: readonly [string, Json][];
  readonly codes: readonly ProblemCode[];
}

const LOGIN_CODES: readonly ProblemCode[] = [
  "malformed",
  "validation",
  "unauthenticated",
  "too-large",
  "unsupported-media-type",
  "rate-limited",
  "internal",
  "unavailable",
];
const SESSION_CODES: readonly ProblemCode[] = [
  "malformed",
  "validation",
  "unauthenticated",
  "internal",
  "unavailable",
];

export function authPart(definition: Definition, shapes: Shapes, shared: SharedResponses): AuthPart {
  const { auth } = definition;
  if (auth === null || auth.password === null) return { paths: [], schemas: [], codes: [] };
  const user = shapeSchema(definition, shapes.ofRecord(auth.model));
  const parts = { shared, user };
  return {
    paths: [
      ["/api/auth/login", { post: login(parts) }],
      ["/api/auth/logout", { post: logout(parts) }],
      ["/api/auth/me", { get: me(parts) }],
    ],
    schemas: [
      ["LoginInput", loginInput(definition, auth)],
      ["Session", sessionSchema(user)],
    ],
    codes: LOGIN_CODES,
  };
}

interface Parts {
  readonly shared: SharedResponses;
  readonly user: Json;
}

function login({ shared }: Parts): Json {
  const success = {
    ...{ status: "200", description: "A token for the header `Authorization`.", headers: {} },
    content: { mediaType: "application/json", schema: schemaRef("Session") },
  };
  return {
    ...{ operationId: "auth.login", summary: "Log in", tags: [AUTH_TAG], security: [] },
    requestBody: { required: true, content: { "application/json": { schema: schemaRef("LoginInput") } } },
    responses: renderAnswers([success, ...LOGIN_CODES.map(problemAnswer)], shared),
  };
}

function logout({ shared }: Parts): Json {
  const success = { status: "204", description: "The token is no longer valid.", headers: {}, content: null };
  return {
    ...{ operationId: "auth.logout", summary: "Log out", tags: [AUTH_TAG], security: [{ bearer: [] }] },
    responses: renderAnswers([success, ...SESSION_CODES.map(problemAnswer)], shared),
  };
}

function me({ shared, user }: Parts): Json {
  const success = {
    ...{ status: "200", description: "The user whose token it is.", headers: {} },
    content: { mediaType: "application/json", schema: user },
  };
  return {
    ...{ operationId: "auth.me", summary: "Who am I", tags: [AUTH_TAG], security: [{ bearer: [] }] },
    responses: renderAnswers([success, ...SESSION_CODES.map(problemAnswer)], shared),
  };
}

/** Rules of the fields are for those who write them. */
function loginInput(definition: Definition, auth: Auth): Json {
  const fields = loginFields(definition, auth);
  const schemas = fields.map(({ name, type, secret }) => {
    const schema = valueSchema(definition, { ...type, nullable: false }, "input");
    return [name, secret ? { ...schema, format: "password", writeOnly: true } : schema];
  });
  return {
    type: "object",
    properties: Object.fromEntries(schemas),
    required: fields.map(({ name }) => name),
    additionalProperties: false,
  };
}

function sessionSchema(user: Json): Json {
  return {
    type: "object",
    properties: {
      token: { type: "string", description: "For the header `Authorization: Bearer …`." },
      expiresAt: { type: "string", format: "date-time" },
      user,
    },
    required: ["token", "expiresAt", "user"],
    additionalProperties: false,
  };
}
