// Sources that nobody would write: pieces of programs, cut, shuffled and strewn with anything.

import { decodeSource } from "../../src/diagnostics/decode.js";
import { lex } from "../../src/syntax/lexer.js";
import type { Random } from "./random.js";

const MAX_LINES = 50;

const STRANGE = [
  ...[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "{{",
    "}}",
    ",",
    ",,",
    ".",
    "..",
    ":",
    ";",
    "@",
    "@auth",
    "*",
    "-",
    "=",
    "==",
  ],
  ...[
    "'",
    '"',
    '"x',
    "\\",
    '"\\u{0}"',
    '"\\u{110000}"',
    "//",
    "///",
    "/*",
    "*/",
    "// stoa-ignore x: y",
    "\n",
  ],
  ...[
    "\r\n",
    "\r",
    "\t",
    "\0",
    "\u{FEFF}",
    "\u{2028}",
    "\u{200B}",
    "é",
    "模型",
    "👩‍👩‍👧",
    "\uD800",
    "\uDC00",
    "ﬁ",
    "“",
    "”",
  ],
  ...[
    "0",
    "1_",
    "1__0",
    "9007199254740993",
    "1e9",
    "0x1F",
    "1.",
    ".5",
    "1.5.2",
    "-",
    "and",
    "or",
    "not",
    "is",
    "in",
  ],
  ...["true", "null", "model", "field", "api", "entrypoint", "list endpoint", "as", "query", "hook", "set"],
  ...["constructor", "__proto__", "toString", "hasOwnProperty"],
];

/** One source, made from samples by a random number of random steps. */
export function chaos(random: Random, samples: readonly string[]): string {
  const kind = random.integer(10);
  if (kind === 0) return soup(random, ["{", "}", "(", ")", "[", "]", "\n", " ", "\n  "]);
  if (kind === 1) return soup(random, [...STRANGE, ...wordsOf(piece(random, samples))]);
  if (kind === 2) return bytes(random);
  let text = piece(random, samples);
  if (kind === 3) return text.slice(0, random.integer(text.length + 1));
  for (let step = random.integer(8); step >= 0; step--) text = mutate(random, text);
  return text;
}

function piece(random: Random, samples: readonly string[]): string {
  const lines = random.pick(samples).split("\n");
  const start = random.integer(lines.length);
  return lines.slice(start, start + 1 + random.integer(MAX_LINES)).join("\n");
}

function wordsOf(text: string): string[] {
  return lex("words", text).tokens.map((token) => token.text);
}

function soup(random: Random, pieces: readonly string[]): string {
  const glue = random.pick(["", " ", "\n"]);
  return Array.from({ length: random.integer(200) }, () => random.pick(pieces)).join(glue);
}

function bytes(random: Random): string {
  const raw = Uint8Array.from({ length: random.integer(300) }, () => random.integer(256));
  return decodeSource("bytes", raw).text;
}

function mutate(random: Random, text: string): string {
  const from = random.integer(text.length + 1);
  const to = Math.min(text.length, from + random.integer(12));
  const part = text.slice(from, to);
  const [before, after] = [text.slice(0, from), text.slice(to)];
  switch (random.integer(6)) {
    case 0:
      return before + after;
    case 1:
      return before + part + part + after;
    case 2:
      return before + random.pick(STRANGE) + part + after;
    case 3:
      return before + random.pick(STRANGE) + after;
    case 4:
      return before + String.fromCodePoint(random.integer(0x11_0000)) + after;
    default:
      return before + [...part].reverse().join("") + after;
  }
}
