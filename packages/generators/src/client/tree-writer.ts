// The api as a tree of functions: their types as interfaces, one for an entrypoint and one for a record of it, and
// the data that the runtime builds the tree from.

import type { Endpoint } from "@stoa/definition";
import { type NameList, pascalCase } from "../outline/names.js";
import type { ApiGroup, Group, Operation } from "../outline/operations.js";
import type { Outline } from "../outline/outline.js";
import { propertyName } from "../type-text.js";
import type { Branch, Branches, Route } from "./runtime.js";
import { docComment, shapeType, valueType } from "./type-writer.js";

// ---------------------------------------------------------------- data

export function branchesOf(apis: readonly ApiGroup[]): Branches {
  const branches: Record<string, Branch | Branches> = {};
  for (const { api, groups } of apis) {
    const named = groups.map((group) => [keyOf(group), branchOf(group, api.prefix)] as const);
    if (api.name === null) Object.assign(branches, Object.fromEntries(named));
    else branches[api.name] = Object.fromEntries(named);
  }
  return branches;
}

export function keyOf({ path }: Group): string {
  return path.at(-1) ?? "";
}

function branchOf({ entrypoint, operations, groups }: Group, above: string): Branch {
  const { identify, segment } = entrypoint;
  const place = `${above}/${segment}`;
  const record = identify === null ? place : `${place}/{${identify.parameter}}`;
  const routes = (cardinality: Endpoint["cardinality"], from: string) =>
    Object.fromEntries(
      operations
        .filter(({ endpoint }) => endpoint.cardinality === cardinality)
        .map(({ name, endpoint }) => [name, routeOf(endpoint, from)]),
    );
  return {
    path: isTop(above) ? place : `/${segment}`,
    identified: identify !== null,
    many: routes("many", place),
    one: routes("one", record),
    branches: Object.fromEntries(groups.map((group) => [keyOf(group), branchOf(group, record)])),
  };
}

/** Prefixes of apis have no parameters and no entrypoints yet. */
function isTop(above: string): boolean {
  return /^\/api(?:\/[^/]+)?$/.test(above);
}

function routeOf({ path, method, request, list }: Endpoint, from: string): Route {
  if (!path.startsWith(from)) throw new Error(`${path} is not below ${from}.`);
  return [method, path.slice(from.length), list?.pagination ? "page" : (request?.in ?? "")];
}

// ---------------------------------------------------------------- types

export interface TreeNames {
  readonly problems: ReadonlyMap<Operation, string>;
  /** Of the interfaces of an entrypoint, and of a record of it. */
  readonly apis: ReadonlyMap<Group, { readonly all: string; readonly one: string }>;
}

export function groupInterfaces(all: Outline, names: TreeNames, group: Group): string[] {
  const { entrypoint, operations, groups } = group;
  const named = names.apis.get(group);
  if (named === undefined) throw new Error(`${group.path.join(".")} has no name.`);
  const methods = (cardinality: Endpoint["cardinality"]) =>
    operations
      .filter(({ endpoint }) => endpoint.cardinality === cardinality)
      .map((each) => method(all, names, each));
  const below = groups.map(
    (each) => `  readonly ${propertyName(keyOf(each))}: ${names.apis.get(each)?.all};\n`,
  );
  const { identify, doc } = entrypoint;
  const inner = groups.flatMap((each) => groupInterfaces(all, names, each));
  if (identify === null)
    return [writeInterface(named.all, doc, [...methods("many"), ...methods("one"), ...below]), ...inner];
  const type = valueType(all.definition, { ...identify.type, nullable: false });
  const find = `${docComment([`One record, by its ${identify.path.join(".")}.`], "  ")}  (${parameterName(identify.path)}: ${type}): ${named.one};\n`;
  return [
    writeInterface(named.all, doc, [...methods("many"), find]),
    writeInterface(named.one, null, [...methods("one"), ...below]),
    ...inner,
  ];
}

function parameterName(path: readonly string[]): string {
  const name = path.at(-1) ?? "id";
  return /^[a-z_]\w*$/i.test(name) && !KEYWORDS.has(name) ? name : "id";
}

const KEYWORDS = new Set(
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with let static yield await implements interface package private protected public arguments eval".split(
    " ",
  ),
);

function writeInterface(name: string, doc: string | null, members: readonly string[]): string {
  return `${docComment([doc])}export interface ${name} {\n${members.join("")}}`;
}

/** One function; for what can be asked for only if it has changed, two ways to call it. */
function method(all: Outline, names: TreeNames, operation: Operation): string {
  const { endpoint, name } = operation;
  const doc = docComment([endpoint.doc, `\`${endpoint.method} ${endpoint.path}\``], "  ");
  const key = propertyName(name);
  const problem = names.problems.get(operation) ?? "Problem";
  const type = resultType(all, operation);
  const call = endpoint.list?.pagination ? "PageCall" : "Call";
  const args = [...inputArgument(all, operation), `options?: ${optionsType(endpoint)}`].join(", ");
  const plain = `  ${key}(${args}): ${call}<${type}, ${problem}>;\n`;
  if (endpoint.kind !== "get") return doc + plain;
  const options = "options: GetOptions & { readonly ifNoneMatch: string }";
  return `${doc}  ${key}(${options}): Call<${type} | null, ${problem}>;\n${plain}`;
}

function inputArgument({ inputs }: Outline, operation: Operation): string[] {
  const { request } = operation.endpoint;
  const name = inputs.get(operation);
  if (request === null || name === undefined) return [];
  return [request.fields.some(({ required }) => required) ? `input: ${name}` : `input?: ${name}`];
}

function optionsType({ kind, method: verb, list }: Endpoint): string {
  if (list?.pagination) return "PageOptions";
  if (kind === "update" || kind === "delete") return "ChangeOptions";
  return verb === "POST" ? "PostOptions" : "CallOptions";
}

function resultType({ definition, responses }: Outline, operation: Operation): string {
  const { actions, list } = operation.endpoint;
  if (actions.some((action) => action.kind === "execute" && action.responds)) return "unknown";
  const shape = responses.get(operation);
  if (shape === undefined) return "void";
  const isPlainList = list !== null && list.pagination === null;
  return shapeType(definition, isPlainList ? { kind: "list", of: shape, nullable: false } : shape);
}

export function clientInterface({ apis }: Outline, names: TreeNames, auth: string | null): string {
  const members = apis.flatMap(({ api, groups }) => {
    const lines = groups.map(
      (group) => `readonly ${propertyName(keyOf(group))}: ${names.apis.get(group)?.all};`,
    );
    if (api.name === null) return lines.map((line) => `  ${line}\n`);
    const inner = lines.map((line) => `    ${line}\n`).join("");
    return [`${docComment([api.doc], "  ")}  readonly ${propertyName(api.name)}: {\n${inner}  };\n`];
  });
  const own = [
    ...(auth === null ? [] : [auth]),
    "  /** The token of the requests from now on; null for none. */\n  $setToken(token: Token): void;\n",
  ];
  return writeInterface("Client", null, [...members, ...own]);
}

export function groupNames(groups: readonly Group[], names: NameList): TreeNames["apis"] {
  return new Map(
    groups.map((group) => {
      const base = pascalCase(...group.path);
      return [group, { all: names.take(`${base}Api`), one: names.take(`${base}RecordApi`) }] as const;
    }),
  );
}
