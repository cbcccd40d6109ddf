// Offsets → lines and columns. Columns count UTF-16 units, as editors do.

export interface Position {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/** Where each line of a text starts. */
export class LineIndex {
  readonly #text: string;
  /** Found when they are first asked for: a file without mistakes may never be asked about. */
  #found: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get #starts(): readonly number[] {
    this.#found ??= findLineStarts(this.#text);
    return this.#found;
  }

  position(offset: number): Position {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** The text of a line, from 1, without its line break. */
  line(number: number): string {
    const start = this.#starts[number - 1] ?? this.#text.length;
    const end = this.#starts[number] ?? this.#text.length + 1;
    return this.#text.slice(start, end - 1).replace(/\r$/, "");
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
