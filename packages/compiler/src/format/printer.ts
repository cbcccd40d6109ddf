// Prints an outline. Every group is put on one line when it may be and fits; otherwise its items get lines
// of their own, and an item that is still too long is broken before its weakest operators.

import { type Measure, written } from "./measure.js";
import type { Group, Item, Operator, OperatorLevel, Outline } from "./outline.js";
import { isLineComment, type Piece } from "./pieces.js";

const WIDTH = 100;
const INDENT = "  ";

/** How many blank lines go before something: what the user wrote (at most one), none, or one. */
type Blank = "keep" | "none" | "one";

/** Blank lines at one kind of place. */
interface BlankRule {
  /** Before the first comment on a line of its own. */
  readonly comment: Blank;
  /** Before the token that follows such comments. */
  readonly commented: Blank;
  /** Before the token, when there are no such comments. */
  readonly bare: Blank;
}

const BLANKS = {
  declaration: { comment: "one", commented: "keep", bare: "one" },
  first: { comment: "none", commented: "keep", bare: "none" },
  item: { comment: "keep", commented: "keep", bare: "keep" },
  close: { comment: "keep", commented: "none", bare: "none" },
  inside: { comment: "none", commented: "none", bare: "none" },
} as const satisfies Record<string, BlankRule>;

/** A line break before a piece, with the comments that stand there. */
interface LineBreak {
  readonly indent: number;
  readonly blanks: BlankRule;
  /** A comma goes to the end of the line before. */
  readonly comma?: boolean;
  /** Indentation of the comments, where it is not that of the piece. */
  readonly commentIndent?: number;
}

/** A stretch of an item. */
interface Segment {
  readonly first: number;
  readonly last: number;
  /** Operators of the item in the stretch, but for one that begins it. */
  readonly operators: readonly Operator[];
  /** All groups of the item. */
  readonly groups: GroupCursor;
  /** Width of what must follow on the last line. */
  readonly after: number;
  readonly indent: number;
}

export function printPieces(pieces: readonly Piece[], outline: Outline, measure: Measure): string {
  return new Printer(pieces, measure).run(outline.declarations);
}

/** Owns the text that is written. */
class Printer {
  readonly #pieces: readonly Piece[];
  readonly #measure: Measure;
  #text = "";
  #column = 0;
  /** Indentation of the line being written. */
  #indent = 0;

  constructor(pieces: readonly Piece[], measure: Measure) {
    this.#pieces = pieces;
    this.#measure = measure;
  }

  run(declarations: readonly Item[]): string {
    for (const [index, item] of declarations.entries()) {
      const blanks = index === 0 ? BLANKS.first : BLANKS.declaration;
      this.#breakBefore(item.first, { indent: 0, blanks });
      this.#item(item, 0);
    }
    this.#endComments(declarations.length === 0 ? BLANKS.first : BLANKS.declaration);
    return this.#text === "" ? "" : `${this.#text}\n`;
  }

