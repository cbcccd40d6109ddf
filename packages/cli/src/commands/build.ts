// `stoa build`: check, then write the application definition.

import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { compile } from "@stoa/compiler";
import { type Definition, type Entrypoint, writeDefinition } from "@stoa/definition";
import { EXIT, Failure } from "../failure.js";
import { printDiagnostics, printJson } from "../report.js";
import { expectShortRun } from "../short-run.js";
import { readProject } from "../sources.js";
import { paletteFor, plural, print } from "../terminal.js";

export interface BuildOptions {
  readonly json?: boolean;
  readonly out?: string;
}

export async function build(path: string, { json, out }: BuildOptions): Promise<number> {
  const project = readProject(path);
  expectShortRun();
  const compiled = compile(project.sources);
  const diagnostics = [...project.diagnostics, ...compiled.diagnostics];
  const { definition } = compiled;
  const isGood = definition !== undefined && project.diagnostics.length === 0;
  const folder = out === undefined ? join(project.root, ".stoa", "build") : resolve(out);
  const file = isGood ? await write(folder, definition) : undefined;
  if (json) printJson(diagnostics, project.sources, file ? { definition: file } : {});
  else {
    printDiagnostics(diagnostics, project.sources);
    if (file && definition) printBuilt(file, definition);
  }
  return isGood ? EXIT.ok : EXIT.user;
}

/** Written beside and moved into place, so that nobody ever reads half a file. */
async function write(folder: string, definition: Definition): Promise<string> {
  const file = join(folder, "definition.json");
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(temporary, writeDefinition(definition));
    await rename(temporary, file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`The definition cannot be written to ${file}: ${reason}`, {
      hint: "check the permissions and the free space, or choose another folder with --out",
      exitCode: EXIT.environment,
    });
  }
  return file;
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
