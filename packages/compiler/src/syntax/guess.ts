// What an unknown word at the start of a property may have been meant to be.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/syntax.js";
import { nearestFirst } from "../diagnostics/suggest.js";
import type { BlockTable, Property } from "./block-table.js";
import { type Parser, RESERVED } from "./parser.js";
import type { Token } from "./token.js";

/** A way to read it: as a property, in spite of what is written. */
export interface Way<Node> {
  /**
   * `slip`: another word for it. `glued`: `typestring`. `swapped`: `endpoint create`. `missing`: the word is
   * not there, and what follows it is. `value`: the same, but any word could be the value. `extra`: the word
   * is one too many before it.
   */
  readonly kind: "slip" | "glued" | "swapped" | "missing" | "extra" | "value";
  readonly word: string;
  readonly property: Property<Node>;
}

/** The ways to read the word at the cursor, the likeliest first. */
export function findWays<Node>(parser: Parser, table: BlockTable<Node>, isFirst: boolean): Way<Node>[] {
  const { token } = parser;
  if (RESERVED.has(token.text) || table.advice.has(token.text.toLowerCase())) return [];
  const others = findOthers(parser, table);
  const swapped = others.filter(({ kind }) => kind === "swapped");
  const ways = swapped.length > 0 ? swapped : [...findSlips(token, table), ...others];
  if (table.elsewhere.has(token.text)) return ways;
  const next = parser.peek();
  const follower = next.firstOnLine ? undefined : table.properties.get(next.text);
  if (follower) ways.push({ kind: "extra", word: next.text, property: follower });
  if (ways.length > 0 || !isFirst) return ways;
  return [...table.properties].flatMap(([word, property]) =>
    property.leads ? [{ kind: "value", word, property }] : [],
  );
}

function findSlips<Node>(token: Token, table: BlockTable<Node>): Way<Node>[] {
  const synonym = table.synonyms.get(token.text.toLowerCase());
  const words = [...(synonym ? [synonym] : []), ...nearestFirst(token.text, table.keywords)];
  return words.flatMap((word) => {
    const property = table.properties.get(word);
    return property ? [{ kind: "slip", word, property }] : [];
  });
}

function findOthers<Node>(parser: Parser, table: BlockTable<Node>): Way<Node>[] {
  const { text } = parser.token;
  return [...table.properties].flatMap(([word, property]): Way<Node>[] => {
    if (isGlued(text, word)) return [{ kind: "glued", word, property }];
    if (property.second === text && parser.peek().text === word) return [{ kind: "swapped", word, property }];
    const isMissing = property.second === text || isHeadingOf(parser, table, property);
    return isMissing ? [{ kind: "missing", word, property }] : [];
  });
}

/** `typestring`, without the blank. */
function isGlued(text: string, word: string): boolean {
  return text.startsWith(word) && text.length > word.length + 2 && word.length > 1;
}

/** Tokens before the `{` of a block without its first word: `org.members as m`. */
const MAX_HEADING = 8;

/** `title { type string }`, `book as b { … }`: the word is missing, but the content shows which one it was. */
function isHeadingOf<Node>(
  parser: Parser,
  table: BlockTable<Node>,
  { named, block }: Property<Node>,
): boolean {
  if (!named || !block || table.elsewhere.has(parser.token.text)) return false;
  let distance = 1;
  while (isHeading(parser.peek(distance)) && distance < MAX_HEADING) distance++;
  return parser.peek(distance).text === "{" && block().keywords.has(parser.peek(distance + 1).text);
}

function isHeading({ kind, text, firstOnLine }: Token): boolean {
  return !firstOnLine && (kind === "word" || text === ".");
}

/** Reads the property in this way, after saying what is wrong with it. */
export function readWay<Node>(parser: Parser, { kind, word, property }: Way<Node>): Node {
  const { token } = parser;
  const keyword = { ...token, text: word };
  switch (kind) {
    case "slip":
      parser.reportMisspelt(token, word);
      parser.take();
      parser.takeSign(property, word);
      break;
    case "glued":
      parser.report(say.missingBlank(parser.span(token), word, token.text.slice(word.length)));
      parser.readAs({ ...token, ...afterWord(token, word), firstOnLine: false });
      break;
    case "swapped":
      parser.report(say.swappedWords(parser.spanTo(parser.peek()), word, token.text));
      parser.take();
      parser.readAs({ ...parser.token, text: token.text });
      break;
    case "extra":
      parser.report(say.superfluous(parser.span(token), parser.describe(token)));
      parser.take();
      return property.parse(parser, parser.take());
    case "missing":
    case "value":
      parser.report(say.missingWord(parser.span(token), token.text, [word]));
      if (kind === "value") parser.doubt();
      parser.readAs({ ...token, firstOnLine: false });
  }
  return property.parse(parser, keyword);
}

function afterWord({ text, start }: Token, word: string) {
  return { text: text.slice(word.length), start: start + word.length };
}

/** Why the word at the cursor cannot stand in this block. */
export function explainUnknown<Node>(parser: Parser, table: BlockTable<Node>): Diagnostic {
  const { text } = parser.token;
  const { owner } = table;
  const span = parser.span(parser.token);
  const advice = table.advice.get(text.toLowerCase());
  if (advice !== undefined) return say.foreignLine(span, text, owner, { hint: advice });
  const place = table.elsewhere.get(text) ?? outerPlace(parser);
  if (place !== undefined) return say.propertyNotAllowed(span, text, owner, place);
  const details = table.explain?.(parser);
  if (details) return say.foreignLine(span, text, owner, details);
  return say.unknownProperty(span, text, owner, [...table.keywords]);
}

/** A declaration in the middle of a block: most likely the block should have ended before it. */
function outerPlace(parser: Parser): string | undefined {
  const { keywords, token } = parser;
  const isDeclaration = keywords.length > 1 && keywords[0]?.has(token.text) && parser.peek().kind === "word";
  return isDeclaration ? "the top level of a file; perhaps a `}` is missing before it" : undefined;
}
