// `stoa explain --access`: who can do what, as a table; and for a user and a record, which clause decides.

import type { Database } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import {
  type AccessAnswer,
  type AccessRow,
  type DecidedClause,
  explainAccess,
  listAccess,
  type Place,
  type Truth,
} from "@stoa/runtime";
import { Failure } from "../failure.js";
import { paletteFor, plural, print } from "../terminal.js";

export interface AccessFlags {
  readonly json?: boolean;
  readonly access?: boolean;
  /** The id of a user. */
  readonly user?: string;
  readonly record?: readonly string[];
}

/** Whether it is asked about somebody or something, and not only what the rules are. */
export function asksDecision({ user, record }: AccessFlags): boolean {
  return user !== undefined || (record ?? []).length > 0;
}

export function printAccess(definition: Definition, places: readonly Place[], { json }: AccessFlags): void {
  const rows = listAccess(definition, places);
  if (json) return print(JSON.stringify({ endpoints: rows }, null, 2));
  const lines = rows.flatMap(linesOf);
  const widths = [0, 1, 2].map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0), 0));
  const palette = paletteFor(process.stdout);
  print(palette.strong(padded(["endpoint", "of", "about", "rule"], widths)));
  for (const line of lines) {
    const text = padded(line, widths);
    print(line[3] === UNGUARDED ? palette.warning(text) : text);
  }
  const open = rows.filter(({ guard }) => guard === "unguarded").length;
  print(`${plural(rows.length, "endpoint")}${open === 0 ? "" : `, ${open} that no rule covers (!)`}`);
}

const UNGUARDED = "! everybody: no rule covers it";

/** One line per rule; all of them must hold. */
function linesOf({ name, guard, rules }: AccessRow): string[][] {
  switch (guard) {
    case "public":
      return [[name, "", "", "public"]];
    case "unguarded":
      return [[name, "", "", UNGUARDED]];
    case "rules":
      return rules.map(({ of, about, condition }, index) => [index === 0 ? name : "", of, about, condition]);
  }
}

function padded(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join("  ")
    .trimEnd();
}

export async function printDecision(
  definition: Definition,
  place: Place,
  { database, flags }: { readonly database: Database; readonly flags: AccessFlags },
): Promise<void> {
  const { parameters, name } = place.endpoint;
  const records = flags.record ?? [];
  if (records.length !== parameters.length) {
    const each = parameters.map((parameter) => `--record <${parameter.name}>`).join(" ");
    const hint = parameters.length === 0 ? "leave out --record" : `write ${each}`;
    throw new Failure(`${name} has ${plural(parameters.length, "record")} in its path.`, { hint });
  }
  if (flags.user !== undefined && definition.auth === null)
    throw new Failure("There are no users: the program has no `auth`.", {
      hint: "leave out --user, or write an `auth` block",
    });
  const question = { userId: flags.user ?? null, records };
  const answer = await explainAccess(definition, place, { database, question });
  if (flags.json) print(JSON.stringify(answer, null, 2));
  else printAnswer(answer, flags);
}

const SIGNS: Readonly<Record<Truth, string>> = { yes: "✓", no: "✗", null: "null", unknown: "?" };
const SIGN_WIDTH = 4;

function printAnswer(answer: AccessAnswer, { user, record = [] }: AccessFlags): void {
  const palette = paletteFor(process.stdout);
  const who =
    user === undefined ? "nobody" : `user ${user}${answer.user === "missing" ? " (does not exist)" : ""}`;
  const what = record.length === 0 ? "" : `, ${record.join(" / ")}`;
  print(`${palette.note(answer.method)} ${palette.strong(answer.path)}  ${answer.name}`);
  print(`${who}${what}${answer.record === "missing" ? " (does not exist)" : ""}\n`);
  const width = Math.max(0, ...answer.clauses.map(({ of }) => of.length));
  for (const [index, clause] of answer.clauses.entries())
    printClause(clause, width, index === answer.decides);
  const good = answer.status < 400;
  print(
    `${answer.clauses.length === 0 ? "" : "\n"}${(good ? palette.good : palette.error)(String(answer.status))} ${reasonOf(answer)}`,
  );
}

function printClause(
  { of, clause, role, holds, parts }: DecidedClause,
  width: number,
  decides: boolean,
): void {
  const palette = paletteFor(process.stdout);
  const note = decides ? palette.strong("  ← decides") : palette.faint(NOTES[role]);
  print(`${SIGNS[holds].padEnd(SIGN_WIDTH)}  ${of.padEnd(width)}  ${clause}${note}`);
  for (const part of parts) {
    print(
      `${"".padEnd(SIGN_WIDTH)}  ${"".padEnd(width)}    ${SIGNS[part.holds].padEnd(SIGN_WIDTH)} ${part.clause}`,
    );
  }
}

const NOTES: Readonly<Record<DecidedClause["role"], string>> = {
  user: "",
  reach: "",
  endpoint: "",
  after: "  (of each record that is listed or written)",
  shown: "  (who may know about the record)",
};

function reasonOf({ status, decides, clauses, record }: AccessAnswer): string {
  if (status < 400) return "all that must hold does";
  if (decides === null) return record === "missing" ? "there is no such record" : "";
  const { of, clause } = clauses[decides] ?? { of: "", clause: "" };
  return `\`${clause}\` of ${of} does not hold`;
}
