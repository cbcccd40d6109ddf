// `stoa check`: compile, say what is wrong, write nothing (with --fix: write the fixes).

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyFixes, checkSources, type Diagnostic, type Source } from "@stoa/compiler";
import { EXIT } from "../failure.js";
import { hasErrors, printDiagnostics, printJson } from "../report.js";
import { expectShortRun } from "../short-run.js";
import { readProject } from "../sources.js";
import { paletteFor, plural, print, standardOutput } from "../terminal.js";

export interface CheckOptions {
  readonly json?: boolean;
  readonly fix?: boolean;
}

export async function check(path: string, { json, fix }: CheckOptions): Promise<number> {
  expectShortRun();
  const project = readProject(path);
  const fixed = fix ? fixSources(project.sources) : { sources: project.sources, fixes: [] };
  writeChanged(project.root, project.sources, fixed.sources);
  const { diagnostics: found } = checkSources(fixed.sources);
  const diagnostics = [...project.diagnostics, ...found];
  if (json) printJson(diagnostics, fixed.sources, fix ? { fixed: fixed.fixes.length } : {});
  else {
    printFixes(fixed.fixes);
    printDiagnostics(diagnostics, fixed.sources);
    if (!hasErrors(diagnostics)) printGood(fixed.sources, diagnostics);
  }
  return hasErrors(diagnostics) ? EXIT.user : EXIT.ok;
}

const MAX_ROUNDS = 20;

/** Fixes until nothing is left to fix: a fix may uncover what a mistake had hidden. */
function fixSources(sources: readonly Source[]): {
  sources: readonly Source[];
  fixes: readonly Diagnostic[];
} {
  let current = sources;
  const fixes: Diagnostic[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { diagnostics } = checkSources(current);
    const results = current.map((source) => ({
      source,
      ...applyFixes(source.name, source.text, diagnostics),
    }));
    const applied = results.flatMap((result) => result.applied);
    if (applied.length === 0) break;
    fixes.push(...applied);
    current = results.map(({ source, text }) => ({ name: source.name, text }));
  }
  return { sources: current, fixes };
}

function writeChanged(root: string, before: readonly Source[], after: readonly Source[]): void {
  for (const [index, source] of after.entries()) {
    if (source.text !== before[index]?.text) writeFileSync(join(root, source.name), source.text);
  }
}

function printFixes(fixes: readonly Diagnostic[]): void {
  if (fixes.length === 0) return;
  const palette = paletteFor(process.stdout);
  for (const { span, message, fix } of fixes) {
    print(
      `${palette.good("fixed")} ${palette.faint(span.file)} ${message} ${palette.faint(`(${fix?.title})`)}`,
    );
  }
}

function printGood(sources: readonly Source[], diagnostics: readonly Diagnostic[]): void {
  const palette = paletteFor(standardOutput);
  const warnings = diagnostics.length > 0 ? ` (${plural(diagnostics.length, "warning")})` : "";
  print(`${palette.good("✓")} ${plural(sources.length, "file")} checked, no errors${warnings}`);
}
