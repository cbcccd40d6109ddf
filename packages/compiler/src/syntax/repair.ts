// The cheapest way to make brackets nest. Every way to read a bracket (as it is, as its opposite, as a stray,
// with another one missing before it) has a price, and so has every reading that contradicts the indentation.
// The search goes through the tokens once and keeps the best few readings; which one wins shows at the end.

import { closerOf, isCloser, isOpener, openerOf } from "./bracket.js";
import type { Token } from "./token.js";

export type Edit =
  /** Put a bracket before the token at `index`. */
  | { readonly kind: "insert"; readonly index: number; readonly text: string }
  /** Read the bracket as its opposite. */
  | { readonly kind: "turn"; readonly index: number; readonly text: string }
  /** Leave the bracket where it is, but pair it with nothing. */
  | { readonly kind: "stray"; readonly index: number };

/** Readings kept at a time, and by how much they may be worse than the best one. */
const WIDTH = 16;
const SLACK = 1.5;

/** Where even the best reading costs this much there is little to be understood: fewer readings will do. */
const HOPELESS = 4;
const HOPELESS_WIDTH = 3;

/** Closing brackets that may be missing in one place; more would cost more than anything else. */
const MAX_MISSING = 3;

const COST = {
  insert: 1,
  turn: 1,
  /** The same, where what stands beside the bracket suggests it. */
  likelyTurn: 0.8,
  /** `{ {` is more often written twice by accident than on purpose. */
  doubled: 0.9,
  /** A little more than the others, and the earlier the better: what is around it then holds together. */
  stray: 1.1,
  later: 1e-6,
  /** A pair of different kinds: `( … }`. */
  mismatch: 1,
  /** A line that stands left of where the block around it would have it. */
  outdent: 0.7,
  /** A closing bracket at the start of a line that does not line up with the line of its opening one. */
  misaligned: 0.7,
  /** A closing bracket in the middle of a line, for a block that was opened on another line. */
  distant: 0.5,
};

/** An opening bracket that waits for its closing one. */
interface Open {
  readonly text: string;
  readonly index: number;
  readonly line: number;
  /** Indentation of the line that it stands on. */
  readonly indent: number;
  /** Lines inside have been found too far left; that is paid for once. */
  readonly excused: boolean;
  readonly below: Open | undefined;
  /** Tells stacks apart without walking them. */
  readonly hash: number;
}

interface Reading {
  readonly cost: number;
  readonly top: Open | undefined;
  readonly edits: EditList | undefined;
}

interface EditList {
  readonly edit: Edit;
  readonly before: EditList | undefined;
}

export interface RepairResult {
  readonly edits: readonly Edit[];
  readonly cost: number;
}

/** Repairs one stretch of tokens. */
export function repairBrackets(
  tokens: readonly Token[],
  { start, end }: { readonly start: number; readonly end: number },
): RepairResult {
  const { cost, edits } = new Search(tokens.slice(start, end)).run();
  return { cost, edits: listEdits(edits).map((edit) => ({ ...edit, index: edit.index + start })) };
}

/** Whether indentation is used at all; lines that all begin in the same column are no witnesses. */
export function isIndented(tokens: readonly Token[]): boolean {
  let [lines, indented] = [0, 0];
  for (const { firstOnLine, column } of tokens) {
    if (!firstOnLine) continue;
    lines++;
    if (column > 0) indented++;
  }
  return indented * 4 > lines;
}

class Search {
  readonly #tokens: readonly Token[];
  /** Readings that cost more are given up. */
  #bound = SLACK;
  #readings: Reading[] = [{ cost: 0, top: undefined, edits: undefined }];
  /** Indexes of the first tokens of the lines so far. */
  readonly #lines: number[] = [];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  run(): Reading {
    const trustsLines = isIndented(this.#tokens);
    for (const [index, token] of this.#tokens.entries()) {
      if (token.firstOnLine) this.#lines.push(index);
      const isBracket = token.kind === "symbol" && (isOpener(token.text) || isCloser(token.text));
      const closes = isBracket && isCloser(token.text);
      if (trustsLines && token.firstOnLine && !closes) {
        this.#advance((reading) => startLine(reading, token, index));
      }
      if (!isBracket) continue;
      if (closes) this.#advance((reading) => this.#close(reading, token, index));
      else this.#advance((reading) => this.#open(reading, token, index));
    }
    const { length } = this.#tokens;
    const end = this.#tokens.at(-1)?.kind === "end" ? length - 1 : length;
    return closeAll(this.#readings, end);
  }

  /** Replaces every reading by what may follow from it, and keeps the cheapest of each outcome. */
  #advance(follow: (reading: Reading) => Reading[]): void {
    const best = new Map<number, Reading>();
    for (const reading of this.#readings) {
      for (const next of follow(reading)) {
        if (next.cost > this.#bound) continue;
        const key = next.top?.hash ?? 0;
        const known = best.get(key);
        if (!known || next.cost < known.cost) best.set(key, next);
      }
    }
    if (best.size === 0) return this.#widen(follow);
    const sorted = [...best.values()].sort((a, b) => a.cost - b.cost);
    const cost = sorted[0]?.cost ?? 0;
    this.#readings = sorted.slice(0, cost < HOPELESS ? WIDTH : HOPELESS_WIDTH);
    this.#bound = cost + SLACK;
  }

  /** Nothing affordable follows: whatever comes next costs more. */
  #widen(follow: (reading: Reading) => Reading[]): void {
    this.#bound += SLACK;
    this.#advance(follow);
  }