  #endComments(blanks: BlankRule): void {
    const end = this.#pieces.length - 1;
    this.#tail(end, false);
    this.#ownComments(end, { indent: 0, blanks });
  }

  #write(text: string): void {
    this.#text += text;
    this.#column += text.length;
  }

  #newLine(indent: number, afterBlank: boolean): void {
    // Nothing goes before the first line of the file.
    if (this.#text !== "") this.#text += afterBlank ? "\n\n" : "\n";
    this.#column = 0;
    this.#write(INDENT.repeat(indent));
    this.#indent = indent;
  }

  #breakBefore(index: number, place: LineBreak): void {
    const gap = this.#pieces[index]?.gap;
    if (!gap) return;
    this.#tail(index, place.comma ?? false);
    this.#ownComments(index, place);
    const rule = gap.own.length > 0 ? place.blanks.commented : place.blanks.bare;
    this.#newLine(place.indent, isBlank(rule, gap.blank));
    this.#write(written("", gap.head, " "));
  }

  /** The comments that end the line of the piece before; the comma must not end up in a `//` comment. */
  #tail(index: number, hasComma: boolean): void {
    const tail = this.#pieces[index]?.gap.tail ?? [];
    const last = tail.at(-1);
    const lineComment = last !== undefined && isLineComment(last) ? last : undefined;
    this.#write(written(" ", lineComment ? tail.slice(0, -1) : tail));
    if (hasComma) this.#write(",");
    if (lineComment) this.#write(` ${lineComment}`);
  }

  #ownComments(index: number, { indent, commentIndent, blanks }: LineBreak): void {
    const own = this.#pieces[index]?.gap.own ?? [];
    for (const [position, comment] of own.entries()) {
      this.#newLine(
        commentIndent ?? indent,
        isBlank(position === 0 ? blanks.comment : "keep", comment.blank),
      );
      this.#write(comment.text);
    }
  }

  #item({ first, last, operators, groups }: Item, after: number): void {
    if (this.#fits(first, last, after)) this.#flat(first, last);
    else
      this.#split({ first, last, operators, groups: new GroupCursor(groups), after, indent: this.#indent });
  }

  /** What is too long for one line is broken before its weakest operators, its parts likewise. */
  #split(segment: Segment): void {
    const weakest = weakestLevel(segment.operators);
    if (weakest === undefined) {
      this.#stepwise(segment);
      return;
    }
    const indent = segment.indent + 1;
    for (const part of splitAt(segment, weakest)) {
      if (part.first !== segment.first) this.#breakBefore(part.first, { indent, blanks: BLANKS.inside });
      if (this.#fits(part.first, part.last, part.after)) this.#flat(part.first, part.last);
      else this.#split({ ...part, indent });
    }
  }

  /** Piece by piece; the groups on the way decide for themselves. */
  #stepwise(segment: Segment): void {
    const { first, last, groups, indent } = segment;
    for (let index = first; index <= last; index++) {
      if (index > first) this.#step(index, indent + 1);
      const group = groups.at(index);
      if (!group) this.#write(this.#pieces[index]?.text ?? "");
      else {
        this.#group(group, this.#restWidth(group, segment));
        index = group.close;
      }
    }
  }

  #step(index: number, indent: number): void {
    if (this.#measure.nextBreak(index) === index) this.#breakBefore(index, { indent, blanks: BLANKS.inside });
    else this.#write(this.#measure.spaces[index] ?? "");
  }

  /** Width of what must stay on the line after a group: up to the next place where the line may end. */
  #restWidth({ close }: Group, { last, after, groups }: Segment): number {
    const next = groups.nextBreakable(close);
    const end = Math.min(next?.open ?? last, this.#measure.nextBreak(close + 1) - 1, last);
    const closeWidth = 1;
    return this.#measure.width(close, end) - closeWidth + (end === last ? after : 0);
  }

  #group(group: Group, rest: number): void {
    const { open, close, items } = group;
    const isEmpty = items.length === 0 && this.#measure.isInline(open, close);
    if (isEmpty || this.#fits(open, close, rest)) this.#flat(open, close);
    else this.#broken(group);
  }

  #broken(group: Group): void {
    const outer = this.#indent;
    this.#write(this.#pieces[group.open]?.text ?? "");
    this.#items(group, outer + 1);
    this.#breakBefore(group.close, { indent: outer, commentIndent: outer + 1, blanks: BLANKS.close });
    this.#write(this.#pieces[group.close]?.text ?? "");
  }

  #items({ items, style }: Group, indent: number): void {
    for (const [position, item] of items.entries()) {
      const comma = position > 0 && hasComma(style, this.#pieces[item.first - 1]);
      const blanks = position === 0 ? BLANKS.first : BLANKS.item;
      this.#breakBefore(item.first, { indent, blanks, comma });
      this.#item(item, hasComma(style, this.#pieces[item.last]) && position < items.length - 1 ? 1 : 0);
    }
  }

  #fits(first: number, last: number, after: number): boolean {
    if (!this.#measure.isInline(first, last)) return false;
    return this.#column + this.#measure.width(first, last) + after <= WIDTH;
  }

  #flat(first: number, last: number): void {
    for (let index = first; index <= last; index++) {
      if (index > first) this.#write(this.#measure.spaces[index] ?? "");
      this.#write(this.#pieces[index]?.text ?? "");
    }
  }
}

/** Finds the groups of an item while it is printed from left to right. */
class GroupCursor {
  readonly #groups: readonly Group[];
  #next = 0;

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
  }

  /** The group that opens at a piece. */
  at(index: number): Group | undefined {
    for (
      let group = this.#groups[this.#next];
      group && group.open < index;
      group = this.#groups[this.#next]
    ) {
      this.#next++;
    }
    const group = this.#groups[this.#next];
    return group?.open === index ? group : undefined;
  }

  /** The next group after a piece that is not empty. */
  nextBreakable(after: number): Group | undefined {
    for (let next = this.#next; next < this.#groups.length; next++) {
      const group = this.#groups[next];
      if (group && group.open > after && group.items.length > 0) return group;
    }
    return undefined;
  }
}

function isBlank(rule: Blank, byUser: boolean): boolean {
  return rule === "one" || (rule === "keep" && byUser);
}

/** Whether a comma stands at the end of a broken line; a comma that was kept as a piece is enough. */
function hasComma(style: Group["style"], last: Piece | undefined): boolean {
  return style === "inline-commas" && last?.text !== ",";
}

function weakestLevel(operators: readonly Operator[]): OperatorLevel | undefined {
  let weakest: OperatorLevel | undefined;
  for (const { level } of operators) {
    if (weakest === undefined || level < weakest) weakest = level;
  }
  return weakest;
}

/** Cuts a stretch before each operator of a level. */
function splitAt(segment: Segment, level: OperatorLevel): Segment[] {
  const parts: { first: number; operators: Operator[] }[] = [{ first: segment.first, operators: [] }];
  for (const operator of segment.operators) {
    if (operator.level === level) parts.push({ first: operator.index, operators: [] });
    else parts.at(-1)?.operators.push(operator);
  }
  return parts.map((part, index) => {
    const next = parts[index + 1];
    const last = next ? next.first - 1 : segment.last;
    return { ...segment, ...part, last, after: next ? 0 : segment.after };
  });
}
