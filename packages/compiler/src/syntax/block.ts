// Block tables: each kind of block is a table from property word to parse function. The one table drives
// parsing, duplicate detection, "did you mean", recovery, and (through `keywordsOf`) completion and grammars.

import type { Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/syntax.js";
import { nearest } from "../diagnostics/suggest.js";
import type { LayoutStyle, Parser } from "./parser.js";
import type { Token } from "./token.js";
import type { Block } from "./tree.js";

export interface Property<Node> {
  /** May stand more than once in its block. */
  readonly many?: boolean;
  /** Called with the property word taken. */
  readonly parse: (parser: Parser, keyword: Token) => Node;
  /** A name follows the property word. */
  readonly named?: boolean;
  /** The property's own block, to recognise it by its content when its word is missing. */
  readonly block?: () => BlockTable<unknown>;
}

export interface BlockTable<Node> {
  /** What the block is, for messages: "a field". */
  readonly owner: string;
  readonly style: LayoutStyle;
  readonly properties: ReadonlyMap<string, Property<Node>>;
  readonly keywords: ReadonlySet<string>;
  /** Properties that exist, but belong elsewhere: word → where. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

interface BlockOptions {
  readonly style?: LayoutStyle;
  readonly elsewhere?: Readonly<Record<string, string>>;
}

export function defineBlock<Node>(
  owner: string,
  properties: Readonly<Record<string, Property<Node>>>,
  options: BlockOptions = {},
): BlockTable<Node> {
  return {
    owner,
    style: options.style ?? "properties",
    properties: new Map(Object.entries(properties)),
    keywords: new Set(Object.keys(properties)),
    elsewhere: new Map(Object.entries(options.elsewhere ?? {})),
  };
}

/** Parses `{ … }` by its table. */
export function parseBlock<Node>(parser: Parser, table: BlockTable<Node>): Block<Node> {
  const block = parser.nested(() => parseOpenBlock(parser, table));
  return block ?? { items: [], span: parser.spanHere(), damaged: true };
}

function parseOpenBlock<Node>(parser: Parser, table: BlockTable<Node>): Block<Node> {
  const open = parser.token;
  parser.cutItem();
  const group = parser.openGroup("{", contentFollows(parser, table));
  if (!group) return { items: [], span: parser.spanHere(), damaged: true };
  parser.keywords.push(table.keywords);
  const body = new BlockBody(parser, table);
  body.parse();
  parser.keywords.pop();
  const close = parser.closeGroup(group);
  if (close && group.open === open) {
    parser.layout({ open, close, style: table.style, items: body.starts });
  }
  return { items: body.items, span: parser.spanFrom(open), damaged: body.damaged };
}

/** Whether the content follows, though the `{` may be missing. */
function contentFollows(parser: Parser, table: BlockTable<unknown>): boolean {
  if (!parser.atWord() || !table.keywords.has(parser.token.text)) return false;
  return !parser.token.firstOnLine || parser.isDeeper();
}

export interface TopLevel<Node> {
  readonly items: readonly Node[];
  readonly starts: readonly Token[];
  readonly damaged: boolean;
}

/** Parses a whole file: a block without braces. */
export function parseTopLevel<Node>(parser: Parser, table: BlockTable<Node>): TopLevel<Node> {
  parser.keywords.push(table.keywords);
  const body = new BlockBody(parser, table);
  body.parse();
  return { items: body.items, starts: body.starts, damaged: body.damaged };
}

/** The items of one block, while they are read. */
class BlockBody<Node> {
  readonly items: Node[] = [];
  readonly starts: Token[] = [];
  damaged = false;
  readonly #parser: Parser;
  readonly #table: BlockTable<Node>;
  readonly #seen = new Map<string, Span>();

  constructor(parser: Parser, table: BlockTable<Node>) {
    this.#parser = parser;
    this.#table = table;
  }

  parse(): void {
    const parser = this.#parser;
    for (let isFresh = true; !parser.atEnd(); isFresh = parser.separator()) {
      parser.startItem(isFresh || this.#table.keywords.has(parser.token.text));
      this.#item();
      parser.endItem();
    }
  }

  #item(): void {
    const parser = this.#parser;
    const token = parser.token;
    const known = token.kind === "word" ? this.#table.properties.get(token.text) : undefined;
    if (known) return this.#known(token.text, known);
    if (token.kind !== "word") return this.#unreadable();
    this.#unknown(token);
  }

  #known(word: string, property: Property<Node>): void {
    const parser = this.#parser;
    const keyword = parser.take();
    this.starts.push(keyword);
    const first = this.#seen.get(word);
    if (first && !property.many) parser.report(say.duplicateProperty(parser.span(keyword), word, first));
    this.#seen.set(word, first ?? parser.span(keyword));
    const node = property.parse(parser, keyword);
    if (!first || property.many) this.items.push(node);
  }

  #unknown(token: Token): void {
    const parser = this.#parser;
    const meant = nearest(token.text, this.#table.keywords);
    const property = meant === undefined ? undefined : this.#table.properties.get(meant);
    const guessed = this.#guess(token);
    if (guessed && !(meant && parser.peek().kind === "word")) return this.#missingWord(token, guessed);
    if (meant !== undefined && property) {
      parser.report(say.misspelt(parser.span(token), token.text, meant));
      this.starts.push(parser.take());
      this.items.push(property.parse(parser, token));
      return;
    }
    this.damaged = true;
    const place = this.#table.elsewhere.get(token.text);
    if (place)
      parser.fail(say.propertyNotAllowed(parser.span(token), token.text, this.#table.owner, place));
    else parser.fail(say.unknownProperty(parser.span(token), token.text, this.#table.owner, this.#words()));
    this.#skipItem();
  }

  #words(): string[] {
    return [...this.#table.keywords];
  }

  /** `name { type string }`: the property word is missing, but the content shows which one it was. */
  #guess(token: Token): string | undefined {
    const parser = this.#parser;
    if (this.#table.elsewhere.has(token.text) || parser.peek().text !== "{") return undefined;
    const inner = parser.peek(2);
    if (inner.kind !== "word") return undefined;
    for (const [word, property] of this.#table.properties) {
      if (property.named && property.block?.().keywords.has(inner.text)) return word;
    }
    return undefined;
  }

  #missingWord(token: Token, word: string): void {
    const parser = this.#parser;
    parser.report(say.missingWord(parser.span(token), token.text, word));
    this.starts.push(token);
    const property = this.#table.properties.get(word);
    if (property) this.items.push(property.parse(parser, token));
  }

  #unreadable(): void {
    const parser = this.#parser;
    const token = parser.token;
    if (token.text === ",") return parser.report(say.extraComma(parser.span(parser.take())));
    if (parser.atStray()) {
      parser.report(say.strayBracket(parser.span(token), token.text));
      parser.take();
      return;
    }
    this.damaged = true;
    parser.fail(say.unexpected(parser.span(token), token.text, this.#table.owner, this.#words()));
    this.#skipItem();
  }

  /** Skips to the next property of this block, or to its end. */
  #skipItem(): void {
    const parser = this.#parser;
    parser.skip();
    while (!parser.atEnd() && !parser.at(",")) {
      const token = parser.token;
      if (token.kind === "word" && (token.firstOnLine || this.#table.keywords.has(token.text))) return;
      parser.skip();
    }
  }
}
