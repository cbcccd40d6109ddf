// `stoa build`: check, then write the application definition, the bundle of its hooks and their types, and what
// generators make of it.

import { basename, relative } from "node:path";
import { compile } from "@stoa/compiler";
import type { Definition, Entrypoint } from "@stoa/definition";
import { buildHooks, TYPES_FILE } from "../build-hooks.js";
import { writeBuilt } from "../built.js";
import { readConfiguration } from "../config/configuration.js";
import { EXIT } from "../failure.js";
import { type GeneratedFile, generateFiles, writeFiles } from "../generated.js";
import { BUNDLE_FILE } from "../hook-bundle.js";
import type { BundleFile } from "../hook-modules.js";
import { printDiagnostics, printJson } from "../report.js";
import { expectShortRun } from "../short-run.js";
import { readProject } from "../sources.js";
import { paletteFor, plural, print } from "../terminal.js";

export interface BuildOptions {
  readonly json?: boolean;
}

export async function build(path: string, flags: BuildOptions): Promise<number> {
  const project = readProject(path);
  const { settings } = await readConfiguration(project.root, { command: "build", flags });
  expectShortRun();
  const compiled = compile(project.sources);
  const definition = project.diagnostics.length === 0 ? compiled.definition : undefined;
  const folder = settings.buildFolder;
  const hooks = definition && (await buildHooks({ ...project, definition, folder }));
  const findings = [...project.diagnostics, ...compiled.diagnostics, ...(hooks?.findings ?? [])];
  const sources = [...project.sources, ...(hooks?.modules ?? [])];
  const isGood = hooks !== undefined && hooks.findings.length === 0;
  const generated = definition && isGood ? await generateFiles(definition, project.root) : [];
  await writeFiles(generated);
  const file = definition && isGood ? await writeBuilt(folder, definition, hooks.files) : undefined;
  if (flags.json) printJson(findings, sources, file ? listFiles(file, hooks?.files ?? [], generated) : {});
  else {
    printDiagnostics(findings, sources);
    if (file && definition) printBuilt(file, definition);
  }
  return isGood ? EXIT.ok : EXIT.user;
}

/** For programs: what was written. */
function listFiles(
  definition: string,
  hooks: readonly BundleFile[],
  generated: readonly GeneratedFile[],
): object {
  const find = (name: string) => hooks.find(({ path }) => basename(path) === name)?.path;
  // JSON leaves out what there is none of.
  const others = generated.length > 0 ? generated.map(({ path }) => path) : undefined;
  return { definition, hooks: find(BUNDLE_FILE), hookTypes: find(TYPES_FILE), generated: others };
}

function printBuilt(file: string, definition: Definition): void {
  const palette = paletteFor(process.stdout);
  const endpoints = definition.apis
    .flatMap((api) => api.entrypoints)
    .reduce((count, entrypoint) => count + countEndpoints(entrypoint), 0);
  const parts = [plural(definition.models.length, "model"), plural(endpoints, "endpoint")];
  print(`${palette.good("✓")} built ${parts.join(", ")} into ${relative(process.cwd(), file) || file}`);
}

function countEndpoints(entrypoint: Entrypoint): number {
  return entrypoint.entrypoints.reduce(
    (count, nested) => count + countEndpoints(nested),
    entrypoint.endpoints.length,
  );
}
