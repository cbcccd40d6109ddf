// The small steps that all parse functions are made of: words, names, texts, paths.
// Nothing here throws: what is missing is reported once, and parsing goes on as if it were there.

import * as say from "../diagnostics/messages/syntax.js";
import { nearest } from "../diagnostics/suggest.js";
import type { Balanced } from "./balance.js";
import { GroupCursor } from "./group-cursor.js";
import { stringValue } from "./lexer.js";
import type { Token } from "./token.js";
import { isMissing, type Name, type Path, type Text } from "./tree.js";

/** How the formatter lays out a bracketed group; recorded while parsing, where its meaning is known. */
export interface Layout {
  readonly open: Token;
  readonly close: Token;
  readonly style: LayoutStyle;
  /** First token of every item. */
  readonly items: readonly Token[];
}

/**
 * `lines`: items that stand on lines of their own. `properties`: on one line, with commas, when they fit;
 * otherwise one a line, without commas. `inline-commas`: the same, but the commas stay. `expression`: one value.
 */
export type LayoutStyle = "lines" | "properties" | "inline-commas" | "expression";

/** Words that expressions need for themselves; every other word may be a name. */
export const RESERVED: ReadonlySet<string> = new Set([
  "and",
  "or",
  "not",
  "is",
  "in",
  "true",
  "false",
  "null",
]);

/** Inside a value: no word there begins a property. */
export const NO_KEYWORDS: ReadonlySet<string> = new Set();

export class Parser extends GroupCursor {
  /** Only the formatter asks for layouts. */
  readonly keepsLayouts: boolean;
  readonly layouts: Layout[] = [];
  /** First tokens of items that have a doc comment. */
  readonly documented: Token[] = [];
  /** Minus signs of a single value, which the formatter tells from subtractions. */
  readonly signs: Token[] = [];
  /** Property words of the blocks around the cursor, innermost last. */
  readonly keywords: ReadonlySet<string>[] = [];
  #depth = 0;
  #tooDeep = false;
  #isTrying = false;

  constructor(file: string, balanced: Balanced, { keepsLayouts }: { readonly keepsLayouts: boolean }) {
    super(file, balanced);
    this.keepsLayouts = keepsLayouts;
  }

  /** At `word`, or a slip for it, directly before a bracket: no name or value stands there. */
  atWordBefore(bracket: string, word: string): boolean {
    const next = this.peek();
    if (!this.atWord() || next.text !== bracket || next.firstOnLine) return false;
    return this.at(word) || nearest(this.token.text, [word]) !== undefined;
  }

  /** Takes a fixed word such as `endpoint`; a misspelt one is taken for it. */
  expectWord(word: string): boolean {
    if (this.accept(word) || (this.peek().text === word && this.skipDoubled() && this.accept(word)))
      return true;
    if (this.atWord() && nearest(this.token.text, [word])) {
      this.reportMisspelt(this.take(), word);
      return true;
    }
    this.reportExpected(`\`${word}\``, { insert: `${word} ` });
    return false;
  }

  /** Takes one of several words, for instance `one` or `many`; undefined when there is none. */
  expectOneOf<Word extends string>(words: readonly Word[], hint?: string): Word | undefined {
    if (words.some((word) => this.peek().text === word)) this.skipDoubled();
    const exact = words.find((word) => this.at(word));
    if (exact) {
      this.take();
      return exact;
    }
    const meant = this.atWord() ? nearest(this.token.text, words) : undefined;
    if (meant) {
      this.reportMisspelt(this.take(), meant);
      return meant as Word;
    }
    this.reportExpected(say.alternatives(words), hint === undefined ? {} : { hint });
    if (this.atWord() && !this.token.firstOnLine && !this.isKeyword(this.token)) this.take();
    return undefined;
  }

  /** `type: string`, `unique = true`: property words are followed by their values directly. */
  takeSign({ isFlag }: { readonly isFlag?: boolean }, word: string): void {
    const sign = this.#oneOf(SIGNS);
    if (sign !== undefined) {
      this.report(say.signAfterWord(this.span(this.token), sign, word));
      this.take();
    }
    const isValue = (this.at("true") || this.at("false")) && !this.token.firstOnLine;
    if (!isFlag || !isValue) return;
    if (sign === undefined) this.report(say.flagValue(this.span(this.token), word, this.token.text));
    this.take();
  }

