// Diagnostics on the terminal, and the line that sums them up.

import { type Finding, type Palette, renderDiagnostics, type Source, toJson } from "@stoa/compiler";
import { paletteFor, plural, print, printError } from "./terminal.js";

export function hasErrors(diagnostics: readonly Finding[]): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

function textsOf(sources: readonly Source[]): Map<string, string> {
  return new Map(sources.map((source) => [source.name, source.text]));
}

/** For people, on standard error. */
export function printDiagnostics(diagnostics: readonly Finding[], sources: readonly Source[]): void {
  if (diagnostics.length === 0) return;
  printError(renderFindings(diagnostics, sources, paletteFor(process.stderr)));
}

export function renderFindings(
  diagnostics: readonly Finding[],
  sources: readonly Source[],
  palette: Palette,
): string {
  const text = renderDiagnostics(diagnostics, { sources: textsOf(sources), palette });
  return `${text}\n${palette.strong(summary(diagnostics))}`;
}

/** For people who read them as part of something else: without colours. */
export function renderErrors(diagnostics: readonly Finding[], sources: readonly Source[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return renderDiagnostics(errors, { sources: textsOf(sources) });
}

/** For programs: one object on standard output. */
export function printJson(
  diagnostics: readonly Finding[],
  sources: readonly Source[],
  extra: object = {},
): void {
  print(JSON.stringify({ ...extra, diagnostics: toJson(diagnostics, textsOf(sources)) }));
}

export function summary(diagnostics: readonly Finding[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  const fixable = diagnostics.filter(({ fix }) => fix).length;
  const counts = [errors > 0 ? plural(errors, "error") : "", warnings > 0 ? plural(warnings, "warning") : ""];
  const fixes = fixable > 0 ? ` (${fixable} can be fixed with \`stoa check --fix\`)` : "";
  return `${counts.filter((count) => count !== "").join(", ")}${fixes}`;
}
