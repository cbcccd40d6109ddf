// Actions: what create, update, delete and custom endpoints do.

import type { Span } from "../diagnostics/diagnostic.js";
import { parseBlock } from "./block.js";
import { type BlockTable, defineBlock, type Property } from "./block-table.js";
import { parseBracedExpression, parseExpression } from "./expression.js";
import { parseItems } from "./items.js";
import { parseNameList } from "./name-list.js";
import type { Parser } from "./parser.js";
import { blockOf, bracedOf, expressionOf, flag, namedBlockOf, pathOf } from "./properties.js";
import { actionQueryBlock, hookBlock, set } from "./query-grammar.js";
import type { Token } from "./token.js";
import type {
  ActionNode,
  DeleteNode,
  DenyNode,
  ExecuteHookNode,
  ExecuteNode,
  FlagNode,
  HttpHeadersNode,
  InputAllNode,
  InputNode,
  InputProperty,
  Path,
  QueryActionNode,
  RespondNode,
  RespondProperty,
  ValidateNode,
  WriteNode,
  WriteProperty,
} from "./tree.js";

const inputFieldBlock = defineBlock<InputProperty>("an input", {
  required: flag("required"),
  optional: flag("optional"),
  default: expressionOf("default"),
  validate: bracedOf("validate"),
});

const input: Property<InputNode | InputAllNode> = {
  many: true,
  parse: (parser, keyword) => {
    if (parser.accept("*"))
      return { kind: "input-all", span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    const list = parseNameList(parser, "the member to take from the request", parseInputBody);
    const fields = list.names.map(({ name, doc, extra }) => ({ name, doc, ...extra }));
    return { kind: "input", fields, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

function parseInputBody(parser: Parser) {
  const start = parser.previous;
  const body = parser.atOpener() ? parseBlock(parser, inputFieldBlock) : undefined;
  return { body, span: parser.spanFrom(start) };
}

const throughBlock = defineBlock("a reference input", { through: pathOf("through", "a unique path") });

const deny: Property<DenyNode> = {
  many: true,
  parse: (parser, keyword) => {
    const list = parseNameList(parser, "a field", () => undefined);
    return {
      kind: "deny",
      names: list.names.map((listed) => listed.name),
      span: parser.spanFrom(keyword),
      doc: keyword.doc?.text,
    };
  },
};

const writeBlock = defineBlock<WriteProperty>(
  "an action",
  {
    input,
    reference: namedBlockOf("reference", "the reference to find", () => throughBlock),
    set,
    deny,
  },
  { style: "lines" },
);

/** The optional target before `as` or `{`: `create org.memberships as m {`. */
function parseTarget(parser: Parser): Path | undefined {
  if (!parser.atWord() || parser.token.firstOnLine) return undefined;
  // `update input { … } }`: the block has begun without its `{`.
  if (writeBlock.keywords.has(parser.token.text) && parser.missesOpener("{")) return undefined;
  const isAlias = parser.at("as") && parser.peek().kind === "word" && parser.peek(2).text !== "as";
  return isAlias ? undefined : parser.path("what to act on");
}

function headingFrom(parser: Parser, keyword: Token): Span {
  return parser.spanFrom(keyword);
}

function write(kind: "create" | "update"): Property<WriteNode> {
  return {
    many: true,
    named: true,
    block: () => writeBlock as BlockTable<unknown>,
    parse: (parser, keyword) => {
      const target = parseTarget(parser);
      const alias = parser.alias();
      const heading = headingFrom(parser, keyword);
      const body = parseBlock(parser, writeBlock);
      return { kind, target, alias, heading, body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    },
  };
}

const emptyBlock = defineBlock<never>("a delete action", {});

const deleteAction: Property<DeleteNode> = {
  many: true,
  parse: (parser, keyword) => {
    const target = parseTarget(parser);
    const heading = headingFrom(parser, keyword);
    if (parser.atOpener()) parseBlock(parser, emptyBlock);
    return { kind: "delete", target, heading, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const queryAction: Property<QueryActionNode> = {
  many: true,
  second: "as",
  parse: (parser, keyword) => {
    const alias = parser.alias();
    const heading = headingFrom(parser, keyword);
    const body = parseBlock(parser, actionQueryBlock);
    return { kind: "query", alias, heading, body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const validate: Property<ValidateNode> = {
  many: true,
  parse: (parser, keyword) => {
    parser.expectWord("with");
    parser.expectWord("key");
    const key = parser.text("the input's name in quotes");
    const value = parseBracedExpression(parser);
    return { kind: "validate", key, value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const executeHook: Property<ExecuteHookNode> = {
  block: () => hookBlock,
  parse: (parser, keyword) => {
    const body = parseBlock(parser, hookBlock);
    return {
      kind: "hook",
      hook: { body, span: parser.spanFrom(keyword) },
      span: parser.spanFrom(keyword),
      doc: keyword.doc?.text,
    };
  },
};

const executeBlock = defineBlock<FlagNode<"responds"> | ExecuteHookNode>("an execute action", {
  responds: flag("responds"),
  hook: executeHook,
});

const execute: Property<ExecuteNode> = {
  many: true,
  second: "as",
  parse: (parser, keyword) => {
    const alias = parser.alias();
    const heading = headingFrom(parser, keyword);
    const body = parseBlock(parser, executeBlock);
    return { kind: "execute", alias, heading, body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const httpHeaders: Property<HttpHeadersNode> = {
  parse: (parser, keyword) => {
    const headers = parseHeaders(parser);
    return { kind: "httpHeaders", headers, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

function parseHeaders(parser: Parser): HttpHeadersNode["headers"] {
  const { items } = parseItems(parser, {
    opener: "{",
    style: "inline-commas",
    contentFollows: () => parser.token.kind === "string",
    item: () => {
      const name = parser.text("a header name in quotes");
      return name.span.start === name.span.end ? undefined : { name, value: parseExpression(parser) };
    },
  });
  return items;
}

const respondBlock = defineBlock<RespondProperty>("a respond action", {
  body: expressionOf("body"),
  httpStatus: expressionOf("httpStatus"),
  httpHeaders,
});

const respond: Property<RespondNode> = {
  many: true,
  parse: (parser, keyword) => {
    const heading = headingFrom(parser, keyword);
    const body = parseBlock(parser, respondBlock);
    return { kind: "respond", heading, body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const actionBlock = defineBlock<ActionNode>(
  "an action block",
  {
    create: write("create"),
    update: write("update"),
    delete: deleteAction,
    query: queryAction,
    validate,
    execute,
    respond,
  },
  { style: "lines", elsewhere: { set: "a create or update action", input: "a create or update action" } },
);

export const actions = blockOf("action", () => actionBlock);
