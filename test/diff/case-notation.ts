// The notation of the cases of `stoa diff`: what is edited in a program that the cases of a file share, and the changes
// that this makes.
//
//   === a property goes
//   --- edit
//   { title, price } => { title }
//   --- changes
//   breaking    GET /api/book: no longer answers with `price`
//               clients that read `price`: it is missing from the answer
//
// The shared program stands before the first case. `=>` with nothing after it takes a text away; `\n` begins a line. A
// case may have a program of its own instead: `--- old` and `--- new`. UPDATE=1 rewrites the changes.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { compareTables } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { compareApis } from "@stoa/generators";

const FOLDER = new URL("./", import.meta.url);

export interface CaseFile {
  readonly name: string;
  /** The introduction and the shared program, as they are written. */
  readonly head: string;
  readonly cases: readonly DiffCase[];
}

export interface DiffCase {
  readonly title: string;
  readonly old: string;
  readonly new: string;
  /** All but the changes, as it is written. */
  readonly given: string;
  readonly changes: string;
}

export function readCaseFiles(): CaseFile[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".cases"))
    .sort()
    .map((name) => {
      const [head = "", ...bodies] = readFileSync(new URL(name, FOLDER), "utf8").split(/^=== /m);
      const shared = sectionsOf(head).get("given") ?? "";
      return { name, head, cases: bodies.map((body) => readCase(body, shared)) };
    });
}

export function writeCaseFile({ name, head, cases }: CaseFile): void {
  const texts = cases.map(
    ({ given, changes }) => `${given}--- changes\n${changes === "" ? "" : `${changes}\n`}`,
  );
  writeFileSync(new URL(name, FOLDER), `${head}${texts.map((text) => `=== ${text}`).join("\n")}`);
}

function readCase(body: string, shared: string): DiffCase {
  const sections = sectionsOf(body);
  const old = sections.get("old") ?? shared;
  const edits = sections.get("edit");
  return {
    title: body.slice(0, body.indexOf("\n")),
    old,
    new: edits === undefined ? (sections.get("new") ?? "") : edit(old, edits),
    given: `${body.split(/^--- changes$/m)[0]?.trimEnd()}\n`,
    changes: sections.get("changes") ?? "",
  };
}

function sectionsOf(text: string): Map<string, string> {
  const [, ...parts] = text.split(/^--- /m);
  return new Map(
    parts.map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n") + 1).trimEnd()]),
  );
}

function edit(source: string, edits: string): string {
  return edits.split("\n").reduce((text, line) => {
    const [from = "", to = ""] = line.split(/ =>(?: |$)/);
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`"${from}" is there ${parts.length - 1} times`);
    return parts.join(to.replaceAll("\\n", "\n"));
  }, source);
}

/** The changes as the cases have them. */
export function printChanges(before: Definition, after: Definition): string {
  const api = compareApis({ definition: before }, { definition: after });
  const tables = compareTables(before, after).map(({ table, ...change }) => ({
    ...change,
    where: `table ${table}`,
  }));
  return [...api, ...tables]
    .map(({ class: name, where, what, why, affects }) => {
      const reason = affects === null ? why : `${affects}: ${why}`;
      return `${name.padEnd(10)}  ${where}: ${what}\n            ${reason}`;
    })
    .join("\n");
}
