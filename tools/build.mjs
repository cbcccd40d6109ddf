// Builds what is published: the libraries as JavaScript with types, the command line as one bundle. Each
// package is built beside its dist and then swapped in, so that a failing build leaves the last good one.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
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

/** @type {import("esbuild").BuildOptions} */
const SHARED_OPTIONS = {
  bundle: true,
  platform: "node",
  target: "node20",
  conditions: ["stoa-source"],
  // Less text to parse at start; names stay, for readable stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "error",
};

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
  if (name === "runtime") copyViewer(join(fresh, "docs/viewer"));
  if (name === "cli") copyViewer(join(fresh, "viewer"));

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

/**
 * The viewer of the documentation, with what its licence asks to come along. Its package is not a dependency of
 * ours: it brings one along that reports who installs it.
 * @param {string} folder
 */
function copyViewer(folder) {
  mkdirSync(folder, { recursive: true });
  const files = [
    "swagger-ui-bundle.js",
    "swagger-ui.css",
    "swagger-ui-bundle.js.LICENSE.txt",
    "LICENSE",
    "NOTICE",
  ];
  for (const file of files)
    copyFileSync(join(ROOT, "node_modules/swagger-ui-dist", file), join(folder, file));
}

/**
 * The command line as a bundle, with the compiler beside it as a script that is loaded with its compiled code.
 * @param {string} entry
 * @param {string} outdir
 */
async function bundle(entry, outdir) {
  // Imported here, because it may have been installed only a moment ago.
  const { build } = await import("esbuild");
  const script = join(outdir, "compiler.cjs");
  try {
    await build({
      ...SHARED_OPTIONS,
      entryPoints: [sourceEntry("compiler", "index")],
      outfile: script,
      format: "iife",
      globalName: "compiler",
      // The compiler is the value of the script, and what is exported where the script is required.
      banner: { js: "(() => {" },
      footer: { js: 'if (typeof module === "object") module.exports = compiler;\nreturn compiler;\n})();' },
    });
    await writeApi(outdir);
    await build({
      ...SHARED_OPTIONS,
      entryPoints: [entry],
      outdir,
      splitting: true,
      format: "esm",
      plugins: [loadedCompiler(basename(script), writeCode(script))],
      // A program of its own, for each platform another; it is loaded when there are hooks to bundle.
      external: ["esbuild"],
      // Bundled CommonJS (commander) requires Node's modules, and an ES module has no `require` of its own.
      banner: {
        js: 'import { createRequire as makeRequire } from "node:module";\nconst require = makeRequire(import.meta.url);',
      },
    });
  } catch (error) {
    // What esbuild has found wrong, it has said.
    if (!(error instanceof Error && "errors" in error)) console.error(error);
    process.exit(1);
  }
}

/**
 * What hooks import from the package, with its types.
 * @param {string} outdir
 */
async function writeApi(outdir) {
  const { build } = await import("esbuild");
  await build({
    ...SHARED_OPTIONS,
    entryPoints: [sourceEntry("runtime", "http-error")],
    outfile: join(outdir, "api.js"),
    format: "esm",
  });
  copyFileSync(join(ROOT, "packages/runtime/dist/http-error.d.ts"), join(outdir, "api.d.ts"));
}

/**
 * Runs the compiler as the commands do and keeps what V8 made of it. Gives the names of its exports.
 * @param {string} file
 */
function writeCode(file) {
  const script = new Script(readFileSync(file, "utf8"), { filename: file });
  /** @type {typeof import("@stoa/compiler")} */
  const compiler = script.runInThisContext();
  const folder = join(ROOT, "examples/bookstore");
  const sources = readdirSync(folder)
    .filter((name) => /\w\.stoa$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  compiler.compile(sources);
  for (const source of sources) compiler.format(source);
  writeFileSync(`${file}.code`, script.createCachedData());
  return Object.keys(compiler);
}

/**
 * Puts the script in the place of the compiler's modules.
 * @param {string} file
 * @param {readonly string[]} names
 * @returns {import("esbuild").Plugin}
 */
function loadedCompiler(file, names) {
  const loader = JSON.stringify(join(ROOT, "packages/cli/src/cached-script.ts"));
  const contents = [
    `import { loadScript } from ${loader};`,
    `export const { ${names.join(", ")} } = loadScript("./${file}", import.meta.url);`,
  ].join("\n");
  return {
    name: "loaded-compiler",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@stoa\/compiler$/ }, ({ path }) => ({ path, namespace: "loaded" }));
      onLoad({ filter: /^/, namespace: "loaded" }, () => ({ contents, resolveDir: ROOT }));
    },
  };
}
