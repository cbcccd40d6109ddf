// What is printed: the tokens, each with the comments before it. Commas between items are left out here;
// the printer puts them where the layout wants them.

import type { Comment, Token } from "../syntax/token.js";

export interface Piece {
  readonly token: Token;
  readonly text: string;
  readonly gap: Gap;
}

/** What stands between a token and the one before it, in this order. */
export interface Gap {
  /** Comments that end the line of the token before. */
  readonly tail: readonly string[];
  /** Comments on lines of their own. */
  readonly own: readonly OwnComment[];
  /** Comments on the line of the token, before it. */
  readonly head: readonly string[];
  /** Whether the user left a blank line before the token, or before the comments on its line. */
  readonly blank: boolean;
}

export interface OwnComment {
  readonly text: string;
  readonly blank: boolean;
}

/** The last piece is the end of the file, with an empty text. */
export function gatherPieces(tokens: readonly Token[], comments: readonly Comment[]): Piece[] {
  const pieces: Piece[] = [];
  let next = 0;
  let before: Token | undefined;
  let comma: Token | undefined;
  for (const [index, token] of tokens.entries()) {
    if (isDropped(token, tokens[index + 1])) {
      comma = token;
      continue;
    }
    const first = next;
    while (next < comments.length && (comments[next] as Comment).start < token.start) next++;
    const between = first === next ? NO_COMMENTS : comments.slice(first, next);
    pieces.push({ token, text: textOf(token), gap: readGap({ before, comma, after: token }, between) });
    before = token;
    comma = undefined;
  }
  return pieces;
}

export function isLineComment(text: string): boolean {
  return text.startsWith("//");
}

export function hasComments(gap: Gap): boolean {
  return gap.tail.length + gap.own.length + gap.head.length > 0;
}

/** Whether the gap cannot be printed without a line break. */
export function needsLineBreak(gap: Gap): boolean {
  return gap.own.length > 0 || isLineComment(gap.tail.at(-1) ?? "");
}

const NO_COMMENTS: readonly Comment[] = [];

/** A comma with a doc comment stays where it is: without it, the comment would document the next item. */
function isDropped(token: Token, after: Token | undefined): boolean {
  if (token.kind !== "symbol" || token.text !== ",") return false;
  return token.doc === undefined || after === undefined || isClosing(after);
}

function isClosing(token: Token): boolean {
  if (token.kind === "end") return true;
  return token.kind === "symbol" && (token.text === "}" || token.text === ")" || token.text === "]");
}

/** Texts stand in double quotes, unless that would take more escapes. */
function textOf(token: Token): string {
  if (token.kind !== "string" || !token.text.startsWith("'")) return token.text;
  const inner = token.text.slice(1, -1);
  return /^(?:[^"\\]|\\.)*$/.test(inner) ? `"${inner}"` : token.text;
}

interface Borders {
  readonly before: Token | undefined;
  /** The comma that was left out in between. */
  readonly comma: Token | undefined;
  readonly after: Token;
}

function readGap(borders: Borders, comments: readonly Comment[]): Gap {
  return comments.length === 0 ? readPlainGap(borders) : readCommentedGap(borders, comments);
}

function readPlainGap({ before, comma, after }: Borders): Gap {
  const line = (comma ?? before)?.line ?? 0;
  return after.line - line > 1 ? PLAIN_AFTER_BLANK : PLAIN;
}

const PLAIN: Gap = { tail: [], own: [], head: [], blank: false };
const PLAIN_AFTER_BLANK: Gap = { ...PLAIN, blank: true };

function readCommentedGap(borders: Borders, comments: readonly Comment[]): Gap {
  const tailEnd = countTail(borders, comments);
  const headStart = Math.max(tailEnd, comments.length - countHead(borders.after, comments));
  const lines = new LineCounter(borders);
  const own = comments.slice(tailEnd, headStart).map((comment) => ({
    text: commentText(comment),
    blank: lines.isBlankBefore(comment.start, comment.line, comment.line + countLineBreaks(comment.text)),
  }));
  return {
    tail: comments.slice(0, tailEnd).map(commentText),
    own,
    head: comments.slice(headStart).map(commentText),
    blank: lines.isBlankBefore(borders.after.start, borders.after.line, borders.after.line),
  };
}

/** How many of the comments belong to the line of the token before. */
function countTail({ before, comma, after }: Borders, comments: readonly Comment[]): number {
  if (!before) return 0;
  if (before.line === after.line && !isClosing(after)) {
    return comments.filter((comment) => comma && comment.start < comma.start).length;
  }
  const end = comments.findIndex((comment) => comment.line !== before.line || isMultiLine(comment));
  return end < 0 ? comments.length : end;
}

/** How many of the comments stand directly before the token after; a closing bracket has none. */
function countHead(after: Token, comments: readonly Comment[]): number {
  if (isClosing(after)) return 0;
  const last = comments.findLastIndex((comment) => comment.line !== after.line || isMultiLine(comment));
  return comments.length - 1 - last;
}

/** Walks down the lines of a gap; the line of a comma that was left out is not blank. */
class LineCounter {
  readonly #comma: Token | undefined;
  #line: number;

  constructor({ before, comma }: Borders) {
    this.#comma = comma;
    this.#line = before?.line ?? 0;
  }

  isBlankBefore(start: number, line: number, lastLine: number): boolean {
    if (this.#comma && this.#comma.start < start) this.#line = Math.max(this.#line, this.#comma.line);
    const isBlank = line - this.#line > 1;
    this.#line = lastLine;
    return isBlank;
  }
}

function isMultiLine(comment: Comment): boolean {
  return comment.text.includes("\n");
}

function countLineBreaks(text: string): number {
  return text.split("\n").length - 1;
}

function commentText(comment: Comment): string {
  if (!isMultiLine(comment)) return comment.text;
  return comment.text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}
