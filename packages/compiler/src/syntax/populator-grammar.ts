// Populators: seed data.

import { type BlockTable, defineBlock, type Property, parseBlock } from "./block.js";
import { parseExpression } from "./expression.js";
import { expressionOf, item } from "./properties.js";
import { set } from "./query-grammar.js";
import type { ExpressionProperty, PopulateNode, PopulateProperty, RepeatNode } from "./tree.js";

const rangeBlock = defineBlock<ExpressionProperty<"start"> | ExpressionProperty<"end">>("a repeat", {
  start: expressionOf("start"),
  end: expressionOf("end"),
});

const repeat: Property<RepeatNode> = {
  parse: (parser, keyword) => {
    const iterator = parser.accept("as") ? parser.name("the iterator's name") : undefined;
    const range = parser.atOpener() ? parseBlock(parser, rangeBlock) : parseExpression(parser);
    return { kind: "repeat", iterator, range, ...item(parser, keyword) };
  },
};

const populate: Property<PopulateNode> = {
  many: true,
  named: true,
  block: () => populateBlock as BlockTable<unknown>,
  parse: (parser, keyword) => {
    const target = parser.name("what to populate: a model or, nested, a relation");
    const alias = parser.alias();
    const heading = parser.spanFrom(keyword);
    const body = parseBlock(parser, populateBlock);
    return { kind: "populate", target, alias, heading, body, ...item(parser, keyword) };
  },
};

const populateBlock: BlockTable<PopulateProperty> = defineBlock<PopulateProperty>(
  "a populate",
  { repeat, set, populate },
  { style: "lines" },
);

export const populatorBlock = defineBlock<PopulateNode>("a populator", { populate }, { style: "lines" });
