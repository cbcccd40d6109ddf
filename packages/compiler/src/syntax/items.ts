// Bracketed lists of items that are not properties: names, select items, arguments, order terms.

import type { Span } from "../diagnostics/diagnostic.js";
import { type LayoutStyle, NO_KEYWORDS, type Parser } from "./parser.js";
import type { Token } from "./token.js";

export interface ItemsGrammar<Item> {
  readonly opener: "{" | "(" | "[";
  readonly style: LayoutStyle;
  /** The opening bracket is missing, but what follows can only be the first item. */
  readonly contentFollows: (parser: Parser) => boolean;
  /** The items are parts of one value: what is wrong with one of them spoils it all. */
  readonly isValue?: boolean;
  /** Undefined after a report. */
  readonly item: (parser: Parser) => Item | undefined;
}

export interface Items<Item> {
  readonly items: readonly Item[];
  readonly span: Span;
  /** Some item could not be read. */
  readonly damaged: boolean;
}

/** Where items may follow each other without a comma, a word after one of them begins the next. */
export const ANY_WORD: ReadonlySet<string> = new Set();

export function parseItems<Item>(parser: Parser, grammar: ItemsGrammar<Item>): Items<Item> {
  const open = parser.token;
  const group = parser.openGroup(grammar.opener, grammar.contentFollows(parser));
  if (!group) return { items: [], span: parser.spanHere(), damaged: true };
  const items: Item[] = [];
  const starts: Token[] = [];
  let damaged = false;
  parser.keywords.push(grammar.isValue ? NO_KEYWORDS : ANY_WORD);
  for (let isFresh = true; !parser.atEnd; isFresh = parser.separator()) {
    const { token: start, position } = parser;
    // Without its opening bracket, an inner list has become part of this one.
    if (parser.atStray()) parser.doubt();
    if (parser.keepsLayouts) starts.push(start);
    if (start.doc) parser.documented.push(start);
    if (!grammar.isValue) parser.startItem(isFresh);
    const item = grammar.item(parser);
    if (item === undefined) damaged = true;
    else items.push(item);
    if (parser.position === position) parser.skip();
    if (!grammar.isValue) parser.endItem();
    // Between two commas something is missing.
    if (parser.token.text === "," && parser.peek().text === ",") damaged = true;
  }
  parser.keywords.pop();
  const close = parser.closeGroup(group);
  if (parser.keepsLayouts && close && group.open === open) {
    parser.layouts.push({ open, close, style: grammar.style, items: starts });
  }
  return { items: items.slice(), span: parser.spanFrom(open), damaged };
}
