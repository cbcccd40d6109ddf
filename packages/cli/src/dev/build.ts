// The sources as an application that could be served: what `stoa build` makes, and nothing written yet.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { compile } from "@stoa/compiler";
import { type Definition, writeDefinition } from "@stoa/definition";
import type { OpenApiOptions } from "@stoa/generators";
import { buildHooks } from "../build-hooks.js";
import { aboutProject, type GeneratedFile, generateFiles } from "../generated.js";
import type { BundleFile } from "../hook-modules.js";
import { hasErrors } from "../report.js";
import { type ProjectSources, readProject } from "../sources.js";
import { untilWritten } from "./half-written.js";
import { sourcesBroken, type Trouble } from "./trouble.js";

export interface Build {
  readonly root: string;
  /** Where its files will stand. */
  readonly folder: string;
  readonly definition: Definition;
  readonly hookFiles: readonly BundleFile[];
  /** All files that the bundle of the hooks was made of. */
  readonly inputs: readonly string[];
  readonly generated: readonly GeneratedFile[];
  /** What package.json says of the project. */
  readonly about: OpenApiOptions;
  /** The same for what would behave the same. */
  readonly fingerprint: string;
  /** What is not wrong, yet worth to be known. */
  readonly warnings: Trouble | null;
}

export type BuildResult =
  | { readonly kind: "built"; readonly build: Build }
  | { readonly kind: "broken"; readonly trouble: Trouble };

/** Throws a failure where there is nothing to build, or no way to read it. */
export async function buildProject(path: string, folder: string): Promise<BuildResult> {
  const project = await readWritten(path);
  const { root } = project;
  const compiled = compile(project.sources);
  const definition = project.diagnostics.length === 0 ? compiled.definition : undefined;
  const hooks = definition && (await buildHooks({ ...project, definition, folder }));
  const findings = [...project.diagnostics, ...compiled.diagnostics, ...(hooks?.findings ?? [])];
  const about = () => sourcesBroken(findings, [...project.sources, ...(hooks?.modules ?? [])]);
  if (definition === undefined || hooks === undefined || hasErrors(findings)) {
    return { kind: "broken", trouble: about() };
  }
  const parts = { root, folder, definition, hookFiles: hooks.files, inputs: hooks.inputs };
  const generated = await generateFiles(definition, root);
  const build = { ...parts, generated, about: aboutProject(root) };
  const warnings = findings.length > 0 ? about() : null;
  return { kind: "built", build: { ...build, warnings, fingerprint: fingerprintOf(build) } };
}

/** Sources that were empty even after a while, and so are meant to be. */
let empty: ReadonlySet<string> = new Set();

/** The sources, and none of them emptied only to be filled. */
async function readWritten(path: string): Promise<ProjectSources> {
  const emptyOf = ({ root, sources }: ProjectSources) =>
    sources.filter(({ text }) => text === "").map(({ name }) => join(root, name));
  const project = readProject(path);
  const suspects = emptyOf(project).filter((file) => !empty.has(file));
  if (suspects.length === 0) return project;
  await untilWritten(suspects);
  const written = readProject(path);
  empty = new Set(emptyOf(written));
  return written;
}

function fingerprintOf({ definition, hookFiles, generated, about }: Omit<Build, "fingerprint" | "warnings">) {
  const hash = createHash("sha256").update(writeDefinition(definition)).update(JSON.stringify(about));
  for (const { path, contents } of hookFiles) hash.update(path).update(contents);
  for (const { path, text } of generated) hash.update(path).update(text);
  return hash.digest("hex");
}
