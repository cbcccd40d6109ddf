// Hook modules of a project, loaded from where the definition says they are.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { HookFunction, HookHost, SourceCode } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { Failure } from "./failure.js";

export function createHookHost(root: string, { runtimes }: Definition): HookHost {
  return {
    async load(code: SourceCode): Promise<HookFunction> {
      const runtime = runtimes.find(({ name }) => name === code.runtime);
      const file = join(root, runtime ? runtime.path : code.folder, code.module);
      if (/\.[cm]?tsx?$/.test(file)) throw notYet(file);
      const module: Record<string, unknown> = await import(pathToFileURL(file).href);
      const found = module[code.function];
      if (typeof found === "function") return found as HookFunction;
      throw new Failure(`${file} does not export a function ${code.function}.`, {
        hint: `add it: export function ${code.function}(args) { … }`,
      });
    },
  };
}

function notYet(file: string): Failure {
  return new Failure(`${file} is TypeScript, which hooks of populators cannot be yet.`, {
    hint: "write the module in JavaScript (.mjs) for now",
  });
}
