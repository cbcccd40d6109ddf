// `up.sql`: steps as text that people read, edit and keep. Whatever is run is read from here.
//
//   -- step 2 (data): fills book.code in the rows that are there
//   --   In small transactions, so that no row stays locked for long.
//   -- run in batches of 5000 rows of "public"."book"
//   UPDATE "public"."book" SET "code" = gen_random_uuid() WHERE "code" IS NULL AND "id" BETWEEN $1 AND $2;
//
// The numbers are for people; the order counts.

import type { StepClass } from "../schema/step.js";
import type { MigrationStep, StepRun } from "./migration.js";
import { splitStatements } from "./sql-text.js";

export interface UpFile {
  readonly name: string;
  readonly parent: string | null;
  readonly steps: readonly MigrationStep[];
}

export function printUpFile({ name, parent, steps }: UpFile): string {
  const after = parent === null ? "the first one" : `after ${parent}`;
  const head = [
    `-- Migration ${name}, ${after}.`,
    "-- Written by `stoa db migrate`. Read it; edit it if you like, until it has been deployed.",
  ];
  return `${[head.join("\n"), ...steps.map(printStep)].join("\n\n")}\n`;
}

function printStep({ class: stepClass, words, reasons, run, sql }: MigrationStep, index: number): string {
  const how = printRun(run);
  return [
    `-- step ${index + 1} (${stepClass}): ${oneLine(words)}`,
    ...(stepClass === "destructive" ? ["--   LOSES DATA"] : []),
    ...reasons.map((reason) => `--   ${oneLine(reason)}`),
    ...(how === null ? [] : [`-- run ${how}`]),
    sql,
  ].join("\n");
}

/** Names may hold anything; a line break in one would end the comment. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ");
}

function printRun(run: StepRun): string | null {
  switch (run.kind) {
    case "together":
      return null;
    case "apart":
      return "in a new transaction";
    case "alone":
      return "outside a transaction";
    case "batches":
      return `in batches of ${run.size} rows of ${run.table}`;
    case "no-rows":
      return "and stop if there are rows";
  }
}

const HEADER = /^-- step(?: \d+)? \((additive|widening|data|destructive)\): (.*)$/;
const RUN = /^-- run (.*?)\s*$/;
const BATCHES = /^in batches of (\d{1,7}) rows of (\S.*)$/;

/** Undefined where a line begins with `-- run` and goes on with what nobody knows. */
export function readUpFile(text: string): readonly MigrationStep[] | undefined {
  const [lead = [], ...parts] = splitAtHeaders(text.replaceAll("\r\n", "\n").split("\n"));
  const own = splitStatements(lead.join("\n")).length === 0 ? [] : [readStep(OWN_HEADER, lead)];
  const steps = [...own, ...parts.map(([header = "", ...lines]) => readStep(header, lines))];
  return steps.every((step) => step !== undefined) ? steps : undefined;
}

/** For files that were written by hand, without steps. */
const OWN_HEADER = "-- step (data): runs what up.sql begins with";

function splitAtHeaders(lines: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (HEADER.test(line)) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts;
}

function readStep(header: string, lines: readonly string[]): MigrationStep | undefined {
  const [, stepClass = "data", words = ""] = HEADER.exec(header) ?? [];
  const how = lines.flatMap((line) => RUN.exec(line)?.[1] ?? []).at(0);
  const run = how === undefined ? ({ kind: "together" } as const) : readRun(how);
  if (run === undefined) return undefined;
  const isReason = (line: string) => /^--( {3}|$)/.test(line) || RUN.test(line);
  const start = lines.findIndex((line) => !isReason(line));
  const sql = (start < 0 ? [] : lines.slice(start)).join("\n").trim();
  const reasons = lines.slice(0, Math.max(start, 0)).filter((line) => /^-- {3}/.test(line));
  return {
    class: stepClass as StepClass,
    words,
    run,
    reasons: reasons.map((line) => line.slice(5)).filter((reason) => reason !== "LOSES DATA"),
    sql,
  };
}

function readRun(how: string): StepRun | undefined {
  switch (how) {
    case "in a new transaction":
      return { kind: "apart" };
    case "outside a transaction":
      return { kind: "alone" };
    case "and stop if there are rows":
      return { kind: "no-rows" };
  }
  const [, size, table] = BATCHES.exec(how) ?? [];
  return size === undefined || table === undefined
    ? undefined
    : { kind: "batches", size: Math.max(1, Number(size)), table };
}
