// The notation of the conformance cases: a program, its rows, and requests with the answers they must get.
//
//   # A heading, and lines of prose
//
//   stoa
//   | model Author { … }
//
//   rows
//   | author {"id": 11, "name": "Ann"}
//
//   sql
//   | insert into author …
//
//   case a list holds all records
//   > GET /api/author
//   > X-Request-Id: abc
//   as 11
//   < 200
//   < Content-Type: application/json; charset=utf-8
//   | [{"id":11,"name":"Ann"}]
//   same as /api/author?x
//   statements 1
//
// `as` is the id of the user. Headers after `<` are those that must be there, others may be. The body may be
// broken into lines wherever JSON may; an answer without one has no `|`. `same as` names another address whose
// answer must be the same, byte for byte. `statements` counts what went to the database.
//
// Three abbreviations: `| (not found)` is the one document that all 404s have; of a very long list there are its
// length, a digest and its ends; `{x*4000}` in an address is so many x.

import { createHash } from "node:crypto";

export interface CaseFile {
  readonly lines: readonly string[];
  readonly source: string;
  readonly setup: readonly Setup[];
  readonly cases: readonly Case[];
}

/** What is in the database before the first request. */
export type Setup =
  | { readonly kind: "row"; readonly table: string; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: "sql"; readonly sql: string };

export interface Case {
  readonly title: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly userId: string | null;
  readonly sameAs: string | null;
  readonly expected: Answer;
  /** The lines of the file that hold the expectation. */
  readonly place: { readonly start: number; readonly end: number };
}

export type Header = readonly [name: string, value: string];

export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  /** JSON without white space between its parts; empty where there is no body. */
  readonly body: string;
  readonly statements: number;
}

const NOT_FOUND = JSON.stringify({
  type: "https://stoa.dev/errors/not-found",
  title: "Not found",
  status: 404,
  code: "not-found",
  detail: "There is nothing at this address",
});
const NOT_FOUND_SHORT = "(not found)";

export function readCaseFile(text: string): CaseFile {
  const lines = text.split("\n");
  const blocks = readBlocks(lines);
  const source = blocks.filter(({ head }) => head === "stoa").flatMap(barLines);
  return {
    lines,
    source: source.map((line) => `${line}\n`).join(""),
    setup: blocks.flatMap(readSetup),
    cases: blocks.filter(({ head }) => head.startsWith("case ")).map(readCase),
  };
}

export interface Block {
  readonly head: string;
  readonly start: number;
  readonly lines: string[];
}

/** A block begins with a word at the start of a line, and ends at an empty line. */
export function readBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, line] of lines.entries()) {
    if (line === "") open = undefined;
    else if (open !== undefined) open.lines.push(line);
    else if (/^(?:stoa|rows|sql|case .+)$/.test(line)) {
      open = { head: line, start: index, lines: [] };
      blocks.push(open);
    }
  }
  return blocks;
}

export function barLines({ head, lines }: Block): string[] {
  return lines.map((line) => {
    if (!line.startsWith("|")) throw new Error(`In \`${head}\`: a line without \`|\`: ${line}`);
    return line.slice(2);
  });
}

export function readSetup(block: Block): Setup[] {
  if (block.head === "sql") return [{ kind: "sql", sql: barLines(block).join("\n") }];
  if (block.head !== "rows") return [];
  return barLines(block).map((line) => {
    const space = line.indexOf(" ");
    return { kind: "row", table: line.slice(0, space), values: JSON.parse(line.slice(space)) };
  });
}

function readCase({ head, lines, start }: Block): Case {
  const title = head.slice("case ".length);
  const [request = "", ...headers] = linesAfter(lines, "> ");
  const [method = "", target = ""] = request.split(/ (.*)/);
  const first = lines.findIndex((line) => line.startsWith("<") || line.startsWith("statements"));
  if (target === "") throw new Error(`The case \`${title}\` has no request.`);
  return {
    title,
    method,
    target: target.replace(/\{(.+)\*(\d+)\}/g, (_, text, times) => text.repeat(times)),
    headers: headers.map(readHeader),
    userId: linesAfter(lines, "as ")[0] ?? null,
    sameAs: linesAfter(lines, "same as ")[0] ?? null,
    expected: readAnswer(lines),
    place: { start: start + 1 + (first < 0 ? lines.length : first), end: start + 1 + lines.length },
  };
}

export function linesAfter(lines: readonly string[], mark: string): string[] {
  return lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
}

export function readHeader(line: string): Header {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

function readAnswer(lines: readonly string[]): Answer {
  const [status = "0", ...headers] = linesAfter(lines, "< ");
  const body = linesAfter(lines, "| ").join("\n");
  return {
    status: Number(status),
    headers: headers.map(readHeader),
    body: body === NOT_FOUND_SHORT ? NOT_FOUND : body.startsWith("(") ? body : squeeze(body),
    statements: Number(linesAfter(lines, "statements ")[0] ?? "-1"),
  };
}

/** JSON without the white space between its parts: numbers and escapes stay as they are written. */
export function squeeze(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text) => text ?? "");
}

const LONGEST_BODY = 20_000;

/** A long list, told by its length, a digest and its first and last elements. */
export function abbreviate(body: string): string {
  if (body.length <= LONGEST_BODY || !body.startsWith("[")) return body;
  const elements: unknown[] = JSON.parse(body);
  const digest = createHash("sha256").update(body).digest("hex").slice(0, 16);
  const ends = [elements[0], elements.at(-1)].map((each) => JSON.stringify(each)).join("…");
  return `(${elements.length} elements, ${digest}: ${ends})`;
}

export function writeAnswer({ status, headers, body, statements }: Answer, sameAs: string | null): string[] {
  return [
    `< ${status}`,
    ...headers.map(([name, value]) => `< ${name}: ${value}`),
    ...layOut(body).map((line) => `| ${line}`),
    ...(sameAs === null ? [] : [`same as ${sameAs}`]),
    `statements ${statements}`,
  ];
}

const LONGEST_LINE = 110;

/** In one line, or with a line for each element of the outer array. */
export function layOut(body: string): string[] {
  if (body === "") return [];
  if (body === NOT_FOUND) return [NOT_FOUND_SHORT];
  const [opening] = /^(?:\[|\{"page".*?"data":\[)/.exec(body) ?? [];
  if (body.length <= LONGEST_LINE || opening === undefined) return [body];
  return [opening, ...splitElements(body.slice(opening.length))];
}

/** What follows the opening bracket: a line for each element, and one for the end. */
function splitElements(rest: string): string[] {
  const lines = [""];
  let depth = 0;
  for (const [token] of rest.matchAll(/"(?:[^"\\]|\\.)*"|./gs)) {
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (depth === -1) lines.push("");
    lines.push(`${lines.pop()}${token}`);
    if (depth === 0 && token === ",") lines.push("");
  }
  return lines.filter((line) => line !== "");
}

/** The file with what was found in place of what was expected. */
export function withAnswers(file: CaseFile, found: ReadonlyMap<Case, Answer>): string {
  const lines = [...file.lines];
  for (const each of [...file.cases].reverse()) {
    const answer = found.get(each);
    if (answer === undefined) continue;
    lines.splice(each.place.start, each.place.end - each.place.start, ...writeAnswer(answer, each.sameAs));
  }
  return lines.join("\n");
}
