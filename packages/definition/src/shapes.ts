// The shape of the whole definition, and of what an application does: auth, apis, requests, actions,
// populators, runtimes and generators, in the order of definition.ts.

import {
  type Action,
  type Api,
  type Assignment,
  type Auth,
  type AuthorizeRule,
  type CreateAction,
  DEFINITION_VERSION,
  type Definition,
  type DeleteAction,
  type Endpoint,
  type Entrypoint,
  type EntrypointTarget,
  type ExecuteAction,
  type Generator,
  type Identify,
  type Jwt,
  type ListOptions,
  type Parameter,
  type Populate,
  type Populator,
  type QueryAction,
  type Repeat,
  type RequestField,
  type RequestSchema,
  type RequestSource,
  type RespondAction,
  type Runtime,
  type UpdateAction,
  type ValidateAction,
} from "./definition.js";
import {
  at,
  doc,
  enumShape,
  hook,
  model,
  orderTerm,
  query,
  rule,
  select,
  validator,
} from "./model-shapes.js";
import {
  boolean,
  choice,
  integer,
  list,
  literal,
  named,
  nameOf,
  nullable,
  object,
  type Shape,
  text,
  union,
} from "./shape.js";
import { expression, type Variant, valueType } from "./value-shapes.js";

export const definitionShape: Shape<Definition> = named(
  "Definition",
  "All that the runtime, the generators and the migrator know of a program.",
  () =>
    object({
      version: literal(DEFINITION_VERSION),
      sources: list(text),
      enums: list(enumShape),
      models: list(model),
      validators: list(validator),
      auth: nullable(auth),
      apis: list(api),
      populators: list(populator),
      runtimes: list(runtime),
      generators: list(generator),
    }),
);

// ---------------------------------------------------------------- auth

const auth: Shape<Auth> = named(
  "Auth",
  "How users are known: the model of users, and their credentials.",
  () =>
    object({
      doc,
      at,
      model: nameOf("model"),
      password: nullable(object({ identify: text, secret: text })),
      jwt: nullable(jwt),
    }),
);

const jwt: Shape<Jwt> = named("Jwt", "Tokens that another service issues.", () =>
  object({ issuer: text, audience: text, jwks: text, subject: text }),
);

// ---------------------------------------------------------------- api

const api: Shape<Api> = named("Api", "An api. Its prefix is `/api` or `/api/<name>`.", () =>
  object({ name: nullable(text), doc, at, prefix: text, entrypoints: list(entrypoint) }),
);

const entrypoint: Shape<Entrypoint> = named(
  "Entrypoint",
  "A resource: a model, or a member of the parent's model. A made-up alias begins with `$`.",
  () =>
    object({
      resource: text,
      doc,
      at,
      model: nameOf("model"),
      segment: text,
      alias: text,
      target: entrypointTarget,
      identify: nullable(identify),
      authorize: list(authorizeRule),
      endpoints: list(endpoint),
      entrypoints: list(entrypoint),
    }),
);

const entrypointTarget: Shape<EntrypointTarget> = named(
  "EntrypointTarget",
  "`single`: one record without identifier in its path; `nullable`: it may be missing.",
  () =>
    union(
      object<Variant<EntrypointTarget, "model">>({ kind: literal("model") }),
      object<Variant<EntrypointTarget, "member">>({
        kind: literal("member"),
        member: text,
        single: boolean,
        nullable: boolean,
      }),
    ),
);

const identify: Shape<Identify> = named("Identify", "From the record to the value that identifies it.", () =>
  object({ path: list(text), type: valueType, parameter: text }),
);

const authorizeRule: Shape<AuthorizeRule> = named("AuthorizeRule", "A condition that must hold.", () =>
  object({ condition: expression, at }),
);

const endpoint: Shape<Endpoint> = named(
  "Endpoint",
  "One route. With cardinality `one` it works on a record of its entrypoint, otherwise on the collection.",
  () =>
    object({
      kind: choice("create", "list", "get", "update", "delete", "custom"),
      name: text,
      doc,
      at,
      method: choice("GET", "POST", "PUT", "PATCH", "DELETE"),
      path: text,
      parameters: list(parameter),
      cardinality: choice("one", "many"),
      authorize: list(authorizeRule),
      response: nullable(select),
      list: nullable(listOptions),
      request: nullable(requestSchema),
      actions: list(action),
    }),
);

const parameter: Shape<Parameter> = named("Parameter", "A parameter of a path.", () =>
  object({ name: text, type: valueType }),
);

const listOptions: Shape<ListOptions> = named("ListOptions", "Which records a list sends.", () =>
  object({
    filter: nullable(expression),
    orderBy: list(orderTerm),
    pagination: nullable(object({ pageSize: integer(1), max: integer(1) })),
  }),
);

// ---------------------------------------------------------------- requests and actions

const requestSchema: Shape<RequestSchema> = named(
  "RequestSchema",
  "What a request may hold, and where.",
  () => object({ in: choice("body", "query"), fields: list(requestField) }),
);

