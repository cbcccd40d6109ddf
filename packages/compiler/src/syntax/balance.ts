// Pairs the brackets of a file before it is parsed. Files whose brackets nest pass untouched. In others, one
// wrong bracket would shift the meaning of everything after it, so the cheapest repair is sought first, with
// the indentation as witness. Nothing is reported here: the parser meets the repairs and knows what to say.

import { closerOf, isCloser, isOpener } from "./bracket.js";
import { type Edit, isIndented, type RepairResult, repairBrackets } from "./repair.js";
import type { Token } from "./token.js";

export interface Balanced {
  readonly tokens: readonly Token[];
  /** By index of a bracket, the index of the one it pairs with; -1 for all else. */
  readonly partners: Int32Array;
  /** All brackets pair up, just as they are written. */
  readonly nests: boolean;
  /** Some brackets pair with nothing. */
  readonly hasStrays: boolean;
  /** Brackets that were put in, or that are read as the opposite of what they are. */
  readonly repairs: ReadonlyMap<Token, Repair>;
}

/** What became of a bracket; one that was turned remembers how it was written. */
export type Repair = { readonly kind: "inserted" } | { readonly kind: "turned"; readonly from: string };

/** `declarations`: the words that begin declarations. */
export function balanceBrackets(tokens: readonly Token[], declarations: ReadonlySet<string>): Balanced {
  const { indexes, nests } = pairUp(tokens, { start: 0, end: tokens.length }, NO_STRAYS);
  if (nests) return { tokens, partners: indexes, nests, hasStrays: false, repairs: new Map() };
  return applyEdits(tokens, findEdits(tokens, declarations));
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const NO_STRAYS: ReadonlySet<Token> = new Set();

/** Pairs brackets by nesting alone; `nests` tells whether all pair up, also by their kinds. */
function pairUp(tokens: readonly Token[], { start, end }: Range, strays: ReadonlySet<Token>) {
  const indexes = new Int32Array(end - start).fill(-1);
  const open: number[] = [];
  let nests = true;
  for (let index = start; index < end; index++) {
    const token = tokens[index];
    if (token?.kind !== "symbol") continue;
    const { text } = token;
    if (isOpener(text)) {
      if (!strays.has(token)) open.push(index);
    } else if (isCloser(text) && !strays.has(token)) {
      const opener = open.pop();
      if (opener === undefined || closerOf(tokens[opener]?.text ?? "") !== text) nests = false;
      if (opener === undefined) continue;
      indexes[opener - start] = index;
      indexes[index - start] = opener;
    }
  }
  return { indexes, nests: nests && open.length === 0 };
}

/**
 * The stretches to repair: declarations whose own brackets do not nest. A mistake in one declaration then
 * cannot touch the others.
 */
function findStretches(tokens: readonly Token[], declarations: ReadonlySet<string>): Range[] {
  const stretches: Range[] = [];
  const trustsMargin = isIndented(tokens);
  let start = 0;
  for (let index = 1; index <= tokens.length; index++) {
    const token = tokens[index];
    const isInside = token && !(trustsMargin && isAtMargin(token));
    if (isInside && !beginsDeclaration(tokens, index, declarations)) continue;
    const stretch = { start, end: index };
    if (!pairUp(tokens, stretch, NO_STRAYS).nests) stretches.push(stretch);
    start = index;
  }
  return stretches;
}

function findEdits(tokens: readonly Token[], declarations: ReadonlySet<string>): Edit[] {
  const done: (RepairResult & Range)[] = [];
  for (const stretch of findStretches(tokens, declarations)) {
    const alone = { ...repairBrackets(tokens, stretch), ...stretch };
    const last = done.at(-1);
    const isSure = beginsDeclaration(tokens, stretch.start, declarations);
    const joint = last && !isSure ? repairTogether(tokens, last, stretch) : undefined;
    if (joint && last && joint.cost < last.cost + alone.cost) done[done.length - 1] = joint;
    else done.push(alone);
  }
  return done.flatMap(({ edits }) => edits);
}

/** What seemed to begin a declaration may not: then its brackets and those before it belong together. */
function repairTogether(tokens: readonly Token[], first: Range, second: Range) {
  const both = { start: first.start, end: second.end };
  if (first.end !== second.start || both.end - both.start > MAX_JOINT) return undefined;
  return { ...repairBrackets(tokens, both), ...both };
}

/** Tokens that are looked at together; beyond, the search would take longer than its result is worth. */
const MAX_JOINT = 2000;

function isAtMargin({ kind, firstOnLine, column }: Token): boolean {
  return kind === "word" && firstOnLine && column === 0;
}

/** `model Book {` at the start of a line, whatever its indentation: no property has this form. */
function beginsDeclaration(tokens: readonly Token[], index: number, words: ReadonlySet<string>): boolean {
  const [token, name, bracket] = [tokens[index], tokens[index + 1], tokens[index + 2]];
  if (!token?.firstOnLine || !words.has(token.text)) return false;
  return name?.kind === "word" && bracket !== undefined && isOpener(bracket.text) && !bracket.firstOnLine;
}

function applyEdits(tokens: readonly Token[], edits: readonly Edit[]): Balanced {
  const byIndex = new Map<number, Edit[]>();
  for (const edit of edits) {
    const others = byIndex.get(edit.index);
    if (others) others.push(edit);
    else byIndex.set(edit.index, [edit]);
  }
  const output: Token[] = [];
  const repairs = new Map<Token, Repair>();
  const strays = new Set<Token>();
  for (const [index, token] of tokens.entries()) {
    let written = token;
    for (const edit of byIndex.get(index) ?? []) {
      if (edit.kind === "insert") {
        const inserted = bracketAfter(output.at(-1) ?? token, edit.text);
        repairs.set(inserted, { kind: "inserted" });
        output.push(inserted);
      } else if (edit.kind === "turn") {
        written = { ...token, text: edit.text };
        repairs.set(written, { kind: "turned", from: token.text });
      } else strays.add(token);
    }
    output.push(written);
  }
  const { indexes } = pairUp(output, { start: 0, end: output.length }, strays);
  return { tokens: output, partners: indexes, nests: false, hasStrays: strays.size > 0, repairs };
}

/** A bracket that is not in the source, directly after a token that is. */
function bracketAfter(after: Token, text: string): Token {
  return {
    kind: "symbol",
    text,
    start: after.end,
    end: after.end,
    line: after.line,
    column: after.column + after.end - after.start,
    firstOnLine: false,
    flawed: false,
    doc: undefined,
  };
}
