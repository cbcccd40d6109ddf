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

export interface Parsed {
  readonly file: SourceFile;
  readonly diagnostics: readonly Diagnostic[];
  readonly damage: Damage;
  readonly comments: readonly Comment[];
}

/** With all that the formatter needs. */
export interface LaidOut extends Parsed {
  readonly tokens: readonly Token[];
  readonly layouts: readonly Layout[];
  readonly signs: readonly Token[];
  /** First tokens of the declarations, for the formatter. */
  readonly starts: readonly Token[];
}

/** What later phases need of a file. Its tokens are many and of use to the formatter alone: they can go. */
export function parse(source: Source): Parsed {
  const { file, diagnostics, damage, comments } = read(source, false);
  return { file, diagnostics, damage, comments };
}

export function parseWithLayouts(source: Source): LaidOut {
  return read(source, true);
}

function read(source: Source, keepsLayouts: boolean): LaidOut {
  const lexed = lex(source.name, source.text);
  const balanced = balanceBrackets(lexed.tokens, programBlock.keywords);
  const parser = new Parser(source.name, balanced, { keepsLayouts });
  const body = parseTopLevel<Declaration>(parser, programBlock);
  const isEmpty = lexed.tokens.length === 1 && lexed.diagnostics.length === 0;
  return {
    file: { file: source.name, declarations: body.items, damaged: body.damaged },
    diagnostics: [
      ...lexed.diagnostics,
      ...parser.diagnostics,
      ...(isEmpty ? [say.emptyFile({ file: source.name, start: 0, end: 0 })] : []),
      ...misplacedDocs(lexed.documented, parser.documented),
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
function misplacedDocs(documented: readonly Token[], placed: readonly Token[]) {
  // As most often, all are where they belong.
  if (documented.every((token, index) => token === placed[index])) return [];
  const rightly = new Set(placed);
  return documented.flatMap((token) =>
    token.doc && !rightly.has(token) ? [say.misplacedDoc(token.doc.span)] : [],
  );
}
