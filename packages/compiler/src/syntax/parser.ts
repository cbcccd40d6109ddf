// The cursor over the tokens of one file, and the small steps that all parse functions are made of.
// Nothing here throws: what is missing is reported once, and parsing goes on as if it were there.

import type { Diagnostic, Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/syntax.js";
import { nearest } from "../diagnostics/suggest.js";
import { stringValue } from "./lexer.js";
import type { Token } from "./token.js";
import type { Name, Path, Text } from "./tree.js";

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

export class Parser {
  readonly file: string;
  readonly diagnostics: Diagnostic[] = [];
  readonly layouts: Layout[] = [];
  /** Minus signs of a single value, which the formatter tells from subtractions. */
  readonly signs: Token[] = [];
  readonly suspects: ReadonlySet<Token>;
  /** Property words of the blocks around the cursor, innermost last. */
  readonly keywords: ReadonlySet<string>[] = [];
  readonly #tokens: readonly Token[];
  #index = 0;
  /** Where the last syntax error stood: a second one at the same place says nothing new. */
  #lastError = -1;
  #depth = 0;
  #tooDeep = false;

  constructor(file: string, tokens: readonly Token[], suspects: ReadonlySet<Token>) {
    this.file = file;
    this.#tokens = tokens;
    this.suspects = suspects;
  }

  get token(): Token {
    return this.#tokens[this.#index] ?? this.#end;
  }

  get #end(): Token {
    return this.#tokens.at(-1) as Token;
  }

  /** The last token taken; the first one before anything was. */
  get previous(): Token {
    return this.#tokens[Math.max(0, this.#index - 1)] ?? this.#end;
  }

  peek(distance = 1): Token {
    return this.#tokens[this.#index + distance] ?? this.#end;
  }

  take(): Token {
    const token = this.token;
    if (token.kind !== "end") this.#index++;
    return token;
  }

  at(text: string): boolean {
    const token = this.token;
    return token.text === text && token.kind !== "string";
  }

  atWord(): boolean {
    return this.token.kind === "word";
  }

  atEnd(): boolean {
    return this.token.kind === "end";
  }

  accept(text: string): boolean {
    if (!this.at(text)) return false;
    this.take();
    return true;
  }

  span(token: Token): Span {
    return { file: this.file, start: token.start, end: token.end };
  }

  /** From a token to the last one taken. */
  spanFrom(start: Token): Span {
    return { file: this.file, start: start.start, end: Math.max(start.end, this.previous.end) };
  }

  /** The empty place after the last token taken. */
  spanHere(): Span {
    const end = this.previous.end;
    return { file: this.file, start: end, end };
  }

  report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
  }

  /** Reports that something is missing here; a second report at the same place is dropped. */
  reportExpected(what: string, insert?: string): void {
    if (this.#lastError === this.#index) return;
    this.#lastError = this.#index;
    // A token on a later line is not to blame: the gap is at the end of what stands before it.
    const here = this.token.firstOnLine || this.atEnd() ? this.spanHere() : this.span(this.token);
    this.report(say.expected(here, what, describe(this.token), insert));
  }

  /** Whether the present place has been reported already. */
  get isReported(): boolean {
    return this.#lastError === this.#index;
  }

  expectSymbol(symbol: string): boolean {
    if (this.accept(symbol)) return true;
    this.reportExpected(`\`${symbol}\``, symbol);
    return false;
  }

  /** Takes a fixed word such as `endpoint`; a misspelt one is taken for it. */
  expectWord(word: string): boolean {
    if (this.accept(word)) return true;
    if (this.atWord() && nearest(this.token.text, [word])) {
      this.reportMisspelt(this.take(), word);
      return true;
    }
    this.reportExpected(`\`${word}\``, word);
    return false;
  }

  /** Takes one of several words, for instance `one` or `many`; undefined when there is none. */
  expectOneOf<Word extends string>(words: readonly Word[]): Word | undefined {
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
    this.reportExpected(say.alternatives(words));
    if (this.atWord() && !this.token.firstOnLine && !this.isKeyword(this.token)) this.take();
    return undefined;
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
      if (RESERVED.has(token.text)) this.report(say.reservedName(this.span(token), token.text));
      return { text: token.text, span: this.span(token) };
    }
    if (token.kind === "string" && /^[A-Za-z_]\w*$/.test(stringValue(token))) {
      this.take();
      const text = stringValue(token);
      this.report(say.quotedName(this.span(token), what, text));
      return { text, span: this.span(token) };
    }
    this.reportExpected(what);
    if (token.kind === "integer" || token.kind === "float" || token.kind === "string") this.take();
    return { text: "", span: this.spanHere() };
  }

  /** A name that is the whole value of its property, `to Author`: a property word after it is not taken for it. */
  valueName(what: string): Name {
    if (!this.#isNextProperty(this.token)) return this.name(what);
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

  path(what: string): Path {
    const start = this.token;
    const names = [this.valueName(what)];
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
    if (this.accept("as")) return this.name("a name after `as`");
    const token = this.token;
    if (!this.atWord() || token.firstOnLine || this.isKeyword(token)) return undefined;
    // A word that can only be a slip for `as`, or the alias itself without `as`.
    const followedByName = this.peek().kind === "word" && !this.peek().firstOnLine;
    if (followedByName) {
      this.reportMisspelt(this.take(), "as");
      return this.name("a name after `as`");
    }
    if (this.peek().text !== "{") return undefined;
    this.reportExpected("`as` before the alias", "as ");
    return this.name("a name");
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

  layout(layout: Layout): void {
    this.layouts.push(layout);
  }

  /** Skips one token, or a whole `{ … }` group. */
  skipGroup(): void {
    let depth = 0;
    do {
      const token = this.take();
      if (token.kind === "symbol" && token.text === "{") depth++;
      if (token.kind === "symbol" && token.text === "}") depth--;
    } while (depth > 0 && !this.atEnd());
  }

  /** Runs a parse function one level deeper; past the limit it reports once and skips instead. */
  nested<Result>(parse: () => Result): Result | undefined {
    if (this.#depth >= MAX_DEPTH) {
      if (!this.#tooDeep) this.report(say.tooDeep(this.span(this.token)));
      this.#tooDeep = true;
      this.skipGroup();
      return undefined;
    }
    this.#depth++;
    const result = parse();
    this.#depth--;
    return result;
  }
}

const MAX_DEPTH = 100;

/** A token as a person would call it. */
export function describe(token: Token): string {
  if (token.kind === "end") return "the end of the file";
  if (token.kind === "string") return `the text ${token.text}`;
  if (token.kind === "integer" || token.kind === "float") return `the number ${token.text}`;
  return `\`${token.text}\``;
}
