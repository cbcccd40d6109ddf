// Queries, hooks and `set`: the blocks that models, actions and populators share.

import type { AggregateName } from "@stoa/definition";
import * as say from "../diagnostics/messages/syntax.js";
import { parseBlock } from "./block.js";
import { type BlockTable, defineBlock, type Property } from "./block-table.js";
import { isOpener } from "./bracket.js";
import { parseBracedExpression, parseExpression, parseGroup } from "./expression.js";
import { type ItemsGrammar, parseItems } from "./items.js";
import type { Parser } from "./parser.js";
import { blockOf, bracedOf, expressionOf, flag, selectOf } from "./properties.js";
import type {
  AggregateNode,
  AssertNode,
  FromNode,
  HookArgNode,
  HookBody,
  HookInlineNode,
  HookProperty,
  HookSourceNode,
  HookValue,
  OrderByNode,
  OrderTerm,
  QueryProperty,
  SetNode,
} from "./tree.js";

const from: Property<FromNode> = {
  leads: true,
  parse: (parser, keyword) => {
    const path = parser.path("where the records come from");
    const alias = parser.alias();
    return { kind: "from", path, alias, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

export const orderBy: Property<OrderByNode> = {
  second: "by",
  parse: (parser, keyword) => {
    parser.expectWord("by");
    const terms = parseOrderTerms(parser);
    return { kind: "order", terms, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

function parseOrderTerms(parser: Parser): readonly OrderTerm[] {
  if (parser.at("{") && parser.peek().text === "}") {
    parser.report(say.nothingToOrderBy(parser.span(parser.token)));
  }
  return parseItems(parser, ORDER_TERMS).items;
}

const ORDER_TERMS: ItemsGrammar<OrderTerm> = {
  opener: "{",
  style: "inline-commas",
  contentFollows: (parser) => parser.atWord() && !parser.token.firstOnLine,
  item: parseOrderTerm,
};

function parseOrderTerm(parser: Parser): OrderTerm {
  const start = parser.token;
  const value = parseExpression(parser);
  const descending = parseDirection(parser);
  return { value, descending, span: parser.spanFrom(start) };
}

/** An optional `asc` or `desc`; true for `desc`. */
export function parseDirection(parser: Parser): boolean {
  if (parser.accept("asc")) return false;
  if (parser.accept("desc")) return true;
  const isSlip = parser.atWord() && !parser.token.firstOnLine && [",", "}"].includes(parser.peek().text);
  return isSlip ? parser.expectOneOf(["asc", "desc"]) === "desc" : false;
}

function aggregate(name: AggregateName): Property<AggregateNode> {
  return {
    parse: (parser, keyword) => {
      const value = parser.atCall() ? parseGroup(parser) : undefined;
      return {
        kind: "aggregate",
        function: name,
        value,
        span: parser.spanFrom(keyword),
        doc: keyword.doc?.text,
      };
    },
  };
}

/** What other query languages call these. */
const synonyms = {
  where: "filter",
  sort: "order",
  orderby: "order",
  take: "limit",
  top: "limit",
  skip: "offset",
};

const shape = {
  from,
  filter: bracedOf("filter"),
  order: orderBy,
  limit: expressionOf("limit"),
  offset: expressionOf("offset"),
  first: flag("first"),
  one: flag("one"),
};

const aggregates = {
  count: aggregate("count"),
  sum: aggregate("sum"),
  avg: aggregate("avg"),
  min: aggregate("min"),
  max: aggregate("max"),
  exists: aggregate("exists"),
};

export const modelQueryBlock = defineBlock<QueryProperty>(
  "a query",
  { ...shape, ...aggregates },
  {
    synonyms,
    example: "from books",
    elsewhere: {
      select: "a query action or a hook's argument",
      update: "a query action",
      delete: "a query action",
    },
  },
);

const hookQueryBlock = defineBlock<QueryProperty>(
  "a hook's query",
  { ...shape, ...aggregates, select: selectOf("select") },
  { synonyms, elsewhere: { update: "a query action", delete: "a query action" } },
);

export const set: Property<SetNode> = {
  many: true,
  parse: (parser, keyword) => {
    const member = parser.name("the member to set");
    parser.takeSign({}, member.text);
    const value = parseValueOrHook(parser);
    return { kind: "set", member, value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const setBlock = defineBlock<SetNode>("an update", { set });

export const actionQueryBlock = defineBlock<QueryProperty>(
  "a query action",
  {
    ...shape,
    ...aggregates,
    select: selectOf("select"),
    update: blockOf("update", () => setBlock),
    delete: flag("delete"),
  },
  { synonyms },
);

const hookArg: Property<HookArgNode> = {
  many: true,
  parse: (parser, keyword) => {
    const name = parser.name("the argument's name");
    parser.takeSign({}, name.text);
    if (atBlockOf(parser, "query", hookQueryBlock)) {
      const start = parser.token;
      parser.expectWord("query");
      const body = parseBlock(parser, hookQueryBlock);
      const value = { kind: "query" as const, body, span: parser.spanFrom(start) };
      return { kind: "arg", name, value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    }
    const value = parseExpression(parser);
    return { kind: "arg", name, value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const source: Property<HookSourceNode> = {
  parse: (parser, keyword) => {
    const name = parser.name("the name of the exported function");
    parser.expectWord("from");
    const module = parser.text("the module in quotes");
    return { kind: "source", function: name, module, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

const inline: Property<HookInlineNode> = {
  parse: (parser, keyword) => {
    const code = parser.text("a JavaScript expression in quotes");
    return { kind: "inline", code, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

export const hookBlock: BlockTable<HookProperty> = defineBlock<HookProperty>("a hook", {
  arg: hookArg,
  source,
  inline,
});

/** `hook { … }`, with the word at the cursor. */
export function parseHook(parser: Parser): HookBody {
  const start = parser.token;
  parser.expectWord("hook");
  const body = parseBlock(parser, hookBlock);
  return { body, span: parser.spanFrom(start) };
}

function atHook(parser: Parser): boolean {
  return atBlockOf(parser, "hook", hookBlock);
}

/** At `hook { … }` rather than at something called `hook`; also with the word misspelt or the brace missing. */
function atBlockOf(parser: Parser, word: string, table: BlockTable<unknown>): boolean {
  if (parser.atWordBefore("{", word)) return true;
  const next = parser.peek();
  return parser.at(word) && table.keywords.has(next.text) && !next.firstOnLine && parser.missesOpener("{");
}

function parseHookValue(parser: Parser): HookValue {
  const hook = parseHook(parser);
  return { kind: "hook", hook, span: hook.span };
}

function parseValueOrHook(parser: Parser) {
  return atHook(parser) ? parseHookValue(parser) : parseExpression(parser);
}

/** `assert { <expression> }` or `assert { hook { … } }`. */
export const assert: Property<AssertNode> = {
  parse: (parser, keyword) => {
    const isHook = parser.peek().text === "hook" && isOpener(parser.peek(2).text);
    if ((parser.atOpener() && isHook) || (atHook(parser) && parser.missesOpener("{"))) {
      const value = parseBracedHook(parser);
      return { kind: "assert", value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    }
    const value = parseBracedExpression(parser, "a condition");
    return { kind: "assert", value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

/** `{ hook { … } }`. */
function parseBracedHook(parser: Parser): HookValue {
  const open = parser.token;
  const group = parser.openGroup("{", true);
  const first = parser.token;
  const value = parseHookValue(parser);
  const close = group && parser.closeGroup(group);
  if (first.doc) parser.documented.push(first);
  if (close) parser.layouts.push({ open, close, style: "properties", items: [first] });
  return value;
}
