// Groups of brackets: entering and leaving them, also where brackets are missing, wrong or too many.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/syntax.js";
import { closerOf, isCloser, isOpener } from "./bracket.js";
import { Cursor, type Group } from "./cursor.js";
import type { Token } from "./token.js";

/** More than this is no slip in a heading. */
const MAX_SUPERFLUOUS = 5;

export class GroupCursor extends Cursor {
  /** At an opening bracket of any kind, whose content could be read. */
  atOpener(): boolean {
    return !this.atEnd && isOpener(this.token.text) && (this.partners[this.index] ?? -1) > this.index;
  }

  /** At the arguments of a call: `(`, or another bracket directly after the name that ends with `)`. */
  atCall(): boolean {
    if (!this.atOpener()) return this.token.kind === "string" && this.token.start === this.previous.end;
    if (this.at("(")) return true;
    return this.token.start === this.previous.end && this.closerText() === ")";
  }

  /** A closing bracket later on this line pairs with nothing, so an opening one may be missing here. */
  missesOpener(opener: string): boolean {
    const stray = this.#findStrayCloser();
    return stray !== undefined && this.tokens[stray]?.text === closerOf(opener);
  }

  /** At an opening bracket: the bracket that closes its group. */
  closerText(): string | undefined {
    return this.tokens[this.partners[this.index] ?? -1]?.text;
  }

  /**
   * Takes the opening bracket. A wrong one is taken for it; where there is none, the content is read all the
   * same if `contentFollows`. Undefined when there is nothing to read.
   */
  openGroup(opener: string, contentFollows: boolean, example?: string): Group | undefined {
    const isPaired = !this.atEnd && (this.partners[this.index] ?? -1) > this.index;
    if (isPaired && this.token.text === opener) return this.#enter(opener);
    while (this.atStray() && isOpener(this.peek().text)) {
      this.report(say.strayBracket(this.span(this.token), this.token.text));
      this.take();
    }
    if (!this.atOpener()) this.skipDoubled();
    const { token } = this;
    if (this.atOpener() && (token.text === opener || !token.firstOnLine)) return this.#enter(opener);
    // A word before the bracket is too many; unless a closing bracket too many shows that it belongs inside.
    const isHeading = opener === "{" && this.peek().text === opener && !this.missesOpener(opener);
    if (contentFollows && !isHeading) {
      this.report(this.#missingOpener(opener));
      if (opener !== "{") this.doubt();
      return this.#enterMissing(opener);
    }
    return this.#failOpener(opener, example);
  }

  /** Says that there is no opening bracket; where one stands a few words further on, goes on there. */
  #failOpener(opener: string, example: string | undefined): Group | undefined {
    const distance = opener === "{" ? this.#distanceToOpener(opener) : 0;
    if (distance === 1) {
      this.fail(say.superfluous(this.span(this.token), this.describe(this.token)));
      // It may also be the name, and what was taken for the name too many.
      if (this.atWord()) this.missName();
    } else {
      const hint = opener === "{" ? `a block stands in braces: \`{ ${example ?? "…"} }\`` : undefined;
      this.reportExpected(`\`${opener}\``, hint === undefined ? {} : { hint });
    }
    this.moveTo(this.index + distance, this.limit);
    return distance > 0 && this.atOpener() ? this.#enter(opener) : undefined;
  }

