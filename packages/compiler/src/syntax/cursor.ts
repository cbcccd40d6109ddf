// The cursor over the tokens of one file. It never leaves the group of brackets it is in by accident: at the end
// of a group nothing more can be taken. It also decides what is said about mistakes: after one that could not
// be mended, the rest of the same item is read in silence.

import type { Damage } from "../diagnostics/damage.js";
import type { Diagnostic, Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/syntax.js";
import type { Balanced, Repair } from "./balance.js";
import { isCloser, isOpener } from "./bracket.js";
import type { Token } from "./token.js";

/** What stands between a pair of brackets, while it is read. */
export interface Group {
  /** The opening bracket; where it is missing, the token before the content. */
  readonly open: Token;
  /** The opening bracket as it should be. */
  readonly opener: string;
  /** The brackets have been reported. */
  readonly isReported: boolean;
  /** Index of the closing bracket; where it is missing, of the first token after the content. */
  end: number;
  readonly isClosed: boolean;
}

/** One property, select item or the like, while it is read. */
interface Item {
  readonly start: Token;
  readonly outer: Item | undefined;
  isDamaged: boolean;
  /** Its block has begun; the items in there answer for themselves. */
  isCut: boolean;
}

export class Cursor {
  readonly file: string;
  readonly diagnostics: Diagnostic[] = [];
  readonly damage = { unreadable: [] as Span[], nameless: [] as Span[] } satisfies Damage;
  /** Shared with others, until `readAs` makes a copy. */
  protected tokens: Token[];
  protected readonly partners: Int32Array;
  protected readonly nests: boolean;
  protected readonly hasStrays: boolean;
  protected readonly repairs: ReadonlyMap<Token, Repair>;
  protected readonly groups: Group[] = [];
  // Kept up to date by `moveTo` and `take`, because they are asked for far more often.
  /** The token at the cursor. */
  token: Token;
  /** The last token taken; the first one before anything was. */
  previous: Token;
  /** At the end of the innermost group, or of the file. */
  atEnd: boolean;
  protected index = 0;
  /** Tokens that another one is read for. */
  readonly #replaced: (readonly [index: number, token: Token])[] = [];
  /** Nothing from here on can be taken: the end of the innermost group. */
  protected limit: number;
  /** What stands there. */
  #end: Token;
  /** Partners that were changed while parsing, with what they were before. */
  protected readonly repaired: (readonly [index: number, partner: number])[] = [];
  #isQuiet = false;
  #item: Item | undefined;
  /** The first token of the item that ended last, and the place where it ended. */
  #lastStart: Token | undefined;
  #lastEnd = 0;

  constructor(file: string, { tokens, partners, nests, hasStrays, repairs }: Balanced) {
    this.file = file;
    this.tokens = tokens as Token[];
    this.partners = partners;
    this.nests = nests;
    this.hasStrays = hasStrays;
    this.repairs = repairs;
    this.limit = tokens.length - 1;
    this.#end = tokens[this.limit] as Token;
    this.token = tokens[0] as Token;
    this.previous = this.token;
    this.atEnd = this.limit === 0;
  }

  // ---------------------------------------------------------------- tokens

  #findEnd(): Token {
    if (this.groups.at(-1)?.isClosed ?? true) return this.tokens[this.limit] as Token;
    return endAfter(this.tokens[this.limit - 1] as Token);
  }

  /** Puts the cursor before a token, in the innermost group, which ends at `limit`. */
  protected moveTo(index: number, limit: number): void {
    this.index = index;
    this.limit = limit;
    this.#end = this.#findEnd();
    this.atEnd = index >= limit;
    this.token = this.atEnd ? this.#end : (this.tokens[index] as Token);
    this.previous = this.tokens[index > 0 ? index - 1 : 0] as Token;
  }

  /** Grows with every token that is taken. */
  get position(): number {
    return this.index;
  }

  /** Reads another token in place of the one at the cursor. */
  readAs(token: Token): void {
    if (this.#replaced.length === 0) this.tokens = [...this.tokens];
    this.#replaced.push([this.index, this.token]);
    this.tokens[this.index] = token;
    this.moveTo(this.index, this.limit);
  }

  peek(distance = 1): Token {
    const index = this.index + distance;
    return index < this.limit ? (this.tokens[index] as Token) : this.#end;
  }

  take(): Token {
    const { token, limit } = this;
    const next = this.index + 1;
    if (next > limit) return token;
    this.index = next;
    this.atEnd = next === limit;
    this.token = this.atEnd ? this.#end : (this.tokens[next] as Token);
    this.previous = token;
    if (token.flawed) this.damageItem();
    return token;
  }

  at(text: string): boolean {
    const { token } = this;
    return token.text === text && token.kind !== "string";
  }

  atWord(): boolean {
    return this.token.kind === "word";
  }

  accept(text: string): boolean {
    const { token } = this;
    if (token.text !== text || token.kind === "string" || this.atEnd) return false;
    this.take();
    return true;
  }

  /** Skips one token, or a whole group. */
  skip(): void {
    const partner = this.partners[this.index] ?? -1;
    if (partner > this.index && partner < this.limit) this.moveTo(partner + 1, this.limit);
    else this.take();
  }

  /** Takes a word or sign that is written twice, where the second one cannot be read. */
  skipDoubled(): boolean {
    const { token, previous } = this;
    if (this.atEnd || token.text !== previous.text || token.firstOnLine || previous === token) return false;
    if (isOpener(token.text) || isCloser(token.text)) return false;
    this.report(say.doubled(this.span(token), token.text));
    this.take();
    return true;
  }

  // ---------------------------------------------------------------- places

  span(token: Token): Span {
    return { file: this.file, start: token.start, end: token.end };
  }

  /** From the token at the cursor to another one. */
  spanTo(last: Token): Span {
    return { file: this.file, start: this.token.start, end: last.end };
  }

  /** From a token to the last one taken. */
  spanFrom(start: Token): Span {
    const { end } = this.previous;
    if (end < start.end) return this.span(start);
    return { file: this.file, start: start.start, end };
  }

  /** The empty place after the last token taken. */
  spanHere(): Span {
    const end = this.previous.end;
    return { file: this.file, start: end, end };
  }

  // ---------------------------------------------------------------- mistakes

  /** Reports a mistake that is understood, so that reading goes on as if it had not been made. */
  report(diagnostic: Diagnostic): void {
    if (!this.#isQuiet && !this.token.flawed) this.diagnostics.push(diagnostic);
  }

  /** Reports a mistake that makes the rest of the item hard to read. */
  fail(diagnostic: Diagnostic): void {
    this.report(diagnostic);
    this.damageItem();
  }

  protected damageItem(): void {
    this.#isQuiet = true;
    this.doubt();
  }

  /** What went wrong inside a block ends with it. */
  protected resume(): void {
    this.#isQuiet = false;
  }

  /** What the item means is a guess; what later phases find wrong in it says nothing. */
  doubt(): void {
    if (this.#item && !this.#item.isCut) this.#item.isDamaged = true;
  }

  /** Fails because something is missing here. */
  reportExpected(what: string, details: say.ExpectedDetails = {}): void {
    const { token } = this;
    if (this.atStray()) return this.failStray();
    // A token on a later line is not to blame: the gap is at the end of what stands before it.
    const isElsewhere = token.firstOnLine || token.start === token.end;
    const here = isElsewhere ? this.spanHere() : this.span(token);
    this.fail(say.expected(here, what, this.describe(token), details));
  }

  /** At a bracket that pairs with nothing. */
  atStray(): boolean {
    return !this.nests && !this.atEnd && this.isStray(this.index);
  }

  protected isStray(index: number): boolean {
    const { kind, text } = this.tokens[index] as Token;
    return kind === "symbol" && this.partners[index] === -1 && (isOpener(text) || isCloser(text));
  }

  /** Fails because of a bracket that pairs with nothing. Of several in a row the last one looks odd. */
  failStray(): void {
    let last = this.token;
    for (let distance = 1; this.peek(distance).text === last.text; distance++) {
      if (this.peek(distance) === last || this.peek(distance).line !== last.line) break;
      last = this.peek(distance);
    }
    this.fail(say.strayBracket(this.span(last), last.text));
  }

  /** A token as a person would call it. */
  describe(token: Token): string {
    if (token.kind === "end") return "the end of the file";
    if (token.kind === "string") return `the text ${token.text}`;
    if (token.kind === "integer" || token.kind === "float") return `the number ${token.text}`;
    return `\`${this.written(token)}\``;
  }

  /** The text as it stands in the source, also where the token is read as another one. */
  protected written(token: Token): string {
    const repair = this.repairs.get(token);
    return repair?.kind === "turned" ? repair.from : token.text;
  }

  /** Begins an item. One that begins well is read with fresh ears; otherwise an earlier mistake may go on. */
  startItem(isFresh: boolean): void {
    const { token } = this;
    if (isFresh || token.firstOnLine) this.#isQuiet = false;
    this.#item = { start: token, outer: this.#item, isDamaged: false, isCut: false };
  }

  /** Ends the item; true when something in it could not be read. */
  endItem(): boolean {
    const item = this.#item;
    if (!item) return false;
    const { isDamaged } = item;
    if (isDamaged) this.#endDamage();
    this.#lastStart = item.start;
    this.#lastEnd = this.previous.end;
    this.#item = item.outer;
    return isDamaged;
  }

  /** The item that has just ended may not have ended here. */
  doubtPrevious(): void {
    const start = this.#lastStart;
    if (!start) return;
    const end = Math.max(start.end, this.#lastEnd);
    this.damage.unreadable.push({ file: this.file, start: start.start, end });
  }

  /** What was damaged so far does not spread to the rest of the item: its block is read on its own. */
  cutItem(): void {
    const item = this.#item;
    if (!item) return;
    if (item.isDamaged) this.#endDamage();
    item.isCut = true;
  }

  #endDamage(): void {
    const item = this.#item;
    if (item?.isDamaged) this.damage.unreadable.push(this.spanFrom(item.start));
    if (item) item.isDamaged = false;
  }

  /** The name of something is missing: all of the block that it stands in may use it. */
  missName(): void {
    const group = this.groups.at(-1);
    const start = group?.open.start ?? 0;
    const end = this.tokens[this.limit]?.end ?? start;
    this.damage.nameless.push({ file: this.file, start, end });
  }

  // ---------------------------------------------------------------- trials

  /** Everything that a parse function changes, to be put back. */
  protected mark(): () => void {
    const [index, limit, isQuiet, item] = [this.index, this.limit, this.#isQuiet, this.#item];
    const replaced = this.#replaced.length;
    const { isDamaged, isCut } = item ?? { isDamaged: false, isCut: false };
    const ends = this.groups.map((group) => ({ group, end: group.end }));
    const { diagnostics } = this;
    const { unreadable, nameless } = this.damage;
    const lengths = [diagnostics.length, unreadable.length, nameless.length] as const;
    const repaired = this.repaired.length;
    return () => {
      [this.#isQuiet, this.#item] = [isQuiet, item];
      for (const [at, token] of this.#replaced.splice(replaced).reverse()) this.tokens[at] = token;
      if (item) Object.assign(item, { isDamaged, isCut });
      this.groups.length = 0;
      for (const { group, end } of ends) {
        group.end = end;
        this.groups.push(group);
      }
      [diagnostics.length, unreadable.length, nameless.length] = lengths;
      for (const [at, partner] of this.repaired.splice(repaired).reverse()) this.partners[at] = partner;
      this.moveTo(index, limit);
    };
  }
}

/** The end of a group that has no closing bracket. */
function endAfter({ end, line, column }: Token): Token {
  return {
    kind: "end",
    text: "",
    start: end,
    end,
    line,
    column,
    firstOnLine: false,
    flawed: false,
    doc: undefined,
  };
}
