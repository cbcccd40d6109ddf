// `stoa build`: check, then write the application definition, the bundle of its hooks and their types, and what
// generators make of it.

import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { compile } from "@stoa/compiler";
import { type Definition, type Entrypoint, writeDefinition } from "@stoa/definition";
import { buildHooks, HOOK_FILES, TYPES_FILE } from "../build-hooks.js";
import { readConfiguration } from "../config/configuration.js";
import { EXIT, Failure } from "../failure.js";
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
  const file = definition && isGood ? await write(folder, definition, hooks.files) : undefined;
  if (flags.json) printJson(findings, sources, file ? listFiles(file, hooks?.files ?? [], generated) : {});
  else {
    printDiagnostics(findings, sources);
    if (file && definition) printBuilt(file, definition);
  }
  return isGood ? EXIT.ok : EXIT.user;
}

/** The definition last: where it is new, everything is. */
async function write(folder: string, definition: Definition, hooks: readonly BundleFile[]): Promise<string> {
  const file = join(folder, "definition.json");
  const stale = HOOK_FILES.map((name) => join(folder, name)).filter(
    (path) => !hooks.some((hook) => hook.path === path),
  );
  try {
    await mkdir(folder, { recursive: true });
    for (const { path, contents } of hooks) await replace(path, contents);
    for (const path of stale) await rm(path, { force: true });
    await replace(file, writeDefinition(definition));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`The definition cannot be written to ${file}: ${reason}`, {
      hint: "check the permissions and the free space, or choose another folder with --out",
      exitCode: EXIT.environment,
    });
  }
  return file;
}

/** Written beside and moved into place, so that nobody ever reads half a file. */
async function replace(file: string, contents: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  await rename(temporary, file);
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
