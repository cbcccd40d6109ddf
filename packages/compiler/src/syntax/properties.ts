// Parse functions for the shapes that many properties share: flags, names, texts, paths, expressions.

import * as say from "../diagnostics/messages/syntax.js";
import { parseBlock } from "./block.js";
import type { BlockTable, Property } from "./block-table.js";
import { parseArguments, parseBracedExpression, parseExpression } from "./expression.js";
import type { Parser } from "./parser.js";
import { parseSelect } from "./select.js";
import type { Token } from "./token.js";
import {
  type DbnameNode,
  type ExpressionProperty,
  type FlagNode,
  isMissing,
  type NameProperty,
  type PathProperty,
  type SelectProperty,
  type TextProperty,
  type TypeNode,
  type TypeProperty,
  type WasNode,
} from "./tree.js";

export function flag<Kind extends string>(kind: Kind): Property<FlagNode<Kind>> {
  return {
    isFlag: true,
    parse: (parser, keyword) => ({ kind, span: parser.spanFrom(keyword), doc: keyword.doc?.text }),
  };
}

export function nameOf<Kind extends string>(
  kind: Kind,
  what: string,
  options: Pick<Property<unknown>, "leads"> = {},
): Property<NameProperty<Kind>> {
  return {
    ...options,
    parse: (parser, keyword) => {
      const name = parser.valueName(what);
      return { kind, name, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    },
  };
}

export function pathOf<Kind extends string>(kind: Kind, what: string): Property<PathProperty<Kind>> {
  return {
    parse: (parser, keyword) => {
      const path = parser.path(what);
      return { kind, path, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    },
  };
}

export function textOf<Kind extends string>(kind: Kind, what: string): Property<TextProperty<Kind>> {
  return {
    parse: (parser, keyword) => {
      const value = parser.text(what);
      return { kind, value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    },
  };
}

/** `default <expression>`. */
export function expressionOf<Kind extends string>(kind: Kind): Property<ExpressionProperty<Kind>> {
  return {
    parse: (parser, keyword) => {
      const value = parseExpression(parser);
      return { kind, value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    },
  };
}

/** `filter { <condition> }`. */
export function bracedOf<Kind extends string>(kind: Kind): Property<ExpressionProperty<Kind>> {
  return {
    parse: (parser, keyword) => {
      const value = parseBracedExpression(parser, "a condition");
      return { kind, value, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    },
  };
}

export function selectOf<Kind extends string>(kind: Kind): Property<SelectProperty<Kind>> {
  return {
    parse: (parser, keyword) => {
      const select = parseSelect(parser);
      return { kind, select, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    },
  };
}

export const typeProperty: Property<TypeProperty> = {
  leads: true,
  parse: (parser, keyword) => {
    const type = parseType(parser);
    return { kind: "type", type, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

function parseType(parser: Parser): TypeNode {
  const start = parser.token;
  const name = parser.valueName("a type");
  if (parser.at("[") && parser.token.start === parser.previous.end) {
    parser.fail(say.noListType(parser.spanFrom(start)));
    parser.skip();
  }
  if (!parser.atCall()) return { name, arguments: [], span: name.span };
  const args = parseArguments(parser);
  return { name, arguments: args, span: parser.spanFrom(start) };
}

export const dbname: Property<DbnameNode> = textOf("dbname", "the database name in quotes");
export const was: Property<WasNode> = nameOf("was", "the old name");

/** A property that is a word and a block: `password { … }`. */
export function blockOf<Kind extends string, Node>(kind: Kind, table: () => BlockTable<Node>) {
  return {
    block: table as () => BlockTable<unknown>,
    parse: (parser: Parser, keyword: Token) => {
      const body = parseBlock(parser, table());
      return { kind, body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    },
  };
}

/** A property that is a word, a name and a block: `field title { … }`. */
export function namedBlockOf<Kind extends string, Node>(
  kind: Kind,
  what: string,
  table: () => BlockTable<Node>,
) {
  return {
    many: true,
    named: true,
    block: table as () => BlockTable<unknown>,
    parse: (parser: Parser, keyword: Token) => {
      const name = parser.declaredName(what, keyword.text);
      if (isMissing(name)) parser.missName();
      const body = parseBlock(parser, table());
      return { kind, name, body, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
    },
  };
}
