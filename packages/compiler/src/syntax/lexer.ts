// Text → tokens and comments. Total: any text gives tokens; what is wrong becomes a diagnostic and is left out.

import type { Diagnostic, Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/syntax.js";
import type { Comment, DocComment, Token, TokenKind } from "./token.js";

export interface LexResult {
  readonly tokens: readonly Token[];
  /** Those tokens that have a doc comment. */
  readonly documented: readonly Token[];
  readonly comments: readonly Comment[];
  readonly diagnostics: readonly Diagnostic[];
}

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const BOM = 0xfeff;
const LAST_ASCII = 127;

const SYMBOLS = new Set([
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  ",",
  ":",
  ".",
  "*",
  "+",
  "-",
  "/",
  "%",
  "<",
  ">",
  "@",
]);
const FOREIGN = ["===", "!==", "==", "!=", "&&", "||", "=>", "=<", "<>", "??", "=", "!", "?", ";", "|", "&"];

export function lex(file: string, text: string): LexResult {
  const lexer = new Lexer(file, text);
  return lexer.run();
}

function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** By character code: most characters of a source are looked up here. */
function tableOf(test: (code: number) => boolean): readonly boolean[] {
  return Array.from({ length: LAST_ASCII + 1 }, (_, code) => test(code));
}

const WORD_STARTS = tableOf(isWordStart);
const WORD_PARTS = tableOf((code) => isWordStart(code) || isDigit(code));
/** Symbols that are never part of a longer one, nor begin a comment. */
const SINGLES = tableOf(
  (code) => SYMBOLS.has(String.fromCharCode(code)) && !"/<>".includes(String.fromCharCode(code)),
);

function isWordPart(code: number): boolean {
  return WORD_PARTS[code] === true;
}

/** Text holds no U+0000 and no halves of surrogate pairs. */
function isTextCodePoint(code: number): boolean {
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

const FOREIGN_QUOTE = /[“”„‟«»‘’‚`]/u;

/** Longer texts in foreign quotes are hardly meant as one. */
const MAX_FOREIGN_TEXT = 300;

/** Owns the cursor over one text. */
class Lexer {
  readonly #file: string;
  readonly #text: string;
  readonly #tokens: Token[] = [];
  readonly #documented: Token[] = [];
  readonly #comments: Comment[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  #at = 0;
  #line = 0;
  #lineStart = 0;
  #freshLine = true;
  /** The next token has a flaw. */
  #flawed = false;
  #flawedLine = -1;
  #doc: DocComment | undefined;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  run(): LexResult {
    const text = this.#text;
    for (let at = 0; at < text.length; at = this.#at) {
      let code = text.charCodeAt(at);
      while (code === SPACE) code = text.charCodeAt(++at);
      this.#at = at;
      if (WORD_STARTS[code]) this.#word();
      else if (SINGLES[code]) this.#push("symbol", at, at + 1);
      else if (code === NEWLINE) this.#newLine();
      else if (code === TAB || code === RETURN || code === BOM) this.#at++;
      else if (at < text.length) this.#next(code);
    }
    this.#push("end", text.length, text.length);
    return {
      tokens: this.#tokens,
      documented: this.#documented,
      comments: this.#comments,
      diagnostics: this.#diagnostics,
    };
  }

  #newLine(): void {
    this.#at++;
    this.#line++;
    this.#lineStart = this.#at;
    this.#freshLine = true;
  }

  /** All but blanks and words. */
  #next(code: number): void {
    if (isDigit(code)) return this.#number();
    const char = this.#text[this.#at] ?? "";
    if (char === '"' || char === "'") return this.#string(char);
    if (char === "/" && this.#text[this.#at + 1] === "/") return this.#lineComment();
    if (char === "/" && this.#text[this.#at + 1] === "*") return this.#blockComment();
    if (SYMBOLS.has(char)) return this.#symbol(char);
    if (char === "#" && this.#freshLine) return this.#hashComment();
    if (FOREIGN_QUOTE.test(char)) return this.#foreignString();
    if (code > LAST_ASCII && this.#isLetterAt(this.#at)) return this.#foreignWord();
    return this.#symbol(char);
  }

  #push(kind: TokenKind, start: number, end: number): void {
    const token: Token = {
      kind,
      text: this.#text.slice(start, end),
      start,
      end,
      line: this.#line,
      column: start - this.#lineStart,
      firstOnLine: this.#freshLine,
      flawed: this.#flawed || this.#line === this.#flawedLine,
      doc: this.#doc,
    };
    this.#tokens.push(token);
    if (this.#doc) this.#documented.push(token);
    this.#freshLine = false;
    this.#flawed = false;
    this.#doc = undefined;
    this.#at = end;
  }

  /** Reports something that makes the next token unreliable. */
  #complain(diagnostic: Diagnostic): void {
    this.#diagnostics.push(diagnostic);
    this.#flawed = true;
  }

  #span(start: number, end: number): Span {
    return { file: this.#file, start, end };
  }

  #scanWord(from: number): number {
    const text = this.#text;
    let end = from;
    while (WORD_PARTS[text.charCodeAt(end)]) end++;
    return end;
  }

  #word(): void {
    const end = this.#scanWord(this.#at);
    if (this.#text.charCodeAt(end) > LAST_ASCII && this.#isLetterAt(end)) return this.#foreignWord();
    this.#push("word", this.#at, end);
  }

  #isLetterAt(at: number): boolean {
    return /^[\p{L}\p{M}]/u.test(this.#text.slice(at, at + 2));
  }

  /** A word with letters that names cannot have: reported, and read as one word all the same. */
  #foreignWord(): void {
    const start = this.#at;
    const word = /[\p{L}\p{M}\w]+/uy;
    word.lastIndex = start;
    const text = word.exec(this.#text)?.[0] ?? "";
    this.#complain(say.invalidWord(this.#span(start, start + text.length), text));
    this.#push("word", start, start + text.length);
  }

  #number(): void {
    const start = this.#at;
    let end = this.#scanWord(start);
    let kind: TokenKind = "integer";
    if (this.#text[end] === "." && isDigit(this.#text.charCodeAt(end + 1))) {
      kind = "float";
      end = this.#scanWord(end + 1);
    }
    const text = this.#text.slice(start, end);
    if (!/^\d+(_\d+)*(\.\d+(_\d+)*)?$/.test(text)) {
      this.#complain(say.invalidNumber(this.#span(start, end), text));
    }
    this.#push(kind, start, end);
  }

  #string(quote: string): void {
    const start = this.#at;
    const end = this.#endOfString(start + 1, quote);
    const isClosed = this.#text[end] === quote;
    if (isClosed && !this.#isAdrift(start, end, quote)) {
      this.#checkEscapes(start, end);
      return this.#push("string", start, end + 1);
    }
    if (this.#isAfterWord(start)) return this.#openLate(start, quote);
    const line = this.#text.slice(start, isClosed ? end : Math.min(end, this.#text.length));
    const length = Math.max(1, (isClosed ? firstPart(line) : line.replace(TRAILING_CODE, "")).length);
    this.#checkEscapes(start, start + length);
    this.#complain(say.unterminatedString(this.#span(start, start + length), quote));
    this.#flawLine();
    this.#push("string", start, start + length);
  }

  /** Index of the closing quote, or of the end of the line. */
  #endOfString(from: number, quote: string): number {
    let end = from;
    while (end < this.#text.length && this.#text[end] !== quote && this.#text[end] !== "\n") {
      end += this.#text[end] === "\\" && this.#text[end + 1] !== "\n" ? 2 : 1;
    }
    return end;
  }

  /**
   * `["a, "b"]`: a quote is missing on the line, and this string meets a word, which no string does; so it is
   * the one that went astray.
   */
  #isAdrift(start: number, end: number, quote: string): boolean {
    const meetsWord = isWordPart(this.#text.charCodeAt(end + 1)) || this.#isAfterWord(start);
    if (!meetsWord && !/[@"']/.test(this.#text[end + 1] ?? "")) return false;
    let isOpen = false;
    let at = end + 1;
    for (; at < this.#text.length && this.#text[at] !== "\n"; at++) {
      if (isOpen && this.#text[at] === "\\") at++;
      else if (this.#text[at] === quote) isOpen = !isOpen;
      else if (!isOpen && this.#text.startsWith("//", at)) break;
    }
    return isOpen;
  }

  #isAfterWord(start: number): boolean {
    return start > 0 && isWordPart(this.#text.charCodeAt(start - 1));
  }

  /** The quote at the cursor closes a text that was never opened: what stands directly before it. */
  #openLate(quoteAt: number, quote: string): void {
    let start = quoteAt;
    while (start > this.#lineStart && !/[\s{}()[\],:"']/.test(this.#text[start - 1] ?? "")) start--;
    while ((this.#tokens.at(-1)?.start ?? -1) >= start) this.#tokens.pop();
    this.#complain(say.unopenedString(this.#span(start, quoteAt + 1), quote));
    this.#flawLine();
    this.#push("string", start, quoteAt + 1);
  }

  /** What stands on this line cannot be trusted: it may be text that is read as code, or the reverse. */
  #flawLine(): void {
    this.#flawedLine = this.#line;
    for (let index = this.#tokens.length - 1; index >= 0; index--) {
      const token = this.#tokens[index];
      if (token?.line !== this.#line) return;
      this.#tokens[index] = { ...token, flawed: true };
    }
  }

  #checkEscapes(start: number, end: number): void {
    for (let at = start + 1; at < end; at++) {
      if (this.#text[at] !== "\\") continue;
      this.#checkEscape(at);
      at++;
    }
  }

  #checkEscape(at: number): void {
    const rest = this.#text.slice(at, at + 12);
    if (/^\\[ntr\\"']/.test(rest)) return;
    const unicode = /^\\u\{([0-9a-fA-F]{1,6})\}/.exec(rest);
    if (unicode && isTextCodePoint(Number.parseInt(unicode[1] ?? "", 16))) return;
    const length = /^\\u\{[^}\n"']*\}?/.exec(rest)?.[0].length ?? Math.min(2, rest.length);
    this.#diagnostics.push(say.invalidEscape(this.#span(at, at + length), rest.slice(0, length)));
  }

  #lineComment(): void {
    const start = this.#at;
    const newline = this.#text.indexOf("\n", start);
    const end = newline < 0 ? this.#text.length : newline;
    const text = this.#text.slice(start, end).trimEnd();
    const isDoc = text.startsWith("///") && !text.startsWith("////");
    if (isDoc) this.#addDoc(text, start);
    this.#addComment(text, start, this.#line);
    this.#at = end;
  }

  #addDoc(text: string, start: number): void {
    const line = text.slice(3).replace(/^ /, "");
    const span = this.#span(start, start + text.length);
    this.#doc = this.#doc
      ? { text: `${this.#doc.text}\n${line}`, span: { ...this.#doc.span, end: span.end } }
      : { text: line, span };
  }

  #addComment(text: string, start: number, line: number): void {
    this.#comments.push({ text, start, end: start + text.length, line, firstOnLine: this.#freshLine });
  }

  #blockComment(): void {
    const start = this.#at;
    const startLine = this.#line;
    const end = this.#endOfComment(start);
    if (end < 0) this.#complain(say.unterminatedComment(this.#span(start, start + 2)));
    const stop = end < 0 ? this.#text.length : end;
    this.#addComment(this.#text.slice(start, stop), start, startLine);
    while (this.#at < stop) {
      if (this.#text.charCodeAt(this.#at) === NEWLINE) this.#newLine();
      else this.#at++;
    }
  }

  /** Past the closing sign; -1 when there is none. A comment within is reported, and taken as part of it. */
  #endOfComment(start: number): number {
    const close = this.#text.indexOf("*/", start + 2);
    if (close < 0) return -1;
    const inner = this.#text.indexOf("/*", start + 2);
    const outerClose = this.#text.indexOf("*/", close + 2);
    if (inner < 0 || inner > close || outerClose < 0) return close + 2;
    // Comments do not nest, and what follows is code again; but in code nothing ends with this sign.
    if (/["']|\/\/|\/\*/.test(this.#text.slice(close + 2, outerClose))) return close + 2;
    this.#diagnostics.push(say.nestedComment(this.#span(inner, inner + 2)));
    return outerClose + 2;
  }

  /** `# …` at the start of a line, as in scripts: a comment to the end of the line. */
  #hashComment(): void {
    this.#diagnostics.push(say.foreignComment(this.#span(this.#at, this.#at + 1), "#"));
    const newline = this.#text.indexOf("\n", this.#at);
    this.#at = newline < 0 ? this.#text.length : newline;
  }

  /** A text in quotes of another kind; without a closing one, just a strange character. */
  #foreignString(): void {
    const start = this.#at;
    const rest = /^.([^“”„‟«»‘’‚`"'\n]*)[“”„‟«»‘’‚`"']/u.exec(
      this.#text.slice(start, start + MAX_FOREIGN_TEXT),
    );
    if (!rest) return this.#strange(start);
    const end = start + rest[0].length;
    this.#diagnostics.push(say.foreignQuotes(this.#span(start, end), rest[1] ?? ""));
    this.#push("string", start, end);
  }

  #symbol(char: string): void {
    const start = this.#at;
    if ((char === "<" || char === ">") && this.#text[start + 1] === "=") {
      return this.#push("symbol", start, start + 2);
    }
    if (char === "<" && this.#text[start + 1] === ">") return this.#foreign(start);
    if (SYMBOLS.has(char)) return this.#push("symbol", start, start + 1);
    this.#foreign(start);
  }

  #foreign(start: number): void {
    const foreign = FOREIGN.find((operator) => this.#text.startsWith(operator, start));
    if (foreign) this.#push("foreign", start, start + foreign.length);
    else this.#strange(start);
  }

  /** Characters that belong to no token: one diagnostic for the whole run of them. */
  #strange(start: number): void {
    const run = /[^\s\w{}()[\],:.*+\-/%<>@"'=!&|?;]+/uy;
    run.lastIndex = start;
    const text = run.exec(this.#text)?.[0] ?? this.#text.slice(start, start + 1);
    this.#at = start + text.length;
    this.#complain(say.invalidCharacter(this.#span(start, this.#at), text));
  }
}

/** The line's closing brackets, and the one that opens a block, are more likely code than text. */
const TRAILING_CODE = /[\s,)\]}]*(?:\s\{)?\s*$/;

/** The beginning of a text up to what is more likely code: a bracket, a comma or an operator. */
function firstPart(text: string): string {
  const code = /[,(){}[\]]|\s(?:[-+*/%<>]|and|or|is|in)\s/.exec(text);
  return text.slice(0, code?.index).trimEnd();
}

/** The value of a string token. Escapes that are not known were reported by the lexer and stand for themselves. */
export function stringValue({ text }: Token): string {
  const isOpened = QUOTES.includes(text.charAt(0));
  const isClosed = QUOTES.includes(text.slice(-1)) && text.length > (isOpened ? 1 : 0);
  const inner = text.slice(isOpened ? 1 : 0, isClosed ? -1 : undefined);
  if (!inner.includes("\\")) return inner;
  return inner.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|(.))/g,
    (whole, hex: string | undefined, char: string) => {
      if (hex === undefined) return ESCAPES[char] ?? whole;
      const code = Number.parseInt(hex, 16);
      return isTextCodePoint(code) ? String.fromCodePoint(code) : whole;
    },
  );
}

const QUOTES = "\"'“”„‟«»‘’‚`";

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  '"': '"',
  "'": "'",
};
