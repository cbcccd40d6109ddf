// Apis: entrypoints and endpoints.

import * as say from "../diagnostics/messages/syntax.js";
import { actions } from "./action-grammar.js";
import { parseBlock, parseOptionalBlock } from "./block.js";
import { type BlockTable, defineBlock, type Property } from "./block-table.js";
import type { Parser } from "./parser.js";
import {
  blockOf,
  bracedOf,
  expressionOf,
  flag,
  namedBlockOf,
  nameOf,
  pathOf,
  selectOf,
  textOf,
  typeProperty,
} from "./properties.js";
import { orderBy } from "./query-grammar.js";
import type { Token } from "./token.js";
import {
  type Block,
  type EndpointKind,
  type EndpointNode,
  type EndpointProperty,
  type EntrypointNode,
  type EntrypointProperty,
  type ExpressionProperty,
  type ExtraInputNode,
  type ExtraInputProperty,
  type ExtraInputsNode,
  type IdentifyNode,
  isMissing,
  type PaginableNode,
  type RouteNode,
} from "./tree.js";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const extraInputBlock = defineBlock<ExtraInputProperty>("an extra input", {
  type: typeProperty,
  nullable: flag("nullable"),
  default: expressionOf("default"),
  validate: bracedOf("validate"),
});

const extraInputsBlock = defineBlock<ExtraInputNode>(
  "the extra inputs",
  { field: namedBlockOf("field", "the input's name", () => extraInputBlock) },
  { style: "lines" },
);

