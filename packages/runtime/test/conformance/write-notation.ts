// The notation of the cases that write: as that of the reads (see notation.ts), with these differences.
//
//   case a book is created, and changed
//   > POST /api/book
//   > {"title": "One"}
//   < 201
//   < ETag: "(tag 1)"
//   < Location: /api/book/1001
//   | {"id":1001,"title":"One","createdAt":"(now)"}
//   statements 1, round trips 1
//   then
//   > PATCH /api/book/1001
//   > If-Match: "(tag 1)"
//   > {"title": 5}
//   < 400
//   ! validation: 1 field is not valid
//   ! /title type: must be a string {"expected":"string"}
//   statements 0, round trips 0
//   + book {"id":1001,"title":"One","created_at":"(now)"}
//
// What follows the headers of a request is its body, as it stands; it is sent as JSON unless a `Content-Type` says
// otherwise. All headers that are not on every answer must be listed. `!` is a problem document: code and detail,
// then a line for each error. `times 20` sends the request so often at once, and the answer is how often each
// status came.
//
// Every case begins with the rows of the file. At its end stand **all** differences between then and now: `+` a
// new row, `-` one that is gone, `~` one that has changed, with its id and what has changed. Numbers with fractions
// are texts there. New ids count from 1001 for the first model of the alphabet, from 2001 for the second, and so on.
//
// What is another each time is told as `(now)`, `(today)`, `(uuid4 1)`, `(uuid7 1)` and `(tag 1)`, and new ids as
// `(id 1)` in cases with `times`; the same value has the same
// number throughout a case, and later requests can name it. `{x*4000}` is so many x.

import {
  type Block,
  type Header,
  linesAfter,
  readBlocks,
  readHeader,
  readSetup,
  type Setup,
} from "./notation.js";

export interface WriteFile {
  readonly text: string;
  readonly lines: readonly string[];
  readonly source: string;
  readonly setup: readonly Setup[];
  readonly cases: readonly WriteCase[];
}

export interface WriteCase {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly changes: Expectation;
}

export interface Step {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: string | null;
  readonly userId: string | null;
  readonly times: number;
  readonly expected: Expectation;
}

/** Lines of the file that say what is expected, and where they stand. */
export interface Expectation {
  readonly lines: readonly string[];
  readonly start: number;
}

export function readWriteFile(text: string): WriteFile {
  const lines = text.split("\n");
  const blocks = readBlocks(lines);
  const source = blocks
    .filter(({ head }) => head === "stoa")
    .flatMap((block) => linesAfter(block.lines, "| "));
  return {
    text,
    lines,
    source: source.map((line) => `${line}\n`).join(""),
    setup: blocks.flatMap(readSetup),
    cases: blocks.filter(({ head }) => head.startsWith("case ")).map(readWriteCase),
  };
}

function readWriteCase({ head, lines, start }: Block): WriteCase {
  const first = lines.findIndex((line) => /^[+~-] /.test(line));
  const end = first < 0 ? lines.length : first;
  const steps: Step[] = [];
  let from = 0;
  for (let index = 0; index <= end; index++) {
    if (index < end && lines[index] !== "then") continue;
    steps.push(readStep(head, lines.slice(from, index), start + 1 + from));
    from = index + 1;
  }
  const changes = { lines: lines.slice(end), start: start + 1 + end };
  return { title: head.slice("case ".length), steps, changes };
}

function readStep(head: string, lines: readonly string[], start: number): Step {
  const [request = "", ...rest] = linesAfter(lines, "> ");
  const [method = "", target = ""] = request.split(/ (.*)/);
  if (target === "") throw new Error(`In \`${head}\`: there is no request.`);
  const asked = lines.findIndex((line) => !/^(?:>|as |times )/.test(line));
  const answered = asked < 0 ? lines.length : asked;
  const expected = { lines: lines.slice(answered), start: start + answered };
  const odd = expected.lines.find((line) => !/^[<|!] |^statements |^\|$/.test(line));
  if (odd !== undefined) throw new Error(`In \`${head}\`: nobody understands \`${odd}\`.`);
  const userId = linesAfter(lines, "as ")[0] ?? null;
  const times = Number(linesAfter(lines, "times ")[0] ?? "1");
  return { method, target: repeated(target), ...readContent(rest), userId, times, expected };
}

const HEADER = /^[A-Za-z][\w-]*:(?: |$)/;

function readContent(lines: readonly string[]): Pick<Step, "headers" | "body"> {
  const end = lines.findIndex((line) => !HEADER.test(line));
  const named = (end < 0 ? lines : lines.slice(0, end)).map(readHeader);
  const body = end < 0 ? null : repeated(lines.slice(end).join("\n"));
  const isTyped = body === null || named.some(([name]) => name === "Content-Type");
  const headers: Header[] = isTyped ? named : [...named, ["Content-Type", "application/json"]];
  return { body, headers: headers.filter(([, value]) => value !== "") };
}

function repeated(text: string): string {
  return text.replace(/\{(\w+)\*(\d+)\}/g, (_, part: string, times) => part.repeat(Number(times)));
}

/** The file with what was found in place of what was expected. */
export function withFound(file: WriteFile, found: ReadonlyMap<Expectation, readonly string[]>): string {
  const lines = [...file.lines];
  // From the end, so that places stay what they are; of two at one place, the later one first.
  const places = [...found].reverse().sort(([left], [right]) => right.start - left.start);
  for (const [{ start, lines: old }, now] of places) lines.splice(start, old.length, ...now);
  return lines.join("\n");
}
