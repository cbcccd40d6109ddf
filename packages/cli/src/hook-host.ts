// Hooks of a populator: their modules are bundled as those of an application are, and run at once.

import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { LineIndex, type Source } from "@stoa/compiler";
import type { HookFunction, HookHost } from "@stoa/database";
import { bundleKey, type Definition, listHooks } from "@stoa/definition";
import { Failure } from "./failure.js";
import type { Program } from "./hook-findings.js";
import type { Bundled, BundleFile, BundleInput } from "./hook-modules.js";
import { printError } from "./terminal.js";

type Functions = Readonly<Record<string, unknown>>;

export function createHookHost(root: string, definition: Definition, populator: string): HookHost {
  let loading: Promise<Functions> | undefined;
  return {
    async load(code): Promise<HookFunction> {
      loading ??= loadFunctions(root, definition, populator);
      const found = (await loading)[bundleKey(definition, code)];
      if (typeof found === "function") return found as HookFunction;
      throw new Failure(`${code.function} is not a function`, { hint: "export a function of that name" });
    },
    context: { log: createLog() },
  };
}

/** What hooks say, beside what the command says. */
function createLog() {
  const write = (message: string, fields?: object): void =>
    printError(fields === undefined ? message : `${message} ${JSON.stringify(fields)}`);
  return { error: write, warn: write, info: write, debug: () => {} };
}

async function loadFunctions(root: string, definition: Definition, populator: string): Promise<Functions> {
  const hooks = listHooks(definition).filter(
    ({ use }) => use.kind === "set" && use.isPopulator && use.within === populator,
  );
  return bundleAndRun({ root, definition, hooks, sources: [] });
}

/** The functions of all hooks of a program that are in modules. */
export async function runHooks(program: Program & { readonly root: string }): Promise<Functions> {
  const hooks = listHooks(program.definition);
  return hooks.every(({ hook }) => hook.code.kind === "inline") ? {} : bundleAndRun({ ...program, hooks });
}

async function bundleAndRun(input: Omit<BundleInput, "outfile" | "sourcemap">): Promise<Functions> {
  const { bundleHooks } = await import("./hook-modules.js");
  const outfile = join(input.root, ".stoa", `hooks-${randomUUID()}.mjs`);
  const bundled = await bundleHooks({ ...input, outfile, sourcemap: "inline" });
  if (bundled.kind === "findings") {
    throw new Failure(describe(bundled, input.sources), {
      hint: "mend the module, then run the command again",
    });
  }
  return run(bundled.files);
}

/** Within the project, so that its packages are found; and only for as long as it takes. */
async function run(files: readonly BundleFile[]): Promise<Functions> {
  const [file] = files;
  if (file === undefined) return {};
  process.setSourceMapsEnabled(true);
  await mkdir(dirname(file.path), { recursive: true });
  await writeFile(file.path, file.contents);
  try {
    const module: { hooks: Functions } = await import(pathToFileURL(file.path).href);
    return module.hooks;
  } finally {
    await rm(file.path, { force: true });
  }
}

/** In one line; without the program's sources, its place there is told by whoever asked for the code. */
function describe(
  { findings, modules }: Extract<Bundled, { kind: "findings" }>,
  sources: readonly Source[],
): string {
  const [first] = findings;
  const module = [...modules, ...sources].find(({ name }) => name === first?.span.file);
  const message = (first?.message ?? "").replace(/\.$/, "");
  const hint = first?.hint === undefined ? "" : ` (${first.hint})`;
  if (module === undefined || first === undefined) return `${message}${hint}`;
  const { line, column } = new LineIndex(module.text).position(first.span.start);
  return `${module.name}:${line}:${column}: ${message}${hint}`;
}
