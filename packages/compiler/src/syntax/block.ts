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
  if (!openBlock(parser, table)) return { items: [], span: parser.spanHere(), damaged: true };
  const isReal = parser.previous === open;
  parser.keywords.push(table.keywords);
  const body = new BlockBody(parser, table);
  body.parse(!isReal);
  parser.keywords.pop();
  const close = parser.token;
  if (parser.accept("}") && isReal) {
    parser.layout({ open, close, style: table.style, items: body.starts });
  }
  return { items: body.items, span: parser.spanFrom(open), damaged: body.damaged || !isReal };
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
  while (!parser.atEnd()) {
    if (parser.at("}")) parser.report(say.strayBrace(parser.span(parser.take())));
    else body.parse(false);
  }
  return { items: body.items, starts: body.starts, damaged: body.damaged };
}

/** Takes the `{`; where it is missing but the content follows, says so and goes on. */
function openBlock(parser: Parser, table: BlockTable<unknown>): boolean {
  if (parser.accept("{")) return true;
  const contentFollows =
    parser.atWord() && table.keywords.has(parser.token.text) && !parser.token.firstOnLine;
  parser.reportExpected("`{`", "{");
  if (!contentFollows && parser.peek().text === "{" && !parser.peek().firstOnLine && !parser.at("}")) {
    parser.take();
    return parser.accept("{");
  }
  return contentFollows;
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

  parse(openedVirtually: boolean): void {
    const parser = this.#parser;
    while (!parser.atEnd()) {
      if (parser.at("}") && !this.#skipStrayClose(openedVirtually)) return;
      if (parser.atEnd() || parser.at("}")) continue;
      this.#item();
      this.#separator();
    }
  }

  /** A closing brace that the balance pass found too many: not the end of this block. */
  #skipStrayClose(openedVirtually: boolean): boolean {
    const parser = this.#parser;
    if (openedVirtually || !parser.suspects.has(parser.token)) return false;
    parser.report(say.strayBrace(parser.span(parser.take())));
    return true;
  }

  #separator(): void {
    const parser = this.#parser;
    if (!parser.accept(",")) return;
    while (parser.at(",")) parser.report(say.extraComma(parser.span(parser.take())));
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
      parser.report(say.propertyNotAllowed(parser.span(token), token.text, this.#table.owner, place));
    else parser.report(say.unknownProperty(parser.span(token), token.text, this.#table.owner, this.#words()));
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
    this.damaged = true;
    if (token.text === ",") parser.report(say.extraComma(parser.span(parser.take())));
    else {
      parser.report(say.unexpected(parser.span(token), token.text, this.#table.owner, this.#words()));
      this.#skipItem();
    }
  }

  /** Skips to the next property of this block, or to its end. */
  #skipItem(): void {
    const parser = this.#parser;
    parser.skipGroup();
    while (!parser.atEnd() && !parser.at("}") && !parser.at(",")) {
      const token = parser.token;
      if (token.kind === "word" && (token.firstOnLine || this.#table.keywords.has(token.text))) return;
      parser.skipGroup();
    }
  }
}