const extraInputs: Property<ExtraInputsNode> = {
  second: "inputs",
  parse: (parser, keyword) => {
    parser.expectWord("inputs");
    const body = parseBlock(parser, extraInputsBlock);
    if (body.items.some((input) => isMissing(input.name))) parser.missName();
    return { kind: "extra", body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const pageBlock = defineBlock<ExpressionProperty<"pageSize"> | ExpressionProperty<"max">>("the paging", {
  pageSize: expressionOf("pageSize"),
  max: expressionOf("max"),
});

const paginable: Property<PaginableNode> = {
  parse: (parser, keyword) => {
    const body = parseOptionalBlock(parser, pageBlock);
    return { kind: "paginable", body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

/** The short form `POST one "publish"`, with the method word taken. */
function parseRoute(parser: Parser, keyword: Token): RouteNode {
  const method = { text: keyword.text, span: parser.span(keyword) };
  const start = parser.token;
  if (isCardinality(parser.peek()) && start.kind === "string") return parseSwappedRoute(parser, keyword);
  const word = parser.expectOneOf(["one", "many"], CARDINALITY_HINT);
  const cardinality = { text: word ?? "", span: word ? parser.span(start) : parser.spanHere() };
  const path = parser.text("the path in quotes");
  return { kind: "route", method, cardinality, path, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
}

const CARDINALITY_HINT = '`one` is about one record, `many` about the collection: `POST one "publish"`';

function isCardinality({ text }: Token): boolean {
  return text === "one" || text === "many";
}

/** `POST "publish" one`. */
function parseSwappedRoute(parser: Parser, keyword: Token): RouteNode {
  const method = { text: keyword.text, span: parser.span(keyword) };
  parser.report(say.swappedWords(parser.spanTo(parser.peek()), parser.peek().text, parser.token.text));
  const path = parser.text("the path in quotes");
  const word = parser.take();
  const cardinality = { text: word.text, span: parser.span(word) };
  return { kind: "route", method, cardinality, path, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
}

/** At a method, or at what can only be a slip for one. */
function atRoute(parser: Parser): boolean {
  if (METHODS.some((method) => parser.at(method))) return true;
  if (isCardinality(parser.token)) return parser.peek().kind === "string";
  return parser.atWord() && isCardinality(parser.peek()) && parser.peek(2).kind === "string";
}

function parseShortForm(parser: Parser): RouteNode {
  const word = parser.token;
  if (!isCardinality(word)) {
    const method = parser.expectOneOf(METHODS);
    return parseRoute(parser, { ...word, text: method ?? "" });
  }
  parser.reportExpected(say.alternatives(METHODS));
  return parseRoute(parser, { ...word, text: "", end: word.start });
}

const route: Property<RouteNode> = { parse: parseRoute };

const routes = Object.fromEntries(METHODS.map((method) => [method, route]));

const response = selectOf("response");
const authorize = bracedOf("authorize");

const properties = {
  response,
  authorize,
  filter: bracedOf("filter"),
  paginable,
  order: orderBy,
  extra: extraInputs,
  action: actions,
  method: nameOf("method", "an HTTP method"),
  path: textOf("path", "the path in quotes"),
  cardinality: nameOf("cardinality", "`one` or `many`"),
};

type PropertyWord = keyof typeof properties;

const allowed: Readonly<Record<EndpointKind, readonly PropertyWord[]>> = {
  create: ["response", "authorize", "extra", "action"],
  list: ["response", "authorize", "filter", "paginable", "order"],
  get: ["response", "authorize"],
  update: ["response", "authorize", "extra", "action"],
  delete: ["authorize", "action"],
  custom: ["method", "path", "cardinality", "authorize", "extra", "action"],
};

/** Where a property that does not fit belongs: "list endpoints". */
function homesOf(word: PropertyWord): string {
  const kinds = (Object.keys(allowed) as EndpointKind[]).filter((kind) => allowed[kind].includes(word));
  return kinds.length === 1 ? `a ${kinds[0]} endpoint` : `${kinds.join(", ")} endpoints`;
}

function endpointBlock(kind: EndpointKind): BlockTable<EndpointProperty> {
  const words = Object.keys(properties) as PropertyWord[];
  const own = words.filter((word) => allowed[kind].includes(word)).map((word) => [word, properties[word]]);
  const others = words.filter((word) => !allowed[kind].includes(word)).map((word) => [word, homesOf(word)]);
  const table: Record<string, Property<EndpointProperty>> = Object.fromEntries(own);
  return defineBlock(
    `${kind === "update" ? "an" : "a"} ${kind} endpoint`,
    kind === "custom" ? { ...table, ...routes } : table,
    { style: "lines", elsewhere: { ...Object.fromEntries(others), entrypoint: "an entrypoint" } },
  );
}

const endpointBlocks: Readonly<Record<EndpointKind, BlockTable<EndpointProperty>>> = {
  create: endpointBlock("create"),
  list: endpointBlock("list"),
  get: endpointBlock("get"),
  update: endpointBlock("update"),
  delete: endpointBlock("delete"),
  custom: endpointBlock("custom"),
};

function endpoint(kind: EndpointKind): Property<EndpointNode> {
  return {
    many: true,
    second: "endpoint",
    parse: (parser, keyword) => {
      parser.expectWord("endpoint");
      const alias = kind === "custom" && atRoute(parser) ? undefined : parser.alias();
      const heading = parser.spanFrom(keyword);
      const short = kind === "custom" && atRoute(parser) ? parseShortForm(parser) : undefined;
      const body = parseEndpointBody(parser, kind, short);
      return {
        kind: "endpoint",
        endpoint: kind,
        alias,
        heading,
        body,
        span: parser.spanFrom(keyword),
        doc: keyword.doc?.text,
      };
    },
  };
}

/** The block; the short form of a custom endpoint before it counts as its first property. */
function parseEndpointBody(parser: Parser, kind: EndpointKind, short?: RouteNode): Block<EndpointProperty> {
  const body = parseBlock(parser, endpointBlocks[kind]);
  return short ? { ...body, items: [short, ...body.items] } : body;
}

/** `POST one "publish" { … }` as an item of an entrypoint: a custom endpoint in its shortest form. */
const bareRoute: Property<EndpointNode> = {
  many: true,
  parse: (parser, keyword) => {
    const short = parseRoute(parser, keyword);
    const heading = parser.spanFrom(keyword);
    const body = parseEndpointBody(parser, "custom", short);
    return {
      kind: "endpoint",
      endpoint: "custom",
      alias: undefined,
      heading,
      body,
      span: parser.spanFrom(keyword),
      doc: keyword.doc?.text,
    };
  },
};

const identifyBlock = defineBlock("an identify", { through: pathOf("through", "a unique field") });

const identify: Property<IdentifyNode> = blockOf("identify", () => identifyBlock);

const entrypoint: Property<EntrypointNode> = {
  many: true,
  named: true,
  block: () => entrypointBlock as BlockTable<unknown>,
  parse: (parser, keyword) => {
    const resource = parser.nameBeforeAlias(
      "the resource: a model or one of its relationships",
      keyword.text,
    );
    const alias = parser.alias();
    const body = parseBlock(parser, entrypointBlock);
    return {
      kind: "entrypoint",
      resource,
      alias,
      body,
      span: parser.spanFrom(keyword),
      doc: keyword.doc?.text,
    };
  },
};

const entrypointBlock: BlockTable<EntrypointProperty> = defineBlock<EntrypointProperty>(
  "an entrypoint",
  {
    path: textOf("path", "the path segment in quotes"),
    identify,
    response,
    authorize,
    create: endpoint("create"),
    list: endpoint("list"),
    get: endpoint("get"),
    update: endpoint("update"),
    delete: endpoint("delete"),
    custom: endpoint("custom"),
    entrypoint,
    ...Object.fromEntries(METHODS.map((method) => [method, bareRoute])),
  },
  {
    style: "lines",
    synonyms: {
      show: "get",
      read: "get",
      index: "list",
      destroy: "delete",
      remove: "delete",
      patch: "update",
    },
    elsewhere: {
      filter: "a list endpoint",
      paginable: "a list endpoint",
      order: "a list endpoint",
      action: "create, update, delete, custom endpoints",
      extra: "create, update, custom endpoints",
    },
  },
);

export const apiBlock = defineBlock<EntrypointNode>(
  "an api",
  { entrypoint },
  { style: "lines", synonyms: { resource: "entrypoint", route: "entrypoint", controller: "entrypoint" } },
);
