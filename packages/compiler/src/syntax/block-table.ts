// Block tables: each kind of block is a table from property word to parse function. The one table drives
// parsing, duplicate detection, "did you mean", recovery, and (through `keywords`) completion and grammars.

import type { DiagnosticDetails } from "../diagnostics/diagnostic.js";
import type { LayoutStyle, Parser } from "./parser.js";
import type { Token } from "./token.js";

export interface Property<Node> {
  /** May stand more than once in its block. */
  readonly many?: boolean;
  /** Called with the property word taken. */
  readonly parse: (parser: Parser, keyword: Token) => Node;
  /** Stands alone, without a value. */
  readonly isFlag?: boolean;
  /** A name follows the property word. */
  readonly named?: boolean;
  /** The fixed word that follows the property word: `list endpoint`. */
  readonly second?: string;
  /** Comes first in its block, so that its value is recognised without its word: `field title { string }`. */
  readonly leads?: boolean;
  /** The property's own block, to recognise it by its content when its word is missing. */
  readonly block?: () => BlockTable<unknown>;
}

export interface BlockTable<Node> {
  /** What the block is, for messages: "a field". */
  readonly owner: string;
  readonly style: LayoutStyle;
  readonly properties: ReadonlyMap<string, Property<Node>>;
  readonly keywords: ReadonlySet<string>;
  /** Properties that exist, but belong elsewhere: word → where. */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** What other languages call a property: their word (in lower case) → ours. */
  readonly synonyms: ReadonlyMap<string, string>;
  /** Words that people look for here in vain: word (in lower case) → what to do instead. */
  readonly advice: ReadonlyMap<string, string>;
  /** Content for an example. */
  readonly example: string | undefined;
  /** What to say about a line that is written in another language's way; undefined when it is not. */
  readonly explain: ((parser: Parser) => DiagnosticDetails | undefined) | undefined;
}

interface BlockOptions {
  readonly style?: LayoutStyle;
  readonly elsewhere?: Readonly<Record<string, string>>;
  readonly synonyms?: Readonly<Record<string, string>>;
  readonly advice?: Readonly<Record<string, string>>;
  readonly example?: string;
  readonly explain?: (parser: Parser) => DiagnosticDetails | undefined;
}

export function defineBlock<Node>(
  owner: string,
  properties: Readonly<Record<string, Property<Node>>>,
  options: BlockOptions = {},
): BlockTable<Node> {
  return {
    owner,
    style: options.style ?? "properties",
    properties: new Map(Object.entries(properties)),
    keywords: new Set(Object.keys(properties)),
    elsewhere: new Map(Object.entries(options.elsewhere ?? {})),
    synonyms: new Map(Object.entries(options.synonyms ?? {})),
    advice: new Map(Object.entries(options.advice ?? {})),
    example: options.example,
    explain: options.explain,
  };
}
