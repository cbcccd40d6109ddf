// Where a text stops being JSON. The engine's own message differs from version to version and often has no
// position, so once parsing has failed, this scanner walks the text again. It keeps its own stack: depth is free.

export interface JsonFault {
  readonly message: string;
  /** From 1; columns count UTF-16 units, as editors do. */
  readonly line: number;
  readonly column: number;
}

/** The first fault, or null when the text is JSON. `whole` is what the text is called: a file, a body. */
export function findJsonFault(text: string, whole = "file"): JsonFault | null {
  const scan: Scan = { text, whole, offset: 0, open: [], expects: "value" };
  let fault: string | null = null;
  while (fault === null) {
    scan.offset = skipPattern(scan, SPACE);
    if (scan.offset >= text.length && scan.expects === "end") return null;
    fault = readToken(scan);
  }
  const before = text.slice(0, scan.offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { message: fault, line: before.split("\n").length, column: scan.offset - lineStart + 1 };
}

type Expects = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or close" | "end";

interface Scan {
  readonly text: string;
  readonly whole: string;
  offset: number;
  readonly open: ("{" | "[")[];
  expects: Expects;
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** Moves past one token; gives the fault if the token does not belong here. */
function readToken(scan: Scan): string | null {
  const character = scan.text[scan.offset];
  switch (scan.expects) {
    case "value":
      return readValue(scan);
    case "value or ]":
      return character === "]" ? close(scan) : readValue(scan);
    case "key":
    case "key or }":
      if (character === "}" && scan.expects === "key or }") return close(scan);
      return character === '"' ? readText(scan, "colon") : expected(scan);
    case "colon":
      return character === ":" ? advance(scan, "value") : expected(scan);
    case "comma or close":
      if (character === ",") return advance(scan, scan.open.at(-1) === "{" ? "key" : "value");
      return character === closer(scan) ? close(scan) : expected(scan);
    case "end":
      return expected(scan);
  }
}

function readValue(scan: Scan): string | null {
  const character = scan.text[scan.offset];
  if (character === "{" || character === "[") {
    scan.open.push(character);
    return advance(scan, character === "{" ? "key or }" : "value or ]");
  }
  if (character === '"') return readText(scan, afterValue(scan));
  const end = Math.max(skipPattern(scan, NUMBER), skipPattern(scan, WORD));
  if (end === scan.offset) return expected(scan);
  scan.offset = end;
  scan.expects = afterValue(scan);
  return null;
}

function readText(scan: Scan, next: Expects): string | null {
  const start = scan.offset;
  for (let offset = start + 1; offset < scan.text.length; offset++) {
    const character = scan.text[offset] ?? "";
    if (character === '"') {
      scan.offset = offset;
      return advance(scan, next);
    }
    if (character < " ") return faultAt(scan, offset, "a line break or control character inside a text");
    if (character === "\\") {
      const length = ESCAPE.exec(scan.text.slice(offset, offset + 6))?.[0].length;
      if (length === undefined) return faultAt(scan, offset, "an escape that JSON does not know");
      offset += length - 1;
    }
  }
  return faultAt(scan, start, "a text without an end");
}

const ESCAPE = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;

function faultAt(scan: Scan, offset: number, message: string): string {
  scan.offset = offset;
  return message;
}

function advance(scan: Scan, next: Expects): null {
  scan.offset++;
  scan.expects = next;
  return null;
}

function close(scan: Scan): null {
  scan.open.pop();
  return advance(scan, afterValue(scan));
}

function afterValue(scan: Scan): Expects {
  return scan.open.length > 0 ? "comma or close" : "end";
}

function closer(scan: Scan): string {
  return scan.open.at(-1) === "{" ? "}" : "]";
}

function skipPattern(scan: Scan, pattern: RegExp): number {
  pattern.lastIndex = scan.offset;
  return scan.offset + (pattern.exec(scan.text)?.[0].length ?? 0);
}

function expected(scan: Scan): string {
  const code = scan.text.codePointAt(scan.offset);
  const found =
    code === undefined ? `the end of the ${scan.whole}` : JSON.stringify(String.fromCodePoint(code));
  return `expected ${describeExpected(scan)}, found ${found}`;
}

function describeExpected(scan: Scan): string {
  switch (scan.expects) {
    case "value":
      return "a value";
    case "value or ]":
      return 'a value or "]"';
    case "key":
      return "a key in double quotes";
    case "key or }":
      return 'a key in double quotes or "}"';
    case "colon":
      return '":"';
    case "comma or close":
      return `"," or "${closer(scan)}"`;
    case "end":
      return `the end of the ${scan.whole}`;
  }
}
