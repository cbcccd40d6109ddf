// The package `stoa` for code that is bundled: what code imports from it comes along.

import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/** So a bundle runs wherever it is put, and also where `stoa` is not among the project's own packages. */
export const OWN_PACKAGE: Plugin = {
  name: "own-package",
  setup({ onResolve }) {
    const path = fileURLToPath(new URL("./api.js", import.meta.url));
    const isThere = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    onResolve({ filter: /^stoa$/ }, () => (isThere ? { path } : null));
  },
};
