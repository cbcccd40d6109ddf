// The bundle of a built application's hooks, as `stoa build` has written it.

import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { type Definition, listHooks } from "@stoa/definition";
import type { HookBundle, Log } from "@stoa/runtime";
import { codeFramesOf } from "./code-frames.js";
import { Failure } from "./failure.js";

export const BUNDLE_FILE = "hooks.mjs";

const EMPTY: HookBundle = { hooks: {} };

const BUILD_AGAIN = "hooks are loaded when the application starts: mend the module, then run `stoa build`";

/** Runs the modules of the hooks. Nothing is loaded for a definition without such hooks. */
export async function loadHookBundle(
  folder: string,
  definition: Definition,
  { hint = BUILD_AGAIN }: { readonly hint?: string } = {},
): Promise<HookBundle> {
  if (listHooks(definition).every(({ hook }) => hook.code.kind === "inline")) return EMPTY;
  const file = join(folder, BUNDLE_FILE);
  const shown = relative(process.cwd(), file) || file;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new Failure(`The hooks are not built: there is no ${shown}.`, { hint: "run `stoa build` first" });
  }
  return importBundle(`${pathToFileURL(file).href}?at=${found.mtimeMs}`, { shown, hint });
}

/** Its date is part of its address, so that a bundle that was built anew is read anew. */
async function importBundle(address: string, { shown, hint }: Shown): Promise<HookBundle> {
  // Stack traces then tell the lines of the modules.
  process.setSourceMapsEnabled(true);
  try {
    const { hooks }: HookBundle = await import(address);
    return { hooks };
  } catch (error) {
    throw new Failure(describeLoading(error, shown), { hint });
  }
}

interface Shown {
  /** The file, as people see it from where they are. */
  readonly shown: string;
  /** What to do if it cannot be loaded. */
  readonly hint: string;
}

/** With the place in the project's own module, where there is one: nobody has written the bundle. */
function describeLoading(error: unknown, shown: string): string {
  const reason = error instanceof Error ? error.message : String(error);
  const place = error instanceof Error ? codeFramesOf(error)[0]?.place : undefined;
  return place === undefined
    ? `The hooks in ${shown} cannot be loaded: ${reason}`
    : `The hooks cannot be loaded: ${place}: ${reason}`;
}

/** What code begins and waits for is the request's; what it begins and forgets must not end the server. */
export function outliveHooks(log: Log): void {
  process.on("unhandledRejection", (error) => {
    log.error("code failed where nobody waited for it", { error });
  });
}
