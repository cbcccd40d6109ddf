// How wide things are on one line. Sums over all pieces, so that the width of any stretch is one subtraction.

import type { Item, Outline } from "./outline.js";
import { type Gap, needsLineBreak, type Piece } from "./pieces.js";

export interface Measure {
  /** What stands before each piece when it is on the line of the piece before. */
  readonly spaces: readonly string[];
  /** Width of a stretch of pieces on one line, without what stands before the first. */
  width(first: number, last: number): number;
  /** Whether a stretch can stand on one line, however wide. */
  isInline(first: number, last: number): boolean;
  /** The first piece from `index` on that must begin a line; the number of pieces when there is none. */
  nextBreak(index: number): number;
}

export function measurePieces(pieces: readonly Piece[], outline: Outline): Measure {
  const spaces = pieces.map((_, index) => flatGap(pieces, index, outline));
  const ends = sumWidths(pieces, spaces);
  const breaks = pieces.map((piece) => needsLineBreak(piece.gap));
  const openers = findOpeners(outline.declarations);
  const obstacles = sumObstacles(breaks, openers);
  const nextBreaks = findNextBreaks(breaks);
  const before = (index: number) => (ends[index] ?? 0) - (pieces[index]?.text.length ?? 0);
  return {
    spaces,
    width: (first, last) => (ends[last] ?? 0) - before(first),
    isInline: (first, last) => {
      const own = openers.has(first) ? 1 : 0;
      return (obstacles[last] ?? 0) - (obstacles[first] ?? 0) + own === 0;
    },
    nextBreak: (index) => nextBreaks[index] ?? pieces.length,
  };
}

/** Ends of the pieces, if all stood on one endless line. */
function sumWidths(pieces: readonly Piece[], spaces: readonly string[]): number[] {
  let end = 0;
  return pieces.map((piece, index) => {
    end += (spaces[index]?.length ?? 0) + piece.text.length;
    return end;
  });
}

/** Opening brackets of the groups that never stand on one line. */
function findOpeners(items: readonly Item[], openers = new Set<number>()): Set<number> {
  for (const item of items) {
    for (const group of item.groups) {
      if (group.mustBreak) openers.add(group.open);
      findOpeners(group.items, openers);
    }
  }
  return openers;
}

function sumObstacles(breaks: readonly boolean[], openers: ReadonlySet<number>): number[] {
  let count = 0;
  return breaks.map((isBreak, index) => {
    if (isBreak) count++;
    if (openers.has(index)) count++;
    return count;
  });
}

function findNextBreaks(breaks: readonly boolean[]): number[] {
  const next: number[] = [];
  let found = breaks.length;
  for (let index = breaks.length - 1; index >= 0; index--) {
    if (breaks[index]) found = index;
    next[index] = found;
  }
  return next;
}

/** White space, comments and the comma before a piece that stays on the line. */
function flatGap(pieces: readonly Piece[], index: number, outline: Outline): string {
  const piece = pieces[index];
  const before = pieces[index - 1];
  if (!piece || !before) return "";
  const { tail, head } = piece.gap;
  if (outline.separated.has(index)) return `${written(" ", tail)}, ${written("", head, " ")}`;
  if (tail.length + head.length > 0) return flatComments(before, piece);
  return isTight(before, piece, { isSign: outline.signs.has(index - 1), isCall: outline.calls.has(index) })
    ? ""
    : " ";
}

function flatComments(before: Piece, piece: Piece): string {
  const { tail, head }: Gap = piece.gap;
  const space = before.text === "(" || before.text === "[" ? "" : " ";
  const end = piece.text === ")" || piece.text === "]" ? "" : " ";
  return `${space}${[...tail, ...head].join(" ")}${end}`;
}

/** Each comment with what stands before and after it. */
export function written(before: string, comments: readonly string[], after = ""): string {
  return comments.map((comment) => `${before}${comment}${after}`).join("");
}

const TIGHT_AFTER: ReadonlySet<string> = new Set(["(", "[", ".", "@"]);
const TIGHT_BEFORE: ReadonlySet<string> = new Set([")", "]", ",", ":", "."]);

interface Role {
  readonly isSign: boolean;
  readonly isCall: boolean;
}

function isTight(before: Piece, piece: Piece, { isSign, isCall }: Role): boolean {
  if (isSign || isCall) return true;
  if (before.token.kind === "symbol" && TIGHT_AFTER.has(before.text)) return true;
  if (piece.token.kind === "symbol" && TIGHT_BEFORE.has(piece.text)) return true;
  return before.text === "{" && piece.text === "}";
}
