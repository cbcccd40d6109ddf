// Block tables: each kind of block is a table from property word to parse function. The one table drives
// parsing, duplicate detection, "did you mean", recovery, and (through `keywordsOf`) completion and grammars.

import * as say from "../diagnostics/messages/syntax.js";
import { nearestFirst } from "../diagnostics/suggest.js";
import { type LayoutStyle, type Parser, RESERVED } from "./parser.js";
import type { Token } from "./token.js";
import type { Block } from "./tree.js";

export interface Property<Node> {
  /** May stand more than once in its block. */
  readonly many?: boolean;
  /** Called with the property word taken. */
  readonly parse: (parser: Parser, keyword: Token) => Node;
  /** A name follows the property word. */
  readonly named?: boolean;
  /** The fixed word that follows the property word: `list endpoint`. */
  readonly second?: string;
  /** Comes first in its block, so that its value is recognised without its word: `field title { string }`. */
  readonly leads?: boolean;
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

/** Tokens before the `{` of a block without its first word: `org.members as m`. */
const MAX_HEADING = 8;

function isHeading({ kind, text, firstOnLine }: Token): boolean {
  return !firstOnLine && (kind === "word" || text === ".");
}

interface Way<Node> {
  readonly kind: "slip" | "missing";
  readonly word: string;
  readonly property: Property<Node>;
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
    for (let isFresh = true; !parser.atEnd(); isFresh = parser.separator()) {
      const isKnown = parser.atWord() && this.#table.keywords.has(parser.token.text);
      // What follows an item on its line and begins no other one may belong to it.
      if (!isKnown && !parser.token.firstOnLine) parser.doubtPrevious();
      parser.startItem(isFresh || isKnown);
      const { position } = parser;
      this.#item();
      if (parser.position === position) parser.skip();
      const isDamaged = parser.endItem();
      // Where properties stand on one line, one that could not be read may have swallowed others.
      if (isDamaged && this.#table.style === "properties") this.damaged = true;
      if (parser.at(",") && parser.peek().text === ",") this.damaged = true;
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
    const first = property.many ? undefined : this.starts.find((start) => start.text === word);
    this.starts.push(keyword);
    if (first) parser.report(say.duplicateProperty(parser.span(keyword), word, parser.span(first)));
    const node = property.parse(parser, keyword);
    if (!first) this.items.push(node);
  }

  #unknown(token: Token): void {
    const parser = this.#parser;
    const ways = parser.best(this.#ways(token), (candidate) => this.#read(token, candidate));
    const [way, other] = ways;
    if (way) {
      const before = parser.diagnostics.length;
      this.starts.push(token);
      if (other && way.kind === "missing") this.#reportMissing(token, ways);
      this.items.push(this.#read(token, way));
      // One report is the slip itself; more of them cast doubt on the guess.
      if (parser.diagnostics.length > before + 1) this.damaged = true;
      return;
    }
    this.damaged = true;
    const place = this.#table.elsewhere.get(token.text) ?? this.#outerPlace(token);
    if (place) parser.fail(say.propertyNotAllowed(parser.span(token), token.text, this.#table.owner, place));
    else parser.fail(say.unknownProperty(parser.span(token), token.text, this.#table.owner, this.#words()));
    this.#skipItem();
  }

  /** A declaration in the middle of a block: most likely the block should have ended before it. */
  #outerPlace({ text }: Token): string | undefined {
    const { keywords } = this.#parser;
    const isDeclaration =
      keywords.length > 1 && keywords[0]?.has(text) && this.#parser.peek().kind === "word";
    return isDeclaration ? "the top level of a file; perhaps a `}` is missing before it" : undefined;
  }

  /** What an unknown word may be: a slip for a property word, or what follows one that is missing. */
  #ways(token: Token): Way<Node>[] {
    if (RESERVED.has(token.text)) return [];
    const ways: Way<Node>[] = [];
    for (const word of nearestFirst(token.text, this.#table.keywords)) {
      const property = this.#table.properties.get(word);
      if (property) ways.push({ kind: "slip", word, property });
    }
    for (const [word, property] of this.#table.properties) {
      const isValue = property.leads && this.items.length === 0 && ways.length === 0;
      const isIt = isValue || property.second === token.text || this.#isNameOf(token, property);
      if (isIt) ways.push({ kind: "missing", word, property });
    }
    return ways;
  }

  /** `name { type string }`, `book as b { … }`: the word is missing, but the content shows which one it was. */
  #isNameOf(token: Token, { named, block }: Property<Node>): boolean {
    const parser = this.#parser;
    if (!named || !block || this.#table.elsewhere.has(token.text)) return false;
    let distance = 1;
    while (isHeading(parser.peek(distance)) && distance < MAX_HEADING) distance++;
    return parser.peek(distance).text === "{" && block().keywords.has(parser.peek(distance + 1).text);
  }

  #read(token: Token, { kind, property, word }: Way<Node>): Node {
    const parser = this.#parser;
    const keyword = { ...token, text: word };
    if (kind === "missing") {
      parser.report(say.missingWord(parser.span(token), token.text, [word]));
      parser.readInline();
      return property.parse(parser, keyword);
    }
    parser.report(say.misspelt(parser.span(token), token.text, word));
    parser.take();
    return property.parse(parser, keyword);
  }

  /** Several words could be missing: they are named all, and the first is taken in silence. */
  #reportMissing(token: Token, ways: readonly Way<Node>[]): void {
    const words = ways.map((way) => way.word);
    this.#parser.fail(say.missingWord(this.#parser.span(token), token.text, words));
  }

  #words(): string[] {
    return [...this.#table.keywords];
  }

  #unreadable(): void {
    const parser = this.#parser;
    const token = parser.token;
    if (token.text === ",") return parser.report(say.extraComma(parser.span(parser.take())));
    if (parser.atStray()) {
      parser.failStray();
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
