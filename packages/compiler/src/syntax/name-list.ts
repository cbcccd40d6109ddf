// `{ a, b }`: lists of names, as in `unique`, `deny` and enums.

import type { Parser } from "./parser.js";
import type { Token } from "./token.js";
import type { Name } from "./tree.js";

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
  const open = parser.token;
  if (!parser.expectSymbol("{")) return { names: [], damaged: true };
  const names: ListedName<Extra>[] = [];
  const starts: Token[] = [];
  let damaged = false;
  while (!parser.atEnd() && !parser.at("}")) {
    const start = parser.token;
    starts.push(start);
    const name = parser.name(what);
    if (name.text === "") damaged = true;
    else names.push({ name, doc: start.doc?.text, extra: parseExtra(parser) });
    if (parser.token === start) parser.skipGroup();
    parser.accept(",");
  }
  const close = parser.token;
  if (parser.accept("}")) parser.layout({ open, close, style: "inline-commas", items: starts });
  return { names, damaged };
}