  /** How many tokens too many stand before the bracket, on the same line; 0 when there is none. */
  #distanceToOpener(opener: string): number {
    for (let distance = 0; distance < MAX_SUPERFLUOUS; distance++) {
      const token = this.peek(distance);
      if (token.firstOnLine || token.kind === "end") return 0;
      if (token.text === opener && token.kind === "symbol") return distance;
    }
    return 0;
  }

  #missingOpener(opener: string): Diagnostic {
    const { token } = this;
    const here = token.firstOnLine ? this.spanHere() : this.span(token);
    const hint = opener === "{" ? { hint: "what follows stands in braces: `{ … }`" } : {};
    return say.expected(here, `\`${opener}\``, this.describe(token), { insert: opener, ...hint });
  }

  #enter(opener: string): Group {
    const open = this.token;
    const repair = this.nests ? undefined : this.repairs.get(open);
    const isWrong = repair !== undefined || open.text !== opener;
    if (repair?.kind === "inserted") this.report(this.#missingOpener(opener));
    else if (isWrong) this.report(say.wrongSymbol(this.span(open), this.written(open), opener));
    if (isWrong && opener !== "{") this.doubt();
    const end = this.partners[this.index] ?? -1;
    return this.#push(this.index + 1, { open, opener, end, isReported: isWrong, isClosed: true });
  }

  /** Into a group, whose content begins at `index`. */
  #push(index: number, group: Group): Group {
    this.groups.push(group);
    this.moveTo(index, group.end);
    return group;
  }

  /** The opening bracket is missing: its closing one pairs with nothing, or is missing as well. */
  #enterMissing(opener: string): Group {
    const open = this.previous;
    const stray = this.#findStrayCloser();
    const end = stray === undefined ? this.#endOfContent() : this.#pairAgain(stray);
    return this.#push(this.index, { open, opener, end, isReported: true, isClosed: stray !== undefined });
  }

  /** On the same line, after the cursor. */
  #findStrayCloser(): number | undefined {
    if (!this.hasStrays) return undefined;
    for (let index = this.index; index < this.tokens.length - 1; index++) {
      const token = this.tokens[index] as Token;
      if (token.firstOnLine && index > this.index) return undefined;
      if (this.isStray(index) && isCloser(token.text)) return index;
    }
    return undefined;
  }

  /**
   * Pairs the brackets from the cursor on as if an opening one stood here and the stray one closed something.
   * Groups that are open already may end later than before. Gives the end of the new group.
   */
  #pairAgain(stray: number): number {
    const open: number[] = [];
    const outer = [...this.groups];
    let end: number | undefined;
    for (let index = this.index; index < this.tokens.length - 1; index++) {
      const { kind, text } = this.tokens[index] as Token;
      if (kind !== "symbol") continue;
      if (isOpener(text) && this.partners[index] !== -1) open.push(index);
      if (!isCloser(text) || (this.isStray(index) && index !== stray)) continue;
      const opener = open.pop();
      if (opener !== undefined) this.#setPartners(opener, index);
      else if (end === undefined) end = index;
      else {
        const group = outer.pop();
        if (group) group.end = index;
      }
      const next = outer.at(-1)?.end ?? this.tokens.length;
      if (index >= stray && open.length === 0 && end !== undefined && next > index) break;
    }
    this.#setPartners(stray, this.partners[stray] === -1 ? stray : (this.partners[stray] ?? stray));
    return end ?? stray;
  }

  #setPartners(one: number, other: number): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      this.repaired.push([from, this.partners[from] ?? -1]);
      this.partners[from] = to;
    }
  }

  /** Content without brackets ends with its line; content on lines of its own, where they are less indented. */
  #endOfContent(): number {
    const isOwnLines = this.token.firstOnLine;
    const indent = this.#indentBefore(this.index);
    for (let index = this.index + 1; index < this.limit; index++) {
      const token = this.tokens[index] as Token;
      if (token.firstOnLine && (!isOwnLines || token.column <= indent)) return index;
    }
    return this.limit;
  }

  /** At the first token of a line that is indented more than the line before. */
  isDeeper(): boolean {
    return this.token.firstOnLine && this.token.column > this.#indentBefore(this.index);
  }

  /** Indentation of the line before the token at `index`. */
  #indentBefore(index: number): number {
    for (let at = index - 1; at >= 0; at--) {
      const token = this.tokens[at];
      if (token?.firstOnLine) return token.column;
    }
    return 0;
  }

  /** Leaves the group and takes its closing bracket, which is returned if it is a real one. */
  closeGroup(group: Group, expected?: string): Token | undefined {
    if (!this.atEnd && !this.atStray()) this.skipDoubled();
    const isRead = this.atEnd;
    if (!isRead) {
      this.reportExpected(expected ?? `\`${closerOf(group.opener)}\``);
      while (!this.atEnd) this.skip();
    }
    this.groups.pop();
    const close = this.tokens[this.index] as Token;
    const next = group.isClosed ? this.index + 1 : this.index;
    this.moveTo(next, this.groups.at(-1)?.end ?? this.tokens.length - 1);
    if (!group.isClosed) return undefined;
    const isAsItShould = this.nests && !close.flawed && close.text === closerOf(group.opener);
    if (!isAsItShould) this.#checkCloser(group, close);
    if (isRead && group.opener === "{") this.resume();
    return this.nests || !this.repairs.has(close) ? close : undefined;
  }

  #checkCloser({ open, opener, isReported }: Group, close: Token): void {
    const wanted = closerOf(opener);
    const repair = this.repairs.get(close);
    const isWrong = close.text !== wanted && !isReported;
    if (repair?.kind === "inserted") this.report(say.unclosed(this.span(open), opener, this.span(close)));
    else if (repair || isWrong) {
      this.report(say.wrongSymbol(this.span(close), this.written(close), wanted));
    }
    // On one line, the bracket may be missing anywhere after the opening one.
    const isInline = repair?.kind === "inserted" && open.line === close.line;
    if (isInline) this.damage.unreadable.push({ ...this.span(open), end: close.end });
    if (close.flawed || (opener !== "{" && (repair || isWrong))) this.damageItem();
  }
}
