// `stoa diff`: what has changed between two versions of an application, and whom it breaks.

import { existsSync } from "node:fs";
import { compareTables } from "@stoa/database";
import { compareApis } from "@stoa/generators";
import { type AppVersion, readVersion } from "../app-version.js";
import { EXIT } from "../failure.js";
import { paletteFor, plural, print } from "../terminal.js";

export interface DiffFlags {
  readonly failOn?: "breaking" | "any";
  readonly json?: boolean;
}

/** As `--json` prints it. */
interface Change {
  readonly part: "api" | "database";
  readonly kind: string;
  readonly class: "breaking" | "compatible";
  /** Method and path, or the table. */
  readonly where: string;
  readonly operation: string | null;
  readonly what: string;
  readonly why: string;
  readonly affects: string | null;
  /** Of the database: how `stoa db migrate` classes it. */
  readonly step: string | null;
}

type Part = Change["part"];

export async function diff(
  [old, newer]: readonly [old: string, newer: string],
  { failOn, json = false }: DiffFlags,
): Promise<number> {
  const after = readVersion(newer, { json, beside: "." });
  if (!after) return EXIT.user;
  const before = readVersion(old, { json, beside: existsSync(newer) ? placeBeside(newer) : "." });
  if (!before) return EXIT.user;
  const changes = compareVersions(before, after);
  if (json) print(JSON.stringify({ old, new: newer, changes, counts: countAll(changes) }));
  else printChanges(changes, old);
  const isFailed = changes.some((change) => failOn === "any" || change.class === failOn);
  return isFailed ? EXIT.user : EXIT.ok;
}

/** What was built has no history; its project has. */
function placeBeside(path: string): string {
  return path.endsWith(".json") ? "." : path;
}

function compareVersions(before: AppVersion, after: AppVersion): Change[] {
  const api = compareApis(before, after).map((change): Change => ({ part: "api", ...change, step: null }));
  const tables = compareTables(before.definition, after.definition).map(
    ({ table, ...change }): Change => ({ part: "database", operation: null, where: table, ...change }),
  );
  return [...api, ...tables];
}

function countAll(changes: readonly Change[]) {
  const count = (part: Part, wanted: Change["class"]): number =>
    changes.filter((change) => change.part === part && change.class === wanted).length;
  const countPart = (part: Part) => ({
    breaking: count(part, "breaking"),
    compatible: count(part, "compatible"),
  });
  return { api: countPart("api"), database: countPart("database") };
}

// ---------------------------------------------------------------- for people

function printChanges(changes: readonly Change[], old: string): void {
  const palette = paletteFor(process.stdout);
  if (changes.length === 0) {
    print(`${palette.good("✓")} nothing has changed since ${old}: neither the API nor the database`);
    return;
  }
  for (const part of ["api", "database"] as const) {
    const own = changes.filter((change) => change.part === part);
    if (own.length === 0) continue;
    print(palette.strong(part === "api" ? "API" : "Database"));
    for (const group of groupsOf(own)) printGroup(group);
    print("");
  }
  printCounts(changes);
}

interface Group {
  readonly places: readonly string[];
  readonly changes: readonly Change[];
}

/** What is the same in several places is told once; breaking ones come first. */
function groupsOf(changes: readonly Change[]): Group[] {
  const byPlace = new Map<string, Change[]>();
  for (const change of changes) byPlace.set(change.where, [...(byPlace.get(change.where) ?? []), change]);
  const groups = new Map<string, Group>();
  for (const [place, own] of byPlace) {
    const sorted = [...own].sort((a, b) => rankOf(a) - rankOf(b));
    const key = JSON.stringify(sorted.map(({ where: _, operation: __, ...rest }) => rest));
    groups.set(key, { places: [...(groups.get(key)?.places ?? []), place], changes: sorted });
  }
  const isBreaking = (group: Group): number => Math.min(...group.changes.map(rankOf));
  return [...groups.values()].sort((a, b) => isBreaking(a) - isBreaking(b));
}

function rankOf(change: Change): number {
  return change.class === "breaking" ? 0 : 1;
}

const INDENT = " ".repeat(14);

function printGroup({ places, changes }: Group): void {
  const palette = paletteFor(process.stdout);
  print(`\n  ${places.map(palette.note).join("\n  ")}`);
  for (const change of changes) {
    const mark = change.class === "breaking" ? palette.error("breaking  ") : palette.good("compatible");
    print(`  ${mark}  ${change.what}`);
    print(palette.faint(`${INDENT}${change.affects === null ? "" : `${change.affects}: `}${change.why}`));
  }
}

function printCounts(changes: readonly Change[]): void {
  const palette = paletteFor(process.stdout);
  const { api, database } = countAll(changes);
  const words = (name: string, { breaking, compatible }: typeof api): string[] => {
    if (breaking + compatible === 0) return [];
    const bad = breaking > 0 ? [palette.error(`${breaking} breaking`)] : [];
    const good = compatible > 0 ? [palette.good(`${compatible} compatible`)] : [];
    return [`${name}: ${[...bad, ...good].join(", ")}`];
  };
  const parts = [...words("API", api), ...words("database", database)];
  print(`${palette.strong(plural(changes.length, "change"))}; ${parts.join("; ")}`);
}
