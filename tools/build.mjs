// Builds what is published: the libraries as JavaScript with types, the command line as one bundle. Each
// package is built beside its dist and then swapped in, so that a failing build leaves the last good one.

import { existsSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  BUILT_PACKAGES,
  builtEntry,
  ensureInstalled,
  exitUnlessOk,
  isBuildStale,
  ROOT,
  runNode,
  sourceEntry,
  withLock,
} from "./bootstrap.mjs";

await ensureInstalled();
await withLock("build", async () => {
  if (process.argv.includes("--if-stale") && !isBuildStale()) return;
  for (const { name, entry } of BUILT_PACKAGES) await buildPackage(name, entry);
});

/** @param {string} name @param {string} entry */
async function buildPackage(name, entry) {
  if (!existsSync(sourceEntry(name, entry))) {
    console.log(`build ${name}: skipped, packages/${name}/src/${entry}.ts does not exist yet`);
    return;
  }
  const startedAt = new Date();
  const folder = join(ROOT, "packages", name);
  const fresh = join(folder, ".dist-new");
  const old = join(folder, ".dist-old");
  const dist = join(folder, "dist");
  for (const path of [fresh, old]) rmSync(path, { recursive: true, force: true });
  process.once("exit", () => rmSync(fresh, { recursive: true, force: true }));

  if (name === "cli") await bundle(sourceEntry(name, entry), fresh);
  else emitLibrary(folder, fresh);
  if (name === "definition") await writeSchema(fresh);

  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  rmSync(old, { recursive: true, force: true });
  // Dated by its start: a source saved while the build was running is newer than the build.
  utimesSync(builtEntry(name, entry), startedAt, startedAt);
  console.log(`build ${name}: ${Date.now() - startedAt.getTime()} ms`);
}

/** @param {string} folder @param {string} outDir */
function emitLibrary(folder, outDir) {
  const project = join(folder, "tsconfig.build.json");
  exitUnlessOk(runNode(["node_modules/typescript/bin/tsc", "-p", project, "--outDir", outDir]));
}

/**
 * Editors and other tools read the definition's schema as a file, so it is published as one.
 * @param {string} outDir
 */
async function writeSchema(outDir) {
  const { jsonSchema } = await import(pathToFileURL(join(outDir, "index.js")).href);
  if (typeof jsonSchema !== "function") return;
  writeFileSync(join(outDir, "definition.schema.json"), `${JSON.stringify(jsonSchema(), null, 2)}\n`);
}

/** @param {string} entry @param {string} outdir */
async function bundle(entry, outdir) {
  // Imported here, because it may have been installed only a moment ago.
  const { build } = await import("esbuild");
  const result = await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["stoa-source"],
    // Less text to parse at start; names stay, for readable stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    // Bundled CommonJS (commander) requires Node's modules, and an ES module has no `require` of its own.
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module";\nconst require = makeRequire(import.meta.url);',
    },
    logLevel: "error",
  }).catch(() => undefined);
  // esbuild has said why.
  if (result === undefined) process.exit(1);
}
