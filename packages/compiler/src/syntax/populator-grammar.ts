// Populators: seed data.

import { parseBlock } from "./block.js";
import { type BlockTable, defineBlock, type Property } from "./block-table.js";
import { parseExpression } from "./expression.js";
import type { Parser } from "./parser.js";
import { expressionOf } from "./properties.js";
import { set } from "./query-grammar.js";
import type { ExpressionProperty, PopulateNode, PopulateProperty, RepeatNode } from "./tree.js";

const rangeBlock = defineBlock<ExpressionProperty<"start"> | ExpressionProperty<"end">>("a repeat", {
  start: expressionOf("start"),
  end: expressionOf("end"),
});

const repeat: Property<RepeatNode> = {
  second: "as",
  parse: (parser, keyword) => {
    const iterator = atIterator(parser) ? parser.alias() : undefined;
    const range = parser.atOpener() ? parseBlock(parser, rangeBlock) : parseExpression(parser);
    return { kind: "repeat", iterator, range, span: parser.spanFrom(keyword), doc: keyword.doc?.text };
  },
};

/** `as i` before the count or range; without `as`, a name followed by another value. */
function atIterator(parser: Parser): boolean {
  const next = parser.peek();
  return parser.at("as") || (!next.firstOnLine && (next.text === "{" || /^(word|integer)$/.test(next.kind)));
}

const populate: Property<PopulateNode> = {
  many: true,
  named: true,
  block: () => populateBlock as BlockTable<unknown>,
  parse: (parser, keyword) => {
    const target = parser.nameBeforeAlias("what to populate: a model or, nested, a relation", keyword.text);
    const alias = parser.alias();
    const heading = parser.spanFrom(keyword);
    const body = parseBlock(parser, populateBlock);
    return {
      kind: "populate",
      target,
      alias,
      heading,
      body,
      span: parser.spanFrom(keyword),
      doc: keyword.doc?.text,
    };
  },
};

const populateBlock: BlockTable<PopulateProperty> = defineBlock<PopulateProperty>(
  "a populate",
  { repeat, set, populate },
  { style: "lines" },
);

export const populatorBlock = defineBlock<PopulateNode>("a populator", { populate }, { style: "lines" });