  /** The one of several texts that the token at the cursor has. */
  #oneOf(texts: readonly string[]): string | undefined {
    const { kind, text } = this.token;
    return kind !== "string" && kind !== "word" && texts.includes(text) ? text : undefined;
  }

  reportMisspelt(token: Token, word: string): void {
    this.report(say.misspelt(this.span(token), token.text, word));
  }

  isKeyword(token: Token): boolean {
    return token.kind === "word" && (this.keywords.at(-1)?.has(token.text) ?? false);
  }

  /** A name; when there is none, the empty one (after a report). */
  name(what: string): Name {
    const token = this.token;
    if (token.kind === "word") {
      this.take();
      if (this.#isHyphenated(token)) return this.#hyphenatedName(token);
      if (RESERVED.has(token.text)) {
        this.report(say.reservedName(this.span(token), token.text));
        this.doubt();
      }
      return { text: token.text, span: this.span(token) };
    }
    if (token.kind === "string" && this.#isQuotedName(token)) {
      this.take();
      const text = stringValue(token);
      this.report(say.quotedName(this.span(token), what, text));
      return { text, span: this.span(token) };
    }
    this.reportExpected(what);
    return { text: "", span: this.spanHere() };
  }

  /**
   * The name of a block, `field title {`. Of two words it cannot be told which is the name; unless the first
   * is the property word once more.
   */
  declaredName(what: string, keyword: string): Name {
    const second = this.peek();
    if (second.kind !== "word" || second.firstOnLine) return this.name(what);
    const third = this.peek(2);
    const isTwo = third.text === "{" && !third.firstOnLine;
    if (!this.atWord() || this.token.firstOnLine || !isTwo) return this.name(what);
    if (this.at(keyword)) {
      this.skipDoubled();
      return this.name(what);
    }
    this.fail(say.severalWords(this.spanTo(second), [this.token.text, second.text]));
    this.take();
    this.take();
    return { text: "", span: this.spanHere() };
  }

  /** `first-name`: tied together, where there is nothing to subtract. */
  #isHyphenated(word: Token): boolean {
    if (this.token.text !== "-" || this.token.start !== word.end) return false;
    const next = this.peek();
    return next.kind === "word" && next.start === this.token.end;
  }

  #hyphenatedName(first: Token): Name {
    const words = [first.text];
    let last = first;
    while (this.#isHyphenated(last)) {
      this.take();
      last = this.take();
      words.push(last.text);
    }
    const span = this.spanFrom(first);
    this.report(say.hyphenatedName(span, words));
    this.doubt();
    return { text: words.join("_"), span };
  }

  /** A name in quotes; a text that an operator follows is a value. */
  #isQuotedName(token: Token): boolean {
    const next = this.peek();
    const isOperand = next.kind === "symbol" && /^[-+*/%<>.]/.test(next.text);
    return /^[A-Za-z_]\w*$/.test(stringValue(token)) && !isOperand;
  }

  /** A name that is the whole value of its property, `to Author`: a property word after it is not taken for it. */
  valueName(what: string): Name {
    if (!this.#isNextProperty(this.token) || this.skipDoubled()) return this.name(what);
    this.reportExpected(what);
    return { text: "", span: this.spanHere() };
  }

  /** `from through author`: a property word followed by its value is the next property, not a name. */
  #isNextProperty(token: Token): boolean {
    if (!this.isKeyword(token)) return false;
    if (token.firstOnLine) return true;
    const next = this.peek();
    if (next.text === "as" || next.firstOnLine || this.isKeyword(next)) return false;
    return next.kind === "word" || next.kind === "string";
  }

  /** A name before an alias: in `entrypoint as post {` it is missing, while `entrypoint as {` has it. */
  nameBeforeAlias(what: string, keyword: string): Name {
    const next = this.peek();
    const isFollowed = next.kind === "word" && next.text !== "as" && !next.firstOnLine;
    if (this.at(keyword) && isFollowed && ["as", "{"].includes(this.peek(2).text)) this.skipDoubled();
    if (!this.#isAlias()) return this.name(what);
    this.reportExpected(what);
    return { text: "", span: this.spanHere() };
  }

  #isAlias(): boolean {
    if (!this.at("as")) return false;
    const next = this.peek();
    if (next.kind !== "word" || next.firstOnLine || this.isKeyword(next)) return false;
    const after = this.peek(2);
    return after.firstOnLine || after.kind === "end" || ["{", "}", ","].includes(after.text);
  }

  path(what: string): Path {
    const start = this.token;
    const names = [this.#isAlias() ? this.nameBeforeAlias(what, "") : this.valueName(what)];
    while (this.accept(".")) names.push(this.memberName());
    return { names, span: this.spanFrom(start) };
  }

  /** The word after a dot: any word at all. */
  memberName(): Name {
    const token = this.token;
    if (token.kind === "word" && token.line === this.previous.line) {
      this.take();
      return { text: token.text, span: this.span(token) };
    }
    this.reportExpected("a name after the `.`");
    return { text: "", span: this.spanHere() };
  }

  /** `as <name>`, when it is there. */
  alias(): Name | undefined {
    if (this.accept("as")) return this.#aliasName();
    if (!this.#atOddWord()) return undefined;
    if (this.skipDoubled()) return this.alias();
    // A word here can only be one too many, a slip for `as`, or the alias itself without `as`.
    const { token } = this;
    if (this.peek().text === "as") {
      this.report(say.superfluous(this.span(token), this.describe(token)));
      this.take();
      return this.alias();
    }
    const next = this.peek();
    if (next.kind === "word" && !next.firstOnLine && !this.isKeyword(next)) {
      this.reportMisspelt(this.take(), "as");
      return this.#aliasName();
    }
    this.report(say.missingWord(this.span(token), token.text, ["as"]));
    return this.#aliasName();
  }

  /** At a word of the same line that begins no property. */
  #atOddWord(): boolean {
    return this.atWord() && !this.token.firstOnLine && !this.isKeyword(this.token);
  }

  #aliasName(): Name {
    // `as as {` names something `as`; `as as person {` does not.
    if (this.at("as") && this.peek().kind === "word" && !this.peek().firstOnLine) this.skipDoubled();
    const name = this.name("a name after `as`");
    if (isMissing(name)) this.missName();
    return name;
  }

  text(what: string): Text {
    const token = this.token;
    if (token.kind === "string") {
      this.take();
      return { value: stringValue(token), span: this.span(token) };
    }
    if (token.kind === "word" && !token.firstOnLine && !this.isKeyword(token)) {
      this.take();
      this.report(say.unquotedText(this.span(token), what, token.text));
      return { value: token.text, span: this.span(token) };
    }
    this.reportExpected(what);
    return { value: "", span: this.spanHere() };
  }

  /** Takes a symbol, or one that was written in its place. */
  acceptInPlaceOf(symbol: string, others: readonly string[]): boolean {
    if (this.accept(symbol)) return true;
    const wrong = this.#oneOf(others);
    if (wrong === undefined || this.atEnd) return false;
    this.report(say.wrongSymbol(this.span(this.token), wrong, symbol));
    this.take();
    return true;
  }

  /** Takes what stands between two items; true when the next one can be expected to begin well. */
  separator(): boolean {
    if (this.token.kind === "word" || this.atEnd) return false;
    if (this.accept(",")) {
      while (this.at(",") && !this.atEnd) {
        this.report(say.extraComma(this.span(this.token)));
        this.take();
        this.doubt();
      }
      return true;
    }
    const wrong = this.#oneOf(WRONG_COMMAS);
    if (wrong === undefined) return false;
    const span = this.span(this.token);
    this.fail(wrong === ";" ? say.semicolon(span) : say.wrongSymbol(span, wrong, ","));
    this.take();
    return false;
  }

  /**
   * The best of several ways to read what follows: those with the fewest reports. While one is tried,
   * decisions within it are not: trials within trials would multiply.
   */
  best<Way>(ways: readonly Way[], parse: (way: Way) => void): readonly Way[] {
    if (ways.length <= 1 || this.#isTrying) return ways.slice(0, 1);
    const costs = ways.map((way) => this.#tryWay(() => parse(way)));
    const least = Math.min(...costs);
    return ways.filter((_, index) => costs[index] === least);
  }

  #tryWay(parse: () => void): number {
    const restore = this.mark();
    const { layouts, signs, keywords, documented } = this;
    const lengths = [layouts.length, signs.length, keywords.length, documented.length] as const;
    const before = this.diagnostics.length;
    const tooDeep = this.#tooDeep;
    this.#isTrying = true;
    parse();
    this.#isTrying = false;
    this.#tooDeep = tooDeep;
    const cost = this.diagnostics.length - before;
    [layouts.length, signs.length, keywords.length, documented.length] = lengths;
    restore();
    return cost;
  }

  /** Runs a parse function one level deeper; past the limit it reports once and skips instead. */
  nested<Result, Grammar = undefined>(
    parse: (parser: Parser, grammar: Grammar) => Result,
    grammar: Grammar,
  ): Result | undefined {
    if (this.#depth >= MAX_DEPTH) {
      if (!this.#tooDeep) this.fail(say.tooDeep(this.span(this.token)));
      this.#tooDeep = true;
      this.skip();
      return undefined;
    }
    this.#depth++;
    const result = parse(this, grammar);
    this.#depth--;
    return result;
  }
}

const MAX_DEPTH = 100;
/** What other languages write between a property and its value, and between items. */
const SIGNS = [":", "=", ":="];
const WRONG_COMMAS = [";", ".", "|"];
