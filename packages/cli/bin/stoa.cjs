#!/usr/bin/env node
// CommonJS: loading Node's loader of ES modules takes a tenth as long as an empty process.
"use strict";

const { enableCompileCache } = require("node:module");
const { join } = require("node:path");

// Node 22.8 and later: what V8 made of the bundle is kept for the next time.
enableCompileCache?.();

/** Commands that are over in no time, so that loading them counts. */
const QUICK = ["check", "fmt"];

async function run() {
  const args = process.argv.slice(2);
  const { main } = QUICK.includes(args[0]) ? loadQuick() : await import("../dist/main.js");
  await main(args);
}

function loadQuick() {
  return require("../dist/cached-script.cjs").loadScript(join(__dirname, "../dist/quick.cjs"));
}

run().catch((error) => {
  if (error?.code !== "ERR_MODULE_NOT_FOUND" && error?.code !== "MODULE_NOT_FOUND") throw error;
  process.stderr.write("stoa has not been built yet. Run `npm run build` in the repository root first.\n");
  process.exitCode = 2;
});
