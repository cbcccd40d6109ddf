#!/usr/bin/env node
import module from "node:module";

// Node 22.8 and later: what V8 made of the bundle is kept for the next time.
module.enableCompileCache?.();

import("../dist/main.js").catch((error) => {
  if (error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
  process.stderr.write("stoa has not been built yet. Run `npm run build` in the repository root first.\n");
  process.exitCode = 2;
});