  /** Whether an edit that costs 1 is worth a thought. */
  #isAffordable(reading: Reading): boolean {
    return reading.cost + 1 <= this.#bound;
  }

  get #lineIndent(): number {
    return this.#tokens[this.#lines.at(-1) ?? 0]?.column ?? 0;
  }

  #open(reading: Reading, token: Token, index: number): Reading[] {
    const pushed = push(reading, { text: token.text, index, line: token.line, indent: this.#lineIndent });
    if (!this.#isAffordable(reading)) return [pushed];
    const text = closerOf(token.text);
    const turned = edited(reading, { kind: "turn", index, text }, this.#turnCost(token, index));
    return [
      pushed,
      edited(reading, { kind: "stray", index }, this.#isDoubled(token, index) ? COST.doubled : COST.stray),
      ...pair(turned, { ...token, text }),
    ];
  }

  #close(reading: Reading, token: Token, index: number): Reading[] {
    if (!this.#isAffordable(reading)) return pair(reading, token);
    const text = openerOf(token.text);
    const turned = edited(reading, { kind: "turn", index, text }, this.#turnCost(token, index));
    return [
      ...closings(reading, token, index),
      edited(reading, { kind: "stray", index }, COST.stray + index * COST.later),
      push(turned, { text, index, line: token.line, indent: this.#lineIndent }),
      ...this.#openEarlier(reading, token),
    ];
  }

  #isDoubled(token: Token, index: number): boolean {
    return token.text === "{" && this.#tokens[index - 1]?.text === "{";
  }

  /** After a closing bracket comes a comma, another one or a new line; after an opening one anything else. */
  #turnCost(token: Token, index: number): number {
    const next = this.#tokens[index + 1];
    const looksClosing = !next || next.firstOnLine || next.text === "," || isCloser(next.text);
    return looksClosing === isOpener(token.text) ? COST.likelyTurn : COST.turn;
  }

  /** The opening bracket is missing at the end of the line that this closing one lines up with. */
  #openEarlier(reading: Reading, token: Token): Reading[] {
    if (!token.firstOnLine) return [];
    for (let line = this.#lines.length - 2; line >= 0; line--) {
      const first = this.#tokens[this.#lines[line] ?? 0];
      const next = this.#lines[line + 1] ?? 0;
      if (!first || first.column > token.column) continue;
      const isDeeper = (this.#tokens[next]?.column ?? 0) > token.column;
      if (first.column < token.column || !isDeeper || isCloser(first.text)) return [];
      if (reading.top && reading.top.index >= next) return [];
      return [edited(reading, { kind: "insert", index: next, text: openerOf(token.text) }, COST.insert)];
    }
    return [];
  }
}

function edited({ cost, top, edits }: Reading, edit: Edit, price: number): Reading {
  return { cost: cost + price, top, edits: { edit, before: edits } };
}

interface Opening {
  readonly text: string;
  readonly index: number;
  readonly line: number;
  readonly indent: number;
}

function push({ cost, top, edits }: Reading, { text, index, line, indent }: Opening): Reading {
  const opened = { text, index, line, indent, excused: false, below: top, hash: hashOf(top, index) };
  return { cost, top: opened, edits };
}

function hashOf(below: Open | undefined, index: number): number {
  return (Math.imul((below?.hash ?? 7) ^ (index + 1), 0x01000193) ^ (index << 7)) | 1;
}

/** The block at the top ends before the token at `index`, though its closing bracket is missing. */
function closeMissing(reading: Reading, top: Open, index: number): Reading {
  const { cost, edits } = edited(reading, { kind: "insert", index, text: closerOf(top.text) }, COST.insert);
  return { cost, top: top.below, edits };
}

/** A line that stands left of the content of the block around it: the block has ended, or the indentation errs. */
function startLine(reading: Reading, token: Token, index: number): Reading[] {
  const results: Reading[] = [];
  let current = reading;
  for (let missing = 0; missing <= MAX_MISSING; missing++) {
    const { top } = current;
    if (!top || top.excused || token.column > top.indent) return [...results, current];
    results.push({ ...current, top: { ...top, excused: true }, cost: current.cost + COST.outdent });
    current = closeMissing(current, top, index);
  }
  return results;
}

/** The closing bracket closes the block at the top, or one further out after those within are closed. */
function closings(reading: Reading, token: Token, index: number): Reading[] {
  const results: Reading[] = [];
  let current = reading;
  for (let missing = 0; current.top && missing <= MAX_MISSING; missing++) {
    results.push(...pair(current, token));
    current = closeMissing(current, current.top, index);
  }
  return results;
}

function pair(reading: Reading, token: Token): Reading[] {
  const { top } = reading;
  if (!top) return [];
  const cost = reading.cost + (closerOf(top.text) === token.text ? 0 : COST.mismatch) + misfit(top, token);
  return [{ cost, top: top.below, edits: reading.edits }];
}

function misfit(top: Open, token: Token): number {
  if (top.line === token.line) return 0;
  if (!token.firstOnLine) return COST.distant;
  return top.indent === token.column ? 0 : COST.misaligned;
}

/** The cheapest reading, with everything closed that is still open at the end. */
function closeAll(readings: readonly Reading[], end: number): Reading {
  const finished = readings.map((reading) => {
    let closed = reading;
    for (let top = closed.top; top; top = closed.top) closed = closeMissing(closed, top, end);
    return closed;
  });
  return finished.reduce((best, reading) => (reading.cost < best.cost ? reading : best));
}

function listEdits(last: EditList | undefined): Edit[] {
  const edits: Edit[] = [];
  for (let list = last; list; list = list.before) edits.push(list.edit);
  return edits.reverse();
}
