// Selects: `{ id, author { name }, total: price * 2, * }`.

import { parseExpression } from "./expression.js";
import type { Parser } from "./parser.js";
import type { Token } from "./token.js";
import type { Select, SelectItem } from "./tree.js";

export function parseSelect(parser: Parser): Select {
  const select = parser.nested(() => parseOpenSelect(parser));
  return select ?? { items: [], span: parser.spanHere(), damaged: true };
}

function parseOpenSelect(parser: Parser): Select {
  const open = parser.token;
  if (!parser.expectSymbol("{")) return { items: [], span: parser.spanHere(), damaged: true };
  const items: SelectItem[] = [];
  const starts: Token[] = [];
  let damaged = false;
  parser.keywords.push(new Set());
  while (!parser.atEnd() && !parser.at("}")) {
    starts.push(parser.token);
    const item = parseItem(parser);
    if (item) items.push(item);
    else damaged = true;
    parser.accept(",");
  }
  parser.keywords.pop();
  const close = parser.token;
  if (parser.accept("}")) parser.layout({ open, close, style: "inline-commas", items: starts });
  return { items, span: parser.spanFrom(open), damaged };
}

function parseItem(parser: Parser): SelectItem | undefined {
  const start = parser.token;
  const doc = start.doc?.text;
  if (parser.accept("*")) return { kind: "all", span: parser.span(start), doc };
  if (!parser.atWord()) {
    parser.reportExpected("a member, `name: expression` or `*`");
    parser.skipGroup();
    return undefined;
  }
  const name = parser.name("a member");
  if (parser.accept(":")) {
    const value = parseExpression(parser);
    return { kind: "value", name, value, span: parser.spanFrom(start), doc };
  }
  const select = parser.at("{") ? parseSelect(parser) : undefined;
  return { kind: "member", name, select, span: parser.spanFrom(start), doc };
}