const requestField: Shape<RequestField> = named(
  "RequestField",
  "An input; an object holds the inputs of an action that is not the primary one, under its alias.",
  () =>
    union(
      object<Variant<RequestField, "value">>({
        kind: literal("value"),
        name: text,
        type: valueType,
        required: boolean,
        default: nullable(expression),
        validate: list(rule),
        doc,
        source: requestSource,
      }),
      object<Variant<RequestField, "object">>({
        kind: literal("object"),
        name: text,
        required: boolean,
        fields: list(requestField),
      }),
    ),
);

const requestSource: Shape<RequestSource> = named(
  "RequestSource",
  "A member of the written record, a record found by a unique path, or an extra input.",
  () =>
    union(
      object<Variant<RequestSource, "member">>({
        kind: literal("member"),
        model: nameOf("model"),
        member: text,
      }),
      object<Variant<RequestSource, "lookup">>({
        kind: literal("lookup"),
        model: nameOf("model"),
        reference: text,
        path: list(text),
      }),
      object<Variant<RequestSource, "extra">>({ kind: literal("extra") }),
    ),
);

const action: Shape<Action> = named("Action", "A step of an endpoint, in the order of the source.", () =>
  union(createAction, updateAction, deleteAction, queryAction, validateAction, executeAction, respondAction),
);

const assignment: Shape<Assignment> = named(
  "Assignment",
  "Where a value of a written record comes from. `field` is the path of the request field.",
  () =>
    union(
      object<Variant<Assignment, "input">>({ kind: literal("input"), member: text, field: list(text) }),
      object<Variant<Assignment, "lookup">>({
        kind: literal("lookup"),
        member: text,
        field: list(text),
        path: list(text),
      }),
      object<Variant<Assignment, "set">>({ kind: literal("set"), member: text, value: expression, at }),
      object<Variant<Assignment, "hook">>({ kind: literal("hook"), member: text, hook, at }),
      object<Variant<Assignment, "parent">>({ kind: literal("parent"), member: text, value: expression }),
    ),
);

const createAction: Shape<CreateAction> = named(
  "CreateAction",
  "Creates a record. `link` is the reference that points to the new record.",
  () =>
    object({
      kind: literal("create"),
      primary: boolean,
      alias: text,
      model: nameOf("model"),
      assignments: list(assignment),
      link: nullable(object({ record: expression, reference: text })),
      at,
    }),
);

const updateAction: Shape<UpdateAction> = named("UpdateAction", "Updates a record.", () =>
  object({
    kind: literal("update"),
    primary: boolean,
    alias: text,
    model: nameOf("model"),
    target: expression,
    assignments: list(assignment),
    at,
  }),
);

const deleteAction: Shape<DeleteAction> = named("DeleteAction", "Deletes a record or a collection.", () =>
  object({ kind: literal("delete"), primary: boolean, model: nameOf("model"), target: expression, at }),
);

type Operation = QueryAction["operation"];

const queryAction: Shape<QueryAction> = named(
  "QueryAction",
  "Reads, updates or deletes what a query finds.",
  () =>
    object({
      kind: literal("query"),
      alias: nullable(text),
      query,
      operation: union(
        object<Variant<Operation, "select">>({ kind: literal("select"), select: nullable(select) }),
        object<Variant<Operation, "update">>({ kind: literal("update"), assignments: list(assignment) }),
        object<Variant<Operation, "delete">>({ kind: literal("delete") }),
      ),
      at,
    }),
);

const validateAction: Shape<ValidateAction> = named("ValidateAction", "Refuses the request by a rule.", () =>
  object({ kind: literal("validate"), key: list(text), rule, at }),
);

const executeAction: Shape<ExecuteAction> = named("ExecuteAction", "Calls a hook.", () =>
  object({ kind: literal("execute"), alias: nullable(text), responds: boolean, hook, at }),
);

const respondAction: Shape<RespondAction> = named("RespondAction", "Answers the request.", () =>
  object({
    kind: literal("respond"),
    body: expression,
    status: nullable(expression),
    headers: list(object<RespondAction["headers"][number]>({ name: text, value: expression })),
    at,
  }),
);

// ---------------------------------------------------------------- populators, runtimes, generators

const populator: Shape<Populator> = named("Populator", "Fills a database.", () =>
  object({ name: text, doc, at, populates: list(populate) }),
);

const populate: Shape<Populate> = named(
  "Populate",
  "Records to create. `parent` is the reference to the parent record that a nested one sets.",
  () =>
    object({
      model: nameOf("model"),
      doc,
      at,
      parent: nullable(object({ reference: text, alias: text })),
      alias: text,
      repeat: nullable(repeat),
      assignments: list(assignment),
      populates: list(populate),
    }),
);

const repeat: Shape<Repeat> = named("Repeat", "From `start` to `end`, both included.", () =>
  object({ iterator: nullable(text), start: expression, end: expression }),
);

const runtime: Shape<Runtime> = named("Runtime", "What runs the code of hooks.", () =>
  object({ name: text, doc, at, default: boolean, path: text }),
);

const generator: Shape<Generator> = named("Generator", "A file or page to generate.", () =>
  union(
    object<Variant<Generator, "client">>({
      kind: literal("client"),
      target: choice("ts", "js"),
      output: text,
    }),
    object<Variant<Generator, "openapi">>({ kind: literal("openapi"), output: text }),
    object<Variant<Generator, "apidocs">>({ kind: literal("apidocs"), basePath: nullable(text) }),
  ),
);
