// Writes packages/generators/src/client/runtime-text.ts: the runtime part of clients as texts, to be copied out. The
// module itself is packages/generators/src/client/runtime.ts, which is checked and tested like any other.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitUnlessOk, ROOT, runNode } from "./bootstrap.mjs";

const FOLDER = join(ROOT, "packages/generators/src/client");
const OPTIONS = [
  "--declaration",
  "--target",
  "ES2022",
  "--module",
  "ESNext",
  "--moduleResolution",
  "bundler",
];

/** The text of the module that holds the texts. */
export function writeRuntimeText() {
  const source = join(FOLDER, "runtime.ts");
  const out = mkdtempSync(join(tmpdir(), "stoa-client-"));
  try {
    const tsc = ["node_modules/typescript/bin/tsc", source, "--ignoreConfig", "--strict", "--outDir", out];
    exitUnlessOk(runNode([...tsc, ...OPTIONS, "--lib", "ES2022,DOM,DOM.Iterable"]));
    const read = (/** @type {string} */ file) => JSON.stringify(readFileSync(file, "utf8"));
    return `// Written by tools/client-runtime.mjs from runtime.ts. Changes are lost with the next run.

export const RUNTIME_TS = ${read(source)};

export const RUNTIME_JS = ${read(join(out, "runtime.js"))};

export const RUNTIME_TYPES = ${read(join(out, "runtime.d.ts"))};
`;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

if (process.argv[1]?.endsWith("client-runtime.mjs")) {
  writeFileSync(join(FOLDER, "runtime-text.ts"), writeRuntimeText());
}
