// A definition as a typed client: the runtime part, copied out; types of everything that goes in and comes out; and
// the api as data, from which the runtime builds functions of the same shape.

import type { Definition } from "@stoa/definition";
import { loginFields } from "../outline/login.js";
import { pascalCase } from "../outline/names.js";
import { listGroups } from "../outline/operations.js";
import { type Outline, outline } from "../outline/outline.js";
import { propertyName } from "../type-text.js";
import type { Branch, Branches } from "./runtime.js";
import { RUNTIME_JS, RUNTIME_TS, RUNTIME_TYPES } from "./runtime-text.js";
import {
  branchesOf,
  clientInterface,
  groupInterfaces,
  groupNames,
  keyOf,
  type TreeNames,
} from "./tree-writer.js";
import {
  docComment,
  enumTypes,
  inputInterface,
  problemType,
  shapeInterface,
  shapeType,
  valueType,
} from "./type-writer.js";

export interface ClientFile {
  readonly name: string;
  readonly text: string;
}

/** TypeScript in one file, or JavaScript with its types beside it. */
export function writeClient(
  definition: Definition,
  { target }: { readonly target: "ts" | "js" },
): ClientFile[] {
  const all = outline(definition);
  const types = typesOf(all);
  const data = dataOf(all);
  const docs = docComment(["A client for the application at `baseUrl`."]);
  if (target === "ts") {
    const make = `${docs}export function createClient(options: ClientOptions = {}): Client {\n  return buildClient(API, options) as Client;\n}`;
    const api = `const API: Branches = ${data};`;
    return [
      {
        name: "client.ts",
        text: [HEAD, RUNTIME_TS.trimEnd(), RULER, ...types, api, make].join("\n\n").concat("\n"),
      },
    ];
  }
  const make = `${docs}export function createClient(options = {}) {\n  return buildClient(API, options);\n}`;
  const declare = `${docs}export declare function createClient(options?: ClientOptions): Client;`;
  return [
    {
      name: "client.js",
      text: [HEAD, RUNTIME_JS.trimEnd(), RULER, `const API = ${data};`, make].join("\n\n").concat("\n"),
    },
    {
      name: "client.d.ts",
      text: [HEAD, RUNTIME_TYPES.trimEnd(), RULER, ...types, declare].join("\n\n").concat("\n"),
    },
  ];
}

const HEAD =
  "// Written by Stoa from the definition of the application. Changes are lost with the next build.";
const RULER = "// ---------------------------------------------------------------- this application";

function typesOf(all: Outline): string[] {
  const { definition, operations, shapes, inputs } = all;
  const groups = listGroups(all.apis);
  const auth = authTypes(all);
  const names: TreeNames = {
    problems: new Map(operations.map((each) => [each, all.names.take(`${pascalCase(each.id)}Problem`)])),
    apis: groupNames(groups, all.names),
  };
  const written = new Set<string>();
  const inputTypes = operations.flatMap((operation) => {
    const name = inputs.get(operation);
    if (name === undefined || written.has(name)) return [];
    written.add(name);
    return [inputInterface(definition, name, operation.endpoint.request?.fields ?? [])];
  });
  const problems = operations.map(
    (each) => `export type ${names.problems.get(each)} = ${problemType(definition, each)};`,
  );
  const top = groups.filter(({ path }) => isTop(all, path));
  return [
    ...enumTypes(definition),
    ...shapes.all.map((shape) => shapeInterface(definition, shape)),
    ...inputTypes,
    problems.join("\n"),
    ...auth.types,
    ...top.flatMap((group) => groupInterfaces(all, names, group)),
    clientInterface(all, names, auth.member),
  ];
}

function isTop({ apis }: Outline, path: readonly string[]): boolean {
  return apis.some(({ groups }) => groups.some((group) => group.path.join(".") === path.join(".")));
}

/** A branch in a line, so that a change of one is a change of a line. */
function dataOf({ apis, definition }: Outline): string {
  const branches = withAuth(branchesOf(apis), definition);
  const lines = Object.entries(branches).map(
    ([name, branch]) => `  ${propertyName(name)}: ${JSON.stringify(branch)},\n`,
  );
  return `{\n${lines.join("")}}`;
}

// ---------------------------------------------------------------- auth

const AUTH_BRANCH: Branch = {
  path: "/api/auth",
  identified: false,
  many: {
    login: ["POST", "/login", "body", "login"],
    logout: ["POST", "/logout", "", "logout"],
    me: ["GET", "/me", ""],
  },
  one: {},
  branches: {},
};

function withAuth(branches: Branches, { auth }: Definition): Branches {
  if (auth === null || auth.password === null) return branches;
  return { ...branches, auth: AUTH_BRANCH };
}

function authTypes(all: Outline): { readonly types: readonly string[]; readonly member: string | null } {
  const { definition, shapes, apis } = all;
  const { auth } = definition;
  if (auth === null || auth.password === null) return { types: [], member: null };
  if (apis.some(({ api, groups }) => api.name === null && groups.some((group) => keyOf(group) === "auth")))
    throw new Error("An entrypoint has the place of the accounts.");
  const user = shapeType(definition, shapes.ofRecord(auth.model));
  const fields = loginFields(definition, auth).map(
    ({ name, type }) => `  readonly ${propertyName(name)}: ${valueType(definition, type)};\n`,
  );
  return {
    types: [
      `export interface LoginInput {\n${fields.join("")}}`,
      `export interface Session {\n  readonly token: string;\n  readonly expiresAt: string;\n  readonly user: ${user};\n}`,
      "export type SessionProblem = MalformedProblem | ValidationProblem | UnauthenticatedProblem | GeneralProblem;\nexport type LoginProblem = SessionProblem | TooLargeProblem | UnsupportedMediaTypeProblem | RateLimitedProblem;",
      `export interface AuthApi {
  /** From here on, the client sends the token of the session. \`POST /api/auth/login\` */
  login(input: LoginInput, options?: CallOptions): Call<Session, LoginProblem>;
  /** \`POST /api/auth/logout\` */
  logout(options?: CallOptions): Call<void, SessionProblem>;
  /** Whose token it is. \`GET /api/auth/me\` */
  me(options?: CallOptions): Call<${user}, SessionProblem>;
}`,
    ],
    member: "  readonly auth: AuthApi;\n",
  };
}
