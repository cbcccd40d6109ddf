// The notation of the migration scenarios: what is deployed, the rows that are there, what it becomes, and what comes
// of it.
//
//   === a required field with a default
//   model Book { field title { type string } }
//   --- rows
//   INSERT INTO book (title) VALUES ('Emma');
//   --- new
//   model Book { field title { type string }, field pages { type integer, default 0 } }
//   --- sql
//   -- step 1 (additive): adds the column pages to book
//   …
//   --- select title, pages from book
//   {"title":"Emma","pages":0}
//
// `--- allow destructive rewrite no-renames` are the flags of `stoa db migrate`, `--- fill <value>` is what a person
// writes where the file asks for one. Where no migration is written, `--- refused` says why; where deployment stops,
// `--- stops`, and the rows are those of before.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type PushCase, readPushCases, writePushCases } from "./schema-case-notation.js";

export interface ScenarioFile {
  readonly name: string;
  readonly introduction: string;
  readonly cases: readonly PushCase[];
}

const FOLDER = new URL("./migrations/", import.meta.url);

export function readScenarios(): ScenarioFile[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .map((name) => ({ name, ...readPushCases(readFileSync(new URL(name, FOLDER), "utf8")) }));
}

export function writeScenarios(name: string, introduction: string, cases: readonly PushCase[]): void {
  writeFileSync(new URL(name, FOLDER), writePushCases(introduction, cases));
}

const RESULTS = ["sql", "refused", "stops", "select"];

/** Written anew by UPDATE=1. */
export function isOutcome(name: string): boolean {
  return RESULTS.some((result) => name === result || name.startsWith(`${result} `));
}

/** What stands after the word on the line of a section: `--- fill 0` → `0`. */
export function argumentOf({ sections }: PushCase, word: string): string | undefined {
  return sections.find(({ name }) => name.startsWith(`${word} `))?.name.slice(word.length + 1);
}
