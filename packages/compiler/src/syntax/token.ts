// Tokens, as the lexer makes them. Every word is just a word: what it means is decided by where it stands.

import type { Span } from "../diagnostics/diagnostic.js";

export type TokenKind =
  | "word"
  | "string"
  | "integer"
  | "float"
  | "symbol"
  /** An operator of other languages (`==`, `&&`, `!`…), kept so that the parser can name the right one. */
  | "foreign"
  | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The source text; for a virtual brace the text it stands for. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Line and column, from 0. */
  readonly line: number;
  readonly column: number;
  readonly firstOnLine: boolean;
  /** The lexer has complained about it, or about what stands directly before it. */
  readonly flawed: boolean;
  /** Text of the `///` comments directly before this token. */
  readonly doc: DocComment | undefined;
}

export interface DocComment {
  readonly text: string;
  readonly span: Span;
}

export interface Comment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly firstOnLine: boolean;
}
