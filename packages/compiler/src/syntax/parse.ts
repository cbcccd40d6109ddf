// Phase 1: the text of one file → its syntax tree. Total: any text gives a tree and diagnostics.
// Steps: tokens, repair of unbalanced braces, then recursive descent by the block tables.

import type { Damage } from "../diagnostics/damage.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/syntax.js";
import { balanceBrackets } from "./balance.js";
import { parseTopLevel } from "./block.js";
import { lex } from "./lexer.js";
import { type Layout, Parser } from "./parser.js";
import { programBlock } from "./program-grammar.js";
import type { Comment, Token } from "./token.js";
import type { Declaration, SourceFile } from "./tree.js";

export interface Source {
  readonly name: string;
  readonly text: string;
}

export interface ParseResult {
  readonly file: SourceFile;
  readonly diagnostics: readonly Diagnostic[];
  readonly damage: Damage;
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  readonly layouts: readonly Layout[];
  readonly signs: readonly Token[];
  /** First tokens of the declarations, for the formatter. */
  readonly starts: readonly Token[];
}

export function parse(source: Source): ParseResult {
  const lexed = lex(source.name, source.text);
  const parser = new Parser(source.name, balanceBrackets(lexed.tokens, programBlock.keywords));
  const body = parseTopLevel<Declaration>(parser, programBlock);
  const isEmpty = lexed.tokens.length === 1 && lexed.diagnostics.length === 0;
  return {
    file: { file: source.name, declarations: body.items, damaged: body.damaged },
    diagnostics: [
      ...lexed.diagnostics,
      ...parser.diagnostics,
      ...(isEmpty ? [say.emptyFile({ file: source.name, start: 0, end: 0 })] : []),
      ...misplacedDocs(lexed.documented, body.starts, parser.layouts),
    ],
    damage: parser.damage,
    tokens: lexed.tokens,
    comments: lexed.comments,
    layouts: parser.layouts,
    signs: parser.signs,
    starts: body.starts,
  };
}

/** A doc comment belongs to the item after it; anywhere else it would be lost without a word. */
function misplacedDocs(documented: readonly Token[], starts: readonly Token[], layouts: readonly Layout[]) {
  if (documented.length === 0) return [];
  const misplaced = new Set(documented);
  for (const start of starts) if (start.doc) misplaced.delete(start);
  for (let index = 0; index < layouts.length; index++) {
    const layout = layouts[index];
    if (!layout?.hasDocs || layout.style === "expression") continue;
    for (const start of layout.items) if (start.doc) misplaced.delete(start);
  }
  return [...misplaced].flatMap((token) => (token.doc ? [say.misplacedDoc(token.doc.span)] : []));
}
