// Blocks, read by their tables: items in any order, each begun by its word, up to the closing brace.

import * as say from "../diagnostics/messages/syntax.js";
import type { BlockTable, Property } from "./block-table.js";
import { explainUnknown, findWays, readWay, type Way } from "./guess.js";
import type { Parser } from "./parser.js";
import type { Token } from "./token.js";
import type { Block } from "./tree.js";

/** Parses `{ … }` by its table. */
export function parseBlock<Node>(parser: Parser, table: BlockTable<Node>): Block<Node> {
  const block = parser.nested(parseOpenBlock<Node>, table);
  return block ?? { items: [], span: parser.spanHere(), damaged: true };
}

function parseOpenBlock<Node>(parser: Parser, table: BlockTable<Node>): Block<Node> {
  const open = parser.token;
  const isWord = open.kind === "word";
  if (isWord && isBareValue(parser, table)) return takeBareValue(parser, table);
  parser.cutItem();
  const group = parser.openGroup("{", isWord && contentFollows(parser, table), table.example);
  if (!group) return { items: [], span: parser.spanHere(), damaged: true };
  parser.keywords.push(table.keywords);
  const body = new BlockBody(parser, table);
  body.parse();
  parser.keywords.pop();
  const close = parser.closeGroup(group);
  if (parser.keepsLayouts && close && group.open === open) {
    parser.layouts.push({ open, close, style: table.style, items: body.starts });
  }
  // A copy takes no more memory than it has items; an array that has grown holds room for many more.
  return { items: body.items.slice(), span: parser.spanFrom(open), damaged: body.damaged };
}

/** A block that may be left out. */
export function parseOptionalBlock<Node>(parser: Parser, table: BlockTable<Node>): Block<Node> | undefined {
  const isThere = parser.atOpener() || (contentFollows(parser, table) && !parser.isKeyword(parser.token));
  return isThere ? parseBlock(parser, table) : undefined;
}

/** Whether the content follows, though the `{` may be missing. */
function contentFollows(parser: Parser, table: BlockTable<unknown>): boolean {
  if (!parser.atWord() || !table.keywords.has(parser.token.text)) return false;
  return !parser.token.firstOnLine || parser.isDeeper();
}

/** `field title string`: in place of the block, the value of its first property. */
function isBareValue(parser: Parser, table: BlockTable<unknown>): boolean {
  const { token } = parser;
  if (!parser.atWord() || token.firstOnLine || table.keywords.has(token.text)) return false;
  const next = parser.peek();
  const isLast = next.firstOnLine || next.kind === "end" || next.text === "}" || next.text === ",";
  if (!isLast) return false;
  return [...table.properties.values()].some((property) => property.leads);
}

