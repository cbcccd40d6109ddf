// Modules of hooks become one bundle: they are found, their exports looked at, and put together by esbuild. npm
// packages stay outside. No code of the project runs here.

import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Finding, Source } from "@stoa/compiler";
import { batchName, modulePath, type PlacedHook } from "@stoa/definition";
import type { BuildFailure, BuildOptions } from "esbuild";
import {
  functionMissing,
  moduleBroken,
  moduleMissing,
  moduleOutside,
  type Program,
} from "./hook-findings.js";
import { moduleFiles } from "./module-files.js";
import { OWN_PACKAGE } from "./own-package.js";

export interface BundleInput extends Program {
  readonly root: string;
  readonly hooks: readonly PlacedHook[];
  /** Where the bundle will stand: packages are found from there, and its source map points from there. */
  readonly outfile: string;
  readonly sourcemap: "linked" | "inline";
}

export type Bundled =
  /** `inputs` are all files that the bundle was made of, with their whole paths. */
  | {
      readonly kind: "bundle";
      readonly files: readonly BundleFile[];
      readonly inputs: readonly string[];
    }
  /** `modules` are the files that findings point at, beside the program's own. */
  | { readonly kind: "findings"; readonly findings: readonly Finding[]; readonly modules: readonly Source[] };

export interface BundleFile {
  readonly path: string;
  readonly contents: Uint8Array;
}

/** A function that the bundle must have. */
interface Wanted {
  readonly placed: PlacedHook;
  readonly name: string;
  /** From the root, as the program says it; part of the function's key. */
  readonly path: string;
  /** From the root, as the file is called. */
  readonly file: string;
}

export async function bundleHooks(input: BundleInput): Promise<Bundled> {
  const wanted: Wanted[] = [];
  const findings: Finding[] = [];
  for (const placed of input.hooks) {
    const found = findModule(input, placed);
    if (found !== undefined) "severity" in found ? findings.push(found) : wanted.push(found);
  }
  if (findings.length > 0) return { kind: "findings", findings, modules: [] };
  if (wanted.length === 0) return { kind: "bundle", files: [], inputs: [] };
  try {
    const exported = await readExports(input, wanted);
    const missing = wanted.flatMap((each) => checkExport(input, each, exported));
    if (missing.length > 0) return { kind: "findings", findings: missing, modules: [] };
    return { kind: "bundle", ...(await writeBundle(input, writeEntry(wanted, exported))) };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return describeFailure(input.root, error);
  }
}

// ---------------------------------------------------------------- files

function findModule(input: BundleInput, placed: PlacedHook): Wanted | Finding | undefined {
  const { code } = placed.hook;
  if (code.kind === "inline") return undefined;
  const path = modulePath(input.definition, code);
  if (path.startsWith("..")) return moduleOutside(input, placed, path);
  const file = moduleFiles(path).find((each) => isFile(join(input.root, each)));
  if (file === undefined) {
    const neighbours = filesIn(dirname(join(input.root, path)));
    return moduleMissing(input, placed, { path, neighbours });
  }
  const inside = relative(realpathSync(input.root), realpathSync(join(input.root, file)));
  if (inside.startsWith("..") || isAbsolute(inside)) return moduleOutside(input, placed, path);
  return { placed, name: code.function, path, file };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

// ---------------------------------------------------------------- exports

/** Null where only running the module would tell: CommonJS, or all exports of a package passed on. */
type Exported = ReadonlyMap<string, readonly string[] | null>;

async function readExports({ root }: BundleInput, wanted: readonly Wanted[]): Promise<Exported> {
  const { build } = await import("esbuild");
  const files = [...new Set(wanted.map(({ file }) => file))];
  const { metafile, outputFiles } = await build({
    ...sharedOptions(root),
    entryPoints: files.map((file) => ({ in: join(root, file), out: file })),
    outdir: join(root, ".stoa/exports"),
    write: false,
    metafile: true,
  });
  const outputs = Object.values(metafile.outputs);
  return new Map(
    files.map((file) => {
      const index = outputs.findIndex(({ entryPoint }) => entryPoint === file);
      const passesOn = /^export \* from /m.test(outputFiles[index]?.text ?? "");
      const isCommon = metafile.inputs[file]?.format === "cjs";
      return [file, passesOn || isCommon ? null : (outputs[index]?.exports ?? [])];
    }),
  );
}

function checkExport(
  input: BundleInput,
  { placed, name, path, file }: Wanted,
  exported: Exported,
): Finding[] {
  const exports = exported.get(file);
  if (exports == null || exports.includes(name)) return [];
  if (placed.use.kind === "member" && exports.includes(batchName(name))) return [];
  return [functionMissing(input, placed, { path, name, exports })];
}

// ---------------------------------------------------------------- the bundle

/** A module that imports all functions and exports them as one table. */
function writeEntry(wanted: readonly Wanted[], exported: Exported): string {
  const files = [...new Set(wanted.map(({ file }) => file))].sort();
  const imports = files.map((file, index) => `import * as m${index} from ${JSON.stringify(`./${file}`)};`);
  const entries = new Map<string, string>();
  for (const { name, path, file } of wanted) {
    for (const each of [name, batchName(name)]) {
      if (exported.get(file)?.includes(each) === false) continue;
      entries.set(`${path}#${each}`, `m${files.indexOf(file)}[${JSON.stringify(each)}]`);
    }
  }
  const table = [...entries].sort().map(([key, value]) => `  ${JSON.stringify(key)}: ${value},`);
  return [...imports, "export const hooks = {", ...table, "};", ""].join("\n");
}

async function writeBundle(
  input: BundleInput,
  entry: string,
): Promise<{ readonly files: readonly BundleFile[]; readonly inputs: readonly string[] }> {
  const { build } = await import("esbuild");
  const { root, outfile, sourcemap } = input;
  const { outputFiles, metafile } = await build({
    ...sharedOptions(root),
    metafile: true,
    stdin: { contents: entry, resolveDir: root, sourcefile: "hooks", loader: "js" },
    outfile,
    sourcemap,
    write: false,
    // Bundled CommonJS requires Node's modules, and an ES module has no `require` of its own.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module";\nconst require = makeRequire(import.meta.url);',
    },
  });
  const files = outputFiles.map(({ path, contents }) => ({ path, contents }));
  return { files, inputs: Object.keys(metafile.inputs).map((path) => resolve(root, path)) };
}

function sharedOptions(root: string): BuildOptions {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    logLevel: "silent",
    plugins: [OWN_PACKAGE],
  };
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function describeFailure(root: string, { errors }: BuildFailure): Bundled {
  const modules = new Map<string, string>();
  const read = (file: string): string => {
    const text = modules.get(file) ?? readText(join(root, file));
    modules.set(file, text);
    return text;
  };
  const findings = errors.map((error) => moduleBroken(error, read));
  return { kind: "findings", findings, modules: [...modules].map(([name, text]) => ({ name, text })) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
