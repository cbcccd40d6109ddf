// What `stoa build` makes of the hooks of a program: a bundle of their modules, and the types of all of them.
// What that needs is loaded when there are hooks; most programs are built without.

import { join } from "node:path";
import type { Finding, Source } from "@stoa/compiler";
import { listHooks, type PlacedHook } from "@stoa/definition";
import { BUNDLE_FILE } from "./hook-bundle.js";
import { inlineBroken, type Program } from "./hook-findings.js";
import type { BundleFile } from "./hook-modules.js";

export const TYPES_FILE = "hooks.d.ts";

/** All files that there may be; those of an earlier build must not stay. */
export const HOOK_FILES: readonly string[] = [BUNDLE_FILE, `${BUNDLE_FILE}.map`, TYPES_FILE];

export interface BuiltHooks {
  readonly files: readonly BundleFile[];
  readonly findings: readonly Finding[];
  /** Modules that findings point at. */
  readonly modules: readonly Source[];
  /** All files that the bundle was made of; none where it could not be made. */
  readonly inputs: readonly string[];
}

export interface HookProgram extends Program {
  readonly root: string;
  /** Where the files will stand. */
  readonly folder: string;
}

const NOTHING: BuiltHooks = { files: [], findings: [], modules: [], inputs: [] };

export async function buildHooks(program: HookProgram): Promise<BuiltHooks> {
  const hooks = listHooks(program.definition);
  if (hooks.length === 0) return NOTHING;
  const broken = await checkInline(program, hooks);
  const bundled = await bundleModules(program, hooks);
  const findings = [...broken, ...bundled.findings];
  if (findings.length > 0) return { ...bundled, files: [], findings };
  const { writeHookTypes } = await import("@stoa/generators");
  const types = Buffer.from(writeHookTypes(program.definition));
  const file = { path: join(program.folder, TYPES_FILE), contents: types };
  return { ...bundled, files: [...bundled.files, file] };
}

async function checkInline(program: Program, hooks: readonly PlacedHook[]): Promise<Finding[]> {
  if (hooks.every(({ hook }) => hook.code.kind !== "inline")) return [];
  const { compileInlineCode } = await import("@stoa/database");
  return hooks.flatMap((placed) => {
    const { code, arguments: args } = placed.hook;
    if (code.kind !== "inline") return [];
    try {
      compileInlineCode(
        code.code,
        args.map(({ name }) => name),
      );
      return [];
    } catch (error) {
      return [inlineBroken(program, placed, error instanceof Error ? error.message : String(error))];
    }
  });
}

async function bundleModules(program: HookProgram, hooks: readonly PlacedHook[]): Promise<BuiltHooks> {
  if (hooks.every(({ hook }) => hook.code.kind === "inline")) return NOTHING;
  const { bundleHooks } = await import("./hook-modules.js");
  const outfile = join(program.folder, BUNDLE_FILE);
  const bundled = await bundleHooks({ ...program, hooks, outfile, sourcemap: "linked" });
  return bundled.kind === "bundle"
    ? { ...NOTHING, files: bundled.files, inputs: bundled.inputs }
    : { ...NOTHING, findings: bundled.findings, modules: bundled.modules };
}
