// The types of all hooks in modules as a `.d.ts`: for each the object of its arguments and the function that it
// must be. Code that is declared with such a type and does not fit fails in the TypeScript compiler.

import {
  type Definition,
  describeUse,
  type Hook,
  type HookArgument,
  type HookUse,
  listHooks,
  modulePath,
  type PlacedHook,
  type ValueType,
} from "@stoa/definition";
import {
  arrayType,
  jsonType,
  type Property,
  recordName,
  recordProperties,
  resultType,
  selectType,
  writeInterface,
} from "./type-text.js";

export function writeHookTypes(definition: Definition): string {
  const inModules = listHooks(definition).filter(({ hook }) => hook.code.kind === "source");
  const names = nameHooks(inModules, takenNames(definition));
  const hooks = [...names].map(([placed, name]) => writeHook(definition, placed, name));
  return [HEAD, writeContext(definition), ...writeRecords(definition, hooks.join("\n")), ...hooks].join("\n");
}

const HEAD = `// Written by \`stoa build\`: the types of all hooks. Changes are lost with the next build.

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface HookLog {
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
`;

const HEAD_NAMES = [
  "Json",
  "HookLog",
  "HookContext",
  "HookDatabase",
  "HookRequest",
  "HookResponse",
  "ActionContext",
  "ExecuteContext",
];

/** The same for every program, as the server offers it. */
const CONTEXTS = `export interface HookDatabase {
  /** Values are parameters: lists as PostgreSQL arrays, other objects as JSON, dates as their text. */
  sql<Row = Readonly<Record<string, unknown>>>(texts: TemplateStringsArray, ...values: readonly unknown[]): Promise<readonly Row[]>;
}

export interface HookRequest {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The values in the path, in order. */
  readonly parameters: readonly string[];
  /** The query string without \`?\`, as it came; null when there is none. */
  readonly query: string | null;
}

export interface HookResponse {
  status(status: number): HookResponse;
  header(name: string, value: string): HookResponse;
  /** Ends the answer: text as it is, anything else as JSON. */
  send(body: unknown): void;
}

/** What code of actions gets beside its arguments. */
export interface ActionContext extends HookContext {
  /** The transaction of the request. */
  readonly db: HookDatabase;
}

/** What code of \`execute\` gets beside its arguments. */
export interface ExecuteContext extends ActionContext {
  readonly request: HookRequest;
  /** The answer, where the action says \`responds\`. */
  readonly response: HookResponse;
}
`;

function writeContext({ auth, models }: Definition): string {
  const user = models.find(({ name }) => name === auth?.model);
  const id = user?.members.find((member) => member.kind === "id");
  const type =
    id === undefined ? "null" : `{ readonly id: ${id.type.kind === "integer" ? "number" : "string"} } | null`;
  return `/** What code gets beside its arguments. */
export interface HookContext {
  /** The user who asks, or null. */
  readonly auth: ${type};
  /** The log of the request. */
  readonly log: HookLog;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

${CONTEXTS}`;
}

function contextOf(use: HookUse): string {
  if (use.kind === "execute") return "ExecuteContext";
  return use.kind === "set" && !use.isPopulator ? "ActionContext" : "HookContext";
}

/** Of the models that hooks get records of. */
function writeRecords(definition: Definition, hooks: string): string[] {
  return definition.models
    .filter(({ name }) => hooks.includes(recordName(name)))
    .map((model) => {
      const text = writeInterface(recordName(model.name), recordProperties(definition, model));
      return `/** What is stored of a record of ${model.name}. */\n${text}\n`;
    });
}

// ---------------------------------------------------------------- names

function takenNames({ models }: Definition): Set<string> {
  return new Set([...HEAD_NAMES, ...models.map(({ name }) => recordName(name))]);
}

/** `BookBlurb`, `PostCreateSetSlug`; a name that is taken gets a number. */
function nameHooks(hooks: readonly PlacedHook[], taken: Set<string>): Map<PlacedHook, string> {
  return new Map(
    hooks.map((placed) => {
      const wanted = nameOf(placed.use);
      let name = wanted;
      for (let count = 2; isTaken(name, taken); count++) name = `${wanted}${count}`;
      for (const each of [name, `${name}Args`, `${name}Batch`]) taken.add(each);
      return [placed, name];
    }),
  );
}

function isTaken(name: string, taken: ReadonlySet<string>): boolean {
  return [name, `${name}Args`, `${name}Batch`].some((each) => taken.has(each));
}

function nameOf(use: HookUse): string {
  switch (use.kind) {
    case "member":
      return pascal(use.model, use.member);
    case "set":
      return pascal(use.within, ...(use.isPopulator ? [use.model] : []), "set", use.member);
    case "assert":
      return pascal(use.validator, "assert");
    case "execute":
      return pascal(use.within, "execute", use.alias ?? "");
  }
}

/** `author.books.create`, `set` and `slug` give `AuthorBooksCreateSetSlug`. */
function pascal(...parts: readonly string[]): string {
  const words = parts.flatMap((part) => part.split(/[^\p{ID_Continue}]+/u)).filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

// ---------------------------------------------------------------- hooks

function writeHook(definition: Definition, { hook, use }: PlacedHook, name: string): string {
  const args = hook.arguments.map((each): Property => [each.name, argumentType(definition, each)]);
  const result = resultOf(definition, use);
  const lines = [
    writeInterface(`${name}Args`, args),
    `/** ${describeUse(use)}${describeCode(definition, hook)} */`,
    `export type ${name} = (args: ${name}Args, ctx: ${contextOf(use)}) => ${orPromise(result)};`,
  ];
  if (use.kind === "member") {
    const results = orPromise(arrayType(result));
    const list = arrayType(`${name}Args`);
    lines.push(
      "/** The same for many records at once: one result for each, in the same order. */",
      `export type ${name}Batch = (args: ${list}, ctx: HookContext) => ${results};`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function describeCode(definition: Definition, { code }: Hook): string {
  if (code.kind === "inline") return "";
  // A path may hold the end of a comment.
  return `: \`${code.function}\` in ${modulePath(definition, code).replaceAll("*/", "*\\/")}`;
}

function argumentType(definition: Definition, { value }: HookArgument): string {
  if (value.kind === "expression") return jsonType(definition, value.expression.type);
  const object = selectType(definition, value.select);
  if (value.query === null) return object;
  switch (value.query.result.kind) {
    case "many":
      return arrayType(object);
    case "one":
    case "first":
    case "aggregate":
      return `${object} | null`;
  }
}

function resultOf(definition: Definition, use: HookUse): string {
  switch (use.kind) {
    case "member":
    case "execute":
      return "unknown";
    case "assert":
      return "boolean";
    case "set":
      return resultType(definition, memberType(definition, use.model, use.member));
  }
}

/** Of a reference: the type of its key. */
function memberType(definition: Definition, model: string, name: string): ValueType {
  const members = definition.models.find((each) => each.name === model)?.members ?? [];
  const member = members.find((each) => each.name === name);
  if (member?.kind === "field" || member?.kind === "key") return member.type;
  if (member?.kind === "reference") return memberType(definition, model, member.key);
  throw new Error(`\`${model}.${name}\` is no member that is written.`);
}

function orPromise(type: string): string {
  return type === "unknown" ? type : `${type} | Promise<${type}>`;
}
