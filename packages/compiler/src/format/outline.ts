// The pieces of a file as a tree: bracketed groups hold items, items hold pieces and groups. Everything is
// an index into the pieces.

import type { Layout, LayoutStyle } from "../syntax/parser.js";
import type { Token } from "../syntax/token.js";
import { hasComments, type Piece } from "./pieces.js";

export interface Group {
  readonly style: LayoutStyle;
  readonly open: number;
  readonly close: number;
  readonly items: readonly Item[];
  /** Its items stand on lines of their own even where one line would do. */
  readonly mustBreak: boolean;
}

export interface Item {
  readonly first: number;
  readonly last: number;
  readonly groups: readonly Group[];
  /** Operators outside of the groups; a long item is broken before them. */
  readonly operators: readonly Operator[];
}

export interface Operator {
  readonly index: number;
  readonly level: OperatorLevel;
}

/** 0: `or`, 1: `and`, 2: `+` and `-`. Weaker ones are broken first. */
export type OperatorLevel = 0 | 1 | 2;

export interface Outline {
  readonly declarations: readonly Item[];
  /** Pieces before which a comma separates two items of one line. */
  readonly separated: ReadonlySet<number>;
  /** Opening parentheses that stand right after the name of what is called. */
  readonly calls: ReadonlySet<number>;
  /** Minus signs of a single value. */
  readonly signs: ReadonlySet<number>;
}

export interface OutlineSource {
  readonly layouts: readonly Layout[];
  readonly starts: readonly Token[];
  readonly signs: readonly Token[];
}

export function outlinePieces(pieces: readonly Piece[], source: OutlineSource): Outline {
  return new Outliner(pieces, source).run();
}

/** Declarations that are never written on one line. */
const ALWAYS_BROKEN: ReadonlySet<string> = new Set(["model", "api", "entrypoint", "populator"]);

const AGGREGATES: ReadonlySet<string> = new Set(["count", "sum", "avg", "min", "max", "exists"]);

interface OpenItem extends Item {
  last: number;
  readonly groups: Group[];
  readonly operators: Operator[];
}

interface OpenGroup {
  readonly style: LayoutStyle;
  readonly open: number;
  readonly closeToken: Token | undefined;
  readonly starts: readonly Token[];
  readonly items: OpenItem[];
  hasComments: boolean;
  hasLines: boolean;
}

/** Walks the pieces once, with the stack of open groups. */
class Outliner {
  readonly #pieces: readonly Piece[];
  readonly #layouts = new Map<Token, Layout>();
  readonly #signTokens: ReadonlySet<Token>;
  readonly #separated = new Set<number>();
  readonly #calls = new Set<number>();
  readonly #signs = new Set<number>();
  readonly #outer: OpenGroup[] = [];
  #group: OpenGroup;

  constructor(pieces: readonly Piece[], { layouts, starts, signs }: OutlineSource) {
    this.#pieces = pieces;
    for (const layout of layouts) this.#layouts.set(layout.open, layout);
    this.#signTokens = new Set(signs);
    this.#group = openGroup("lines", -1, undefined, starts);
  }

  run(): Outline {
    for (const [index, piece] of this.#pieces.entries()) {
      if (piece.token.kind !== "end") this.#take(index, piece);
    }
    return {
      declarations: this.#group.items,
      separated: this.#separated,
      calls: this.#calls,
      signs: this.#signs,
    };
  }

  #take(index: number, { token, gap }: Piece): void {
    if (hasComments(gap)) this.#group.hasComments = true;
    if (token === this.#group.closeToken) this.#close(index);
    else this.#add(index, token);
  }

  #add(index: number, token: Token): void {
    const item = this.#itemAt(index, token);
    item.last = index;
    const level = this.#operatorLevel(index, token);
    if (level !== undefined) item.operators.push({ index, level });
    const layout = token.kind === "symbol" ? this.#layouts.get(token) : undefined;
    if (layout) this.#open(index, layout, item);
  }

  /** The item that a token belongs to: a new one if the parser saw one begin there. */
  #itemAt(index: number, token: Token): OpenItem {
    const { items, starts, style } = this.#group;
    const current = items.at(-1);
    if (current && token !== starts[items.length]) return current;
    const item: OpenItem = { first: index, last: index, groups: [], operators: [] };
    items.push(item);
    const hasSeparators = style === "properties" || style === "inline-commas";
    if (current && hasSeparators && this.#pieces[index - 1]?.text !== ",") this.#separated.add(index);
    return item;
  }

  #operatorLevel(index: number, token: Token): OperatorLevel | undefined {
    if (token.text === "+") return 2;
    if (token.text === "-") {
      if (!this.#signTokens.has(token)) return 2;
      this.#signs.add(index);
      return undefined;
    }
    // After a dot any word is a name.
    if (token.kind !== "word" || this.#pieces[index - 1]?.text === ".") return undefined;
    if (token.text === "or") return 0;
    return token.text === "and" ? 1 : undefined;
  }

  #open(index: number, layout: Layout, item: OpenItem): void {
    if (layout.open.text === "(" && this.#isCall(index, layout, item)) this.#calls.add(index);
    this.#outer.push(this.#group);
    this.#group = openGroup(layout.style, index, layout.close, layout.items);
  }

  /** `lower(name)`, and `sum(price)` as a property of a query. */
  #isCall(index: number, layout: Layout, item: OpenItem): boolean {
    if (layout.style === "inline-commas") return true;
    const isFirst = this.#group.style === "properties" && item.first === index - 1;
    return isFirst && AGGREGATES.has(this.#pieces[item.first]?.text ?? "");
  }

  #close(index: number): void {
    const inner = this.#group;
    const outer = this.#outer.pop();
    const item = outer?.items.at(-1);
    if (!outer || !item) return;
    item.groups.push({
      style: inner.style,
      open: inner.open,
      close: index,
      items: inner.items,
      mustBreak: inner.style === "lines" && this.#mustBreak(inner, item),
    });
    item.last = index;
    outer.hasComments ||= inner.hasComments;
    outer.hasLines ||= inner.hasLines || inner.style === "lines";
    this.#group = outer;
  }

  /** Only a block with a single plain property is short enough for one line. */
  #mustBreak({ items, hasComments, hasLines }: OpenGroup, owner: Item): boolean {
    if (hasComments) return true;
    if (items.length === 0) return false;
    return items.length > 1 || hasLines || ALWAYS_BROKEN.has(this.#pieces[owner.first]?.text ?? "");
  }
}

function openGroup(
  style: LayoutStyle,
  open: number,
  closeToken: Token | undefined,
  starts: readonly Token[],
): OpenGroup {
  return { style, open, closeToken, starts, items: [], hasComments: false, hasLines: false };
}
