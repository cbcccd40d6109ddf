// Repairs the braces of a file before it is parsed. A missing or stray brace would shift the meaning of
// everything after it; indentation shows where it belongs. Files with balanced braces pass untouched.

import type { Diagnostic, Span } from "../diagnostics/diagnostic.js";
import * as say from "../diagnostics/messages/syntax.js";
import type { Token } from "./token.js";

export interface BalanceResult {
  readonly tokens: readonly Token[];
  /** Closing braces that close nothing on their own line; the parser decides with its context. */
  readonly suspects: ReadonlySet<Token>;
  readonly diagnostics: readonly Diagnostic[];
}

interface OpenBrace {
  readonly token: Token;
  readonly index: number;
  /** Indentation of the line that opens the block. */
  readonly indent: number;
  /** Whether the lines inside are indented deeper, so that indentation can be trusted. */
  indented: boolean;
}

export function balanceBraces(file: string, tokens: readonly Token[]): BalanceResult {
  const missing = countMissingCloses(tokens);
  if (missing === undefined) return { tokens, suspects: new Set(), diagnostics: [] };
  return new Balancer(file, tokens, missing).run();
}

/** Closing braces short of opening ones (negative: too many); undefined when all pair up. */
function countMissingCloses(tokens: readonly Token[]): number | undefined {
  let depth = 0;
  let wentBelow = false;
  for (const token of tokens) {
    if (token.kind !== "symbol") continue;
    if (token.text === "{") depth++;
    else if (token.text === "}") depth--;
    if (depth < 0) wentBelow = true;
  }
  return depth === 0 && !wentBelow ? undefined : depth;
}

/** Walks the tokens once, with the stack of open braces. */
class Balancer {
  readonly #file: string;
  readonly #tokens: readonly Token[];
  readonly #output: Token[] = [];
  readonly #suspects = new Set<Token>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #stack: OpenBrace[] = [];
  #missingCloses: number;
  #strayCloses: number;
  #lineIndent = 0;

  constructor(file: string, tokens: readonly Token[], missing: number) {
    this.#file = file;
    this.#tokens = tokens;
    this.#missingCloses = Math.max(0, missing);
    this.#strayCloses = Math.max(0, -missing);
  }

  run(): BalanceResult {
    for (const token of this.#tokens) this.#take(token);
    return { tokens: this.#output, suspects: this.#suspects, diagnostics: this.#diagnostics };
  }

  #take(token: Token): void {
    if (token.kind === "end") this.#closeAll(token);
    else if (token.firstOnLine) this.#startLine(token);
    if (token.kind === "symbol" && token.text === "}") return this.#close(token);
    if (token.kind === "symbol" && token.text === "{") {
      this.#stack.push({ token, index: this.#output.length, indent: this.#lineIndent, indented: false });
    }
    this.#output.push(token);
  }

  #startLine(token: Token): void {
    this.#lineIndent = token.column;
    for (let top = this.#stack.at(-1); top && this.#missingCloses > 0; top = this.#stack.at(-1)) {
      if (!this.#isLeftOf(token, top)) break;
      this.#missingCloses--;
      this.#closeVirtually(top);
    }
    const top = this.#stack.at(-1);
    if (top && token.column > top.indent) top.indented = true;
  }

  /** Whether a line stands so far left that the block above it must have ended before. */
  #isLeftOf(token: Token, top: OpenBrace): boolean {
    const opensInline = this.#output[top.index + 1]?.line === top.token.line;
    if (!top.indented && !opensInline) return false;
    return token.text === "}" ? token.column < top.indent || opensInline : token.column <= top.indent;
  }

  #closeVirtually(top: OpenBrace): void {
    this.#stack.pop();
    const last = this.#output.at(-1) ?? top.token;
    this.#diagnostics.push(say.unclosedBlock(this.#span(top.token), this.#emptySpan(last.end)));
    this.#output.push(virtualBrace("}", last));
  }

  #closeAll(end: Token): void {
    for (let top = this.#stack.at(-1); top; top = this.#stack.at(-1)) this.#closeVirtually(top);
    this.#lineIndent = end.column;
  }

  #close(token: Token): void {
    const top = this.#stack.at(-1);
    if (!top) return this.#dropStray(token);
    const sameLine = top.token.line === token.line;
    if (this.#strayCloses > 0 && !sameLine && !token.firstOnLine) {
      this.#strayCloses--;
      this.#suspects.add(token);
      this.#output.push(token);
      return;
    }
    if (this.#strayCloses > 0 && !sameLine && token.column > top.indent) {
      this.#strayCloses--;
      if (!this.#openVirtually(token, top)) return this.#dropStray(token);
      this.#output.push(token);
      return;
    }
    this.#stack.pop();
    this.#output.push(token);
  }

  #dropStray(token: Token): void {
    this.#diagnostics.push(say.strayBrace(this.#span(token)));
  }

  /** Puts the missing `{` at the end of the line that the closing brace lines up with. */
  #openVirtually(close: Token, top: OpenBrace): boolean {
    for (let index = this.#output.length - 1; index > top.index; index--) {
      const token = this.#output[index];
      if (!token?.firstOnLine || token.column !== close.column || token.text === "}") continue;
      const lineEnd = this.#lastOfLine(index);
      const next = this.#output[lineEnd + 1];
      if (!next || next.column <= token.column) return false;
      const last = this.#output[lineEnd] ?? token;
      this.#output.splice(lineEnd + 1, 0, virtualBrace("{", last));
      this.#diagnostics.push(say.expected(this.#emptySpan(last.end), "`{`", "the end of the line", "{"));
      return true;
    }
    return false;
  }

  #lastOfLine(index: number): number {
    let last = index;
    while (this.#output[last + 1] && !this.#output[last + 1]?.firstOnLine) last++;
    return last;
  }

  #span(token: Token): Span {
    return { file: this.#file, start: token.start, end: token.end };
  }

  #emptySpan(at: number): Span {
    return { file: this.#file, start: at, end: at };
  }
}

function virtualBrace(text: "{" | "}", after: Token): Token {
  return {
    kind: "symbol",
    text,
    start: after.end,
    end: after.end,
    line: after.line,
    column: after.column + after.text.length,
    firstOnLine: false,
    doc: undefined,
  };
}
