// `stoa fmt`: every source in the one style.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Diagnostic, format, type Source } from "@stoa/compiler";
import { EXIT } from "../failure.js";
import { hasErrors, printDiagnostics, printJson } from "../report.js";
import { expectShortRun } from "../short-run.js";
import { readProject } from "../sources.js";
import { paletteFor, plural, print } from "../terminal.js";

export interface FmtOptions {
  readonly check?: boolean;
  readonly json?: boolean;
}

export async function fmt(path: string, { check, json }: FmtOptions): Promise<number> {
  const project = readProject(path);
  expectShortRun();
  const bad = new Set(project.diagnostics.map(({ span }) => span.file));
  const results = project.sources
    .filter((source) => !bad.has(source.name))
    .map((source) => ({ source, result: format(source) }));
  const changed = results.flatMap(({ source, result }) =>
    result.kind === "formatted" && result.text !== source.text
      ? [{ name: source.name, text: result.text }]
      : [],
  );
  const broken = results.flatMap(({ result }) => (result.kind === "broken" ? result.diagnostics : []));
  if (!check) for (const { name, text } of changed) writeFileSync(join(project.root, name), text);
  const diagnostics = [...project.diagnostics, ...broken];
  if (json) printJson(diagnostics, project.sources, { changed: changed.map(({ name }) => name) });
  else
    report(project.sources, { changed: changed.map(({ name }) => name), diagnostics, check: check === true });
  return hasErrors(diagnostics) || (check && changed.length > 0) ? EXIT.user : EXIT.ok;
}

interface FmtReport {
  readonly changed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly check: boolean;
}

function report(sources: readonly Source[], { changed, diagnostics, check }: FmtReport): void {
  const palette = paletteFor(process.stdout);
  printDiagnostics(diagnostics, sources);
  for (const name of changed)
    print(`${check ? palette.warning("not formatted") : palette.good("formatted")} ${name}`);
  if (hasErrors(diagnostics)) return;
  if (changed.length === 0) print(`${palette.good("✓")} ${plural(sources.length, "file")} in good style`);
  else if (check) print(`${plural(changed.length, "file")} to format: run \`stoa fmt\``);
}
