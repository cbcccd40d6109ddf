// Single mistakes in a source: every token misspelt, left out, doubled, or joined by a stranger.

import { lex } from "../../src/syntax/lexer.js";
import type { Token } from "../../src/syntax/token.js";
import { Random } from "./random.js";

export const KINDS = [
  "typo in a word",
  "typo in a text",
  "typo in a number",
  "typo in a symbol",
  "deletion",
  "token doubled",
  "token inserted",
] as const;

export type MutantKind = (typeof KINDS)[number];

export interface Mutant {
  readonly kind: MutantKind;
  /** The token that was changed, or after which one was inserted. */
  readonly token: Token;
  /** What stands in its place. */
  readonly replacement: string;
}

/** The source with some mistakes in it. */
export function applyMutants(text: string, mutants: readonly Mutant[]): string {
  const sorted = [...mutants].sort((a, b) => b.token.start - a.token.start);
  return sorted.reduce(
    (result, { token, replacement }) => result.slice(0, token.start) + replacement + result.slice(token.end),
    text,
  );
}

export function mutantsOf(name: string, text: string): Mutant[] {
  const tokens = lex(name, text).tokens.filter((token) => token.kind !== "end");
  const random = new Random(name);
  return tokens.flatMap((token) => [
    ...typos(token, random).map((replacement) => ({ kind: typoKind(token), token, replacement })),
    { kind: "deletion", token, replacement: "" },
    { kind: "token doubled", token, replacement: `${token.text} ${token.text}` },
    { kind: "token inserted", token, replacement: `${token.text} ${random.pick(tokens).text}` },
  ]);
}

function typoKind({ kind }: Token): MutantKind {
  if (kind === "word") return "typo in a word";
  if (kind === "string") return "typo in a text";
  return kind === "symbol" ? "typo in a symbol" : "typo in a number";
}

function typos(token: Token, random: Random): string[] {
  const { text } = token;
  const variants =
    token.kind === "symbol"
      ? (SIMILAR[text] ?? [])
      : token.kind === "string"
        ? [text.slice(0, -1), text.slice(1), ...typosInside(text, random)]
        : slips(text, random);
  return [...new Set(variants)].filter((variant) => variant !== text && variant !== "");
}

function typosInside(text: string, random: Random): string[] {
  const inner = text.slice(1, -1);
  if (inner.length < 2) return [];
  return slips(inner, random)
    .slice(0, 2)
    .map((changed) => `${text[0]}${changed}${text.at(-1)}`);
}

/** The four slips of the finger: two letters exchanged, one left out, one doubled, a key beside the right one. */
function slips(text: string, random: Random): string[] {
  const at = random.integer(text.length);
  const pair = random.integer(Math.max(1, text.length - 1));
  const letter = text[at] ?? "";
  return [
    text.slice(0, pair) + (text[pair + 1] ?? "") + (text[pair] ?? "") + text.slice(pair + 2),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + letter + text.slice(at),
    text.slice(0, at) + keyBeside(letter, random) + text.slice(at + 1),
  ];
}

const ROWS = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

function keyBeside(letter: string, random: Random): string {
  const row = ROWS.find((keys) => keys.includes(letter.toLowerCase()));
  if (row === undefined) return letter;
  const at = row.indexOf(letter.toLowerCase());
  const key = random.pick([row[at - 1], row[at + 1]].filter((beside) => beside !== undefined));
  return letter === letter.toLowerCase() ? key : key.toUpperCase();
}

/** What is hit instead of a symbol: its neighbours on the keyboard, and what looks or means much the same. */
const SIMILAR: Readonly<Record<string, readonly string[]>> = {
  "{": ["(", "[", "}"],
  "}": [")", "]", "{"],
  "(": ["{", "[", "9"],
  ")": ["}", "]", "0"],
  "[": ["(", "{"],
  "]": [")", "}"],
  ",": [".", ";", "m"],
  ":": [";", "=", "."],
  ".": [",", ";", ":"],
  "<": [">", ","],
  ">": ["<", "."],
  "<=": ["=<", "=>"],
  ">=": ["=>", "=>="],
  "@": ["2", "#"],
  "*": ["8", "**"],
  "+": ["=", "++"],
  "-": ["_", "--"],
  "/": ["\\", ";"],
  "%": ["5", "$"],
};
