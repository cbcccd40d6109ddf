// The definition of a project, compiled from its sources; what is wrong with them is printed.

import { compile } from "@stoa/compiler";
import type { Definition } from "@stoa/definition";
import { printDiagnostics, printJson } from "./report.js";
import { readProject } from "./sources.js";

export interface CompiledProject {
  readonly root: string;
  /** Undefined when there are errors; they have been printed. */
  readonly definition: Definition | undefined;
}

export async function compileProject(
  path: string,
  { json }: { readonly json?: boolean },
): Promise<CompiledProject> {
  const project = readProject(path);
  const compiled = compile(project.sources);
  const diagnostics = [...project.diagnostics, ...compiled.diagnostics];
  const definition = project.diagnostics.length === 0 ? compiled.definition : undefined;
  // Warnings are for `check` and `build`; here only what stops the work is shown.
  if (!definition && json) printJson(diagnostics, project.sources);
  else if (!definition) printDiagnostics(diagnostics, project.sources);
  return { root: project.root, definition };
}
