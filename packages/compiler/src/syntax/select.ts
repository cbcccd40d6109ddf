// Selects: `{ id, author { name }, total: price * 2, * }`.

import { parseExpression } from "./expression.js";
import { type ItemsGrammar, parseItems } from "./items.js";
import type { Parser } from "./parser.js";
import type { Select, SelectItem } from "./tree.js";

export function parseSelect(parser: Parser): Select {
  const select = parser.nested(parseItems<SelectItem>, SELECT);
  return select ?? { items: [], span: parser.spanHere(), damaged: true };
}

const SELECT: ItemsGrammar<SelectItem> = {
  opener: "{",
  style: "inline-commas",
  contentFollows: (parser) => (parser.atWord() || parser.at("*")) && !parser.token.firstOnLine,
  item: parseItem,
};

function parseItem(parser: Parser): SelectItem | undefined {
  const start = parser.token;
  const doc = start.doc?.text;
  if (parser.accept("*")) return { kind: "all", span: parser.span(start), doc };
  if (!parser.atWord()) {
    parser.reportExpected("a member, `name: expression` or `*`");
    parser.skip();
    return undefined;
  }
  const name = parser.name("a member");
  // `a; b` and `a. b` may be two members or a name and its value: a separator is more likely, but no more.
  if (parser.at(";") || parser.at(".")) parser.doubt();
  if (parser.acceptInPlaceOf(":", ["=", "=>"])) {
    const value = parseExpression(parser);
    return { kind: "value", name, value, span: parser.spanFrom(start), doc };
  }
  const select = parser.atOpener() ? parseSelect(parser) : undefined;
  return { kind: "member", name, select, span: parser.spanFrom(start), doc };
}
