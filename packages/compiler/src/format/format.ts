// The formatter: one style, whatever the lines of the source were. The tokens are printed in their order with
// white space computed from the parser's layouts, so that nothing can get lost; every comment keeps its token.
// Steps: parse, gather tokens with their comments, outline groups and items, measure widths, print.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { parseWithLayouts, type Source } from "../syntax/parse.js";
import { measurePieces } from "./measure.js";
import { outlinePieces } from "./outline.js";
import { gatherPieces } from "./pieces.js";
import { printPieces } from "./printer.js";

export type FormatResult =
  | { readonly kind: "formatted"; readonly text: string }
  /** The source has syntax errors; its structure is a guess and is left alone. */
  | { readonly kind: "broken"; readonly diagnostics: readonly Diagnostic[] };

export function format(source: Source): FormatResult {
  const parsed = parseWithLayouts(source);
  if (parsed.diagnostics.some((diagnostic) => diagnostic.severity === "error")) {
    return { kind: "broken", diagnostics: parsed.diagnostics };
  }
  const pieces = gatherPieces(parsed.tokens, parsed.comments);
  const outline = outlinePieces(pieces, parsed);
  const measure = measurePieces(pieces, outline);
  return { kind: "formatted", text: printPieces(pieces, outline, measure) };
}
