// Bracketed lists of items that are not properties: names, select items, arguments, order terms.

import type { LayoutStyle, Parser } from "./parser.js";
import type { Token } from "./token.js";
import type { Span } from "../diagnostics/diagnostic.js";

export interface ItemsGrammar<Item> {
  readonly opener: "{" | "(" | "[";
  readonly style: LayoutStyle;
  /** The opening bracket is missing, but what follows can only be the first item. */
  readonly contentFollows: boolean;
  /** Undefined after a report. */
  readonly item: (parser: Parser) => Item | undefined;
}

export interface Items<Item> {
  readonly items: readonly Item[];
  readonly span: Span;
  /** Some item could not be read. */
  readonly damaged: boolean;
}

const NO_KEYWORDS: ReadonlySet<string> = new Set();

export function parseItems<Item>(parser: Parser, grammar: ItemsGrammar<Item>): Items<Item> {
  const open = parser.token;
  const group = parser.openGroup(grammar.opener, grammar.contentFollows);
  if (!group) return { items: [], span: parser.spanHere(), damaged: true };
  const items: Item[] = [];
  const starts: Token[] = [];
  let damaged = false;
  parser.keywords.push(NO_KEYWORDS);
  for (let isFresh = true; !parser.atEnd(); isFresh = parser.separator()) {
    const start = parser.token;
    starts.push(start);
    parser.startItem(isFresh);
    const item = grammar.item(parser);
    if (item === undefined) damaged = true;
    else items.push(item);
    if (parser.token === start) parser.skip();
    parser.endItem();
  }
  parser.keywords.pop();
  const close = parser.closeGroup(group);
  if (close && group.open === open) parser.layout({ open, close, style: grammar.style, items: starts });
  return { items, span: parser.spanFrom(open), damaged };
}
