// The small steps that all parse functions are made of: words, names, texts, paths.
// Nothing here throws: what is missing is reported once, and parsing goes on as if it were there.

import * as say from "../diagnostics/messages/syntax.js";
import { nearest } from "../diagnostics/suggest.js";
import { Cursor } from "./cursor.js";
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

export class Parser extends Cursor {
  readonly layouts: Layout[] = [];
  /** Minus signs of a single value, which the formatter tells from subtractions. */
  readonly signs: Token[] = [];
  /** Property words of the blocks around the cursor, innermost last. */
  readonly keywords: ReadonlySet<string>[] = [];
  #depth = 0;
  #tooDeep = false;

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

  /** Takes what stands between two items; true when there was something. */
  separator(): boolean {
    if (this.accept(",")) {
      while (this.at(",")) this.report(say.extraComma(this.span(this.take())));
      return true;
    }
    if (!this.at(";")) return false;
    this.report(say.semicolon(this.span(this.take())));
    return true;
  }

  layout(layout: Layout): void {
    this.layouts.push(layout);
  }

  /** Runs a parse function one level deeper; past the limit it reports once and skips instead. */
  nested<Result>(parse: () => Result): Result | undefined {
    if (this.#depth >= MAX_DEPTH) {
      if (!this.#tooDeep) this.report(say.tooDeep(this.span(this.token)));
      this.#tooDeep = true;
      this.skip();
      return undefined;
    }
    this.#depth++;
    const result = parse();
    this.#depth--;
    return result;
  }
}

const MAX_DEPTH = 100;