function takeBareValue<Node>(parser: Parser, table: BlockTable<Node>): Block<Node> {
  const { token } = parser;
  const [word] = [...table.properties].find(([, property]) => property.leads) ?? [""];
  parser.fail(say.bareValue(parser.span(token), token.text, word));
  parser.take();
  return { items: [], span: parser.span(token), damaged: true };
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

function findWord(tokens: readonly Token[], word: string): Token | undefined {
  for (let index = 0; index < tokens.length; index++) {
    if (tokens[index]?.text === word) return tokens[index];
  }
  return undefined;
}

/** The items of one block, while they are read. */
class BlockBody<Node> {
  readonly items: Node[] = [];
  readonly starts: Token[] = [];
  damaged = false;
  readonly #parser: Parser;
  readonly #table: BlockTable<Node>;

  constructor(parser: Parser, table: BlockTable<Node>) {
    this.#parser = parser;
    this.#table = table;
  }

  parse(): void {
    const parser = this.#parser;
    const { properties } = this.#table;
    for (let isFresh = true; !parser.atEnd; isFresh = parser.separator()) {
      const { token } = parser;
      const known = token.kind === "word" ? properties.get(token.text) : undefined;
      // What follows an item on its line and begins no other one may belong to it.
      if (!known && !token.firstOnLine) parser.doubtPrevious();
      parser.startItem(isFresh || known !== undefined);
      if (known) this.#known(token.text, known);
      else this.#unreadable();
      const isDamaged = parser.endItem();
      // Between two commas something is missing.
      if (parser.token.text === "," && parser.peek().text === ",") this.damaged = true;
      if (isDamaged) this.#endDamaged();
    }
  }

  #endDamaged(): void {
    const parser = this.#parser;
    // Where properties stand on one line, one that could not be read may have swallowed others; where each has
    // a line of its own, the rest of the line belongs to it.
    if (this.#table.style === "properties") this.damaged = true;
    else while (!parser.atEnd && !parser.token.firstOnLine && !parser.at(",")) parser.skip();
  }

  #unreadable(): void {
    const parser = this.#parser;
    const { position } = parser;
    if (parser.atStray() || !parser.skipDoubled()) this.#explain();
    if (parser.position === position) parser.skip();
  }

  #known(word: string, property: Property<Node>): void {
    const parser = this.#parser;
    const keyword = parser.take();
    const first = property.many ? undefined : findWord(this.starts, word);
    this.starts.push(keyword);
    if (keyword.doc) parser.documented.push(keyword);
    if (first) parser.report(say.duplicateProperty(parser.span(keyword), word, parser.span(first)));
    const { kind, text } = parser.token;
    // As most often, a word or a block follows.
    if (property.isFlag || (kind !== "word" && text !== "{")) parser.takeSign(property, word);
    const node = property.parse(parser, keyword);
    if (!first) this.items.push(node);
  }

  #unknown(): void {
    const parser = this.#parser;
    const { token } = parser;
    const found = findWays(parser, this.#table, this.items.length === 0);
    if (this.#isGroup(found)) return;
    const [way, ...others] = parser.best(found, (candidate) => readWay(parser, candidate));
    if (way) return this.#follow(token, way, others);
    this.damaged = true;
    parser.fail(explainUnknown(parser, this.#table));
    this.#skipItem();
  }

  /** `fields { title { … } }`: what belongs together is not put into a block of its own. */
  #isGroup([way]: readonly Way<Node>[]): boolean {
    const parser = this.#parser;
    const [next, inner, after] = [parser.peek(), parser.peek(2), parser.peek(3)];
    const isList = inner.kind === "word" && (after.text === "{" || after.text === ":");
    if (way?.kind !== "slip" || !way.property.named || next.text !== "{" || !isList) return false;
    this.damaged = true;
    parser.fail(say.groupedItems(parser.span(parser.token), parser.token.text, way.word, inner.text));
    this.#skipItem();
    return true;
  }

  #follow(token: Token, way: Way<Node>, others: readonly Way<Node>[]): void {
    const parser = this.#parser;
    const before = parser.diagnostics.length;
    this.starts.push(token);
    if (token.doc) parser.documented.push(token);
    if (others.length > 0 && way.kind === "missing") {
      // Several words could be missing: they are all named, and the first is taken in silence.
      const words = [way, ...others].map((candidate) => candidate.word);
      parser.fail(say.missingWord(parser.span(token), token.text, words));
    }
    this.items.push(readWay(parser, way));
    // One report is the slip itself; more of them cast doubt on the guess.
    if (parser.diagnostics.length > before + 1) this.damaged = true;
  }

  #explain(): void {
    const parser = this.#parser;
    const token = parser.token;
    if (token.kind === "word") return this.#unknown();
    if (token.text === ",") return parser.report(say.extraComma(parser.span(parser.take())));
    if (parser.atStray()) {
      parser.failStray();
      parser.take();
      return;
    }
    this.damaged = true;
    const isComment = token.text === "-" && parser.peek().start === token.end && parser.peek().text === "-";
    const words = [...this.#table.keywords];
    parser.fail(
      isComment
        ? say.foreignComment(parser.spanTo(parser.peek()), "--")
        : say.unexpected(parser.span(token), token.text, this.#table.owner, words),
    );
    this.#skipItem();
  }

  /** Skips to the next property of this block, or to its end. */
  #skipItem(): void {
    const parser = this.#parser;
    parser.skip();
    while (!parser.atEnd && !parser.at(",")) {
      const token = parser.token;
      const isProperty = this.#table.style === "properties" && this.#table.keywords.has(token.text);
      if (token.kind === "word" && (token.firstOnLine || isProperty)) return;
      parser.skip();
    }
  }
}
