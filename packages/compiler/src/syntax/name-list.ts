// `{ a, b }`: lists of names, as in `unique`, `deny` and enums.

import { parseItems } from "./items.js";
import type { Parser } from "./parser.js";
import { isMissing, type Name } from "./tree.js";

export interface ListedName<Extra> {
  readonly name: Name;
  readonly doc: string | undefined;
  readonly extra: Extra;
}

export interface NameList<Extra> {
  readonly names: readonly ListedName<Extra>[];
  readonly damaged: boolean;
}

/** `parseExtra` reads what may follow each name. */
export function parseNameList<Extra>(
  parser: Parser,
  what: string,
  parseExtra: (parser: Parser) => Extra,
): NameList<Extra> {
  const { items, damaged } = parseItems(parser, {
    opener: "{",
    style: "inline-commas",
    contentFollows: () => parser.atWord() && !parser.token.firstOnLine,
    item: () => {
      const doc = parser.token.doc?.text;
      const name = parser.name(what);
      return isMissing(name) ? undefined : { name, doc, extra: parseExtra(parser) };
    },
  });
  return { names: items, damaged };
}
