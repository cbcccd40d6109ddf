// Builds what is published: the libraries as JavaScript with types, the command line as one bundle. Each
// package is built beside its dist and then swapped in, so that a failing build leaves the last good one.

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
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

const QUICK_COMMANDS = /\/(check|fmt)\.js$/;
/** What programs import from the package, beside what hooks do. */
const LIBRARY_ENTRIES = ["server", "testing"];
const CACHED_SCRIPT = join(ROOT, "packages/cli/src/cached-script.ts");

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
  else if (name === "create-stoa") await bundleScaffold(sourceEntry(name, entry), fresh);
  else emitLibrary(folder, fresh);
  if (name === "definition") await writeSchema(fresh);
  if (name === "runtime") copyViewer(join(fresh, "docs/viewer"));
  if (name === "cli") copyViewer(join(fresh, "viewer"));
  if (name === "cli") copyTemplate(join(fresh, "template"));

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
 * The template of new projects, for `stoa init`.
 * @param {string} folder
 */
function copyTemplate(folder) {
  cpSync(join(ROOT, "packages/create-stoa/template"), folder, { recursive: true });
}

/**
 * What `npm create stoa` runs: one file, so that nothing else is downloaded.
 * @param {string} entry
 * @param {string} outdir
 */
async function bundleScaffold(entry, outdir) {
  const { build } = await import("esbuild");
  await build({ ...SHARED_OPTIONS, entryPoints: [entry], outdir, format: "esm" });
}

/**
 * The command line as a bundle, with the compiler beside it as a script that is loaded with its compiled code; and
 * once more, the quick commands as such a script.
 * @param {string} entry
 * @param {string} outdir
 */
async function bundle(entry, outdir) {
  // Imported here, because it may have been installed only a moment ago.
  const { build } = await import("esbuild");
  /** @type {import("esbuild").BuildOptions} */
  const scriptOptions = {
    ...SHARED_OPTIONS,
    format: "cjs",
    define: { "import.meta.dirname": "__dirname" },
  };
  const loader = join(outdir, "cached-script.cjs");
  const compiler = join(outdir, "compiler.cjs");
  const quick = join(outdir, "quick.cjs");
  try {
    await build({ ...scriptOptions, entryPoints: [CACHED_SCRIPT], outfile: loader });
    await build({ ...scriptOptions, entryPoints: [sourceEntry("compiler", "index")], outfile: compiler });
    const plugins = [loadedCompiler(await writeCode(loader, compiler, compileExample))];
    await build({
      ...scriptOptions,
      entryPoints: [entry],
      outfile: quick,
      plugins: [quickCommands(), ...plugins],
    });
    await writeApi(outdir);
    writeTypes(outdir);
    await writeCode(loader, quick, askInVain);
    const { metafile } = await build({
      ...SHARED_OPTIONS,
      metafile: true,
      entryPoints: [entry, ...LIBRARY_ENTRIES.map((name) => sourceEntry("cli", name))],
      outdir,
      splitting: true,
      format: "esm",
      plugins,
      // A program of its own, for each platform another; it is loaded when there are hooks to bundle.
      external: ["esbuild"],
      // Bundled CommonJS (commander) requires Node's modules, and an ES module has no `require` of its own.
      banner: {
        js: 'import { createRequire as makeRequire } from "node:module";\nconst require = makeRequire(import.meta.url);',
      },
    });
    writeLicences(Object.keys(metafile.inputs), join(outdir, "THIRD-PARTY.txt"));
  } catch (error) {
    // What esbuild has found wrong, it has said.
    if (!(error instanceof Error && "errors" in error)) console.error(error);
    process.exit(1);
  }
}

/**
 * What the licences of bundled packages ask for: that they come along.
 * @param {readonly string[]} inputs Files of the bundle, relative to the repository.
 * @param {string} file
 */
function writeLicences(inputs, file) {
  const inPackage = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;
  const folders = new Set(inputs.flatMap((input) => inPackage.exec(input)?.[0] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const licence = readdirSync(join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each));
    if (licence === undefined) throw new Error(`${name} is bundled and has no licence`);
    return `${name} ${version}\n\n${readFileSync(join(ROOT, folder, licence), "utf8").trim()}\n`;
  });
  writeFileSync(file, texts.join(`\n${"-".repeat(80)}\n\n`));
}

/**
 * What hooks and config files import from the package, with its types; and the schema of config files.
 * @param {string} outdir
 */
async function writeApi(outdir) {
  const { build } = await import("esbuild");
  const modules = [sourceEntry("runtime", "http-error"), sourceEntry("cli", "config/define-config")];
  const contents = modules.map((path) => `export * from ${JSON.stringify(path)};`).join("\n");
  const stdin = { contents, resolveDir: ROOT };
  await build({ ...SHARED_OPTIONS, stdin, outfile: join(outdir, "api.js"), format: "esm" });
  const entryPoints = [sourceEntry("cli", "config/texts")];
  const { outputFiles } = await build({ ...SHARED_OPTIONS, entryPoints, format: "esm", write: false });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  const { configTypes, configSchema } = await import(`data:text/javascript;base64,${code}`);
  const errorTypes = readFileSync(join(ROOT, "packages/runtime/dist/http-error.d.ts"), "utf8");
  writeFileSync(join(outdir, "api.d.ts"), `${errorTypes}${configTypes()}`);
  writeFileSync(join(outdir, "config.schema.json"), `${JSON.stringify(configSchema(), null, 2)}\n`);
}

/**
 * The types of the package's functions. Whoever installs it has none of the packages behind them, so they are told by
 * one file that needs no other; what the compiler makes of those it imports stays here.
 * @param {string} outdir
 */
function writeTypes(outdir) {
  const everything = join(outdir, "types");
  emitLibrary(join(ROOT, "packages/cli"), everything);
  for (const name of [...LIBRARY_ENTRIES, "public-types"]) {
    copyFileSync(join(everything, `${name}.d.ts`), join(outdir, `${name}.d.ts`));
  }
  rmSync(everything, { recursive: true });
}

/**
 * Runs a script as the commands do and keeps what V8 made of it. Gives the names of its exports.
 * @param {string} loader
 * @param {string} file
 * @param {(exports: any) => unknown} use
 */
async function writeCode(loader, file, use) {
  const { readScript, runScript } = await import(pathToFileURL(loader).href);
  const script = readScript(file);
  const exports = runScript(script, file);
  await use(exports);
  writeFileSync(`${file}.code`, script.createCachedData());
  return Object.keys(exports);
}

/** @param {typeof import("@stoa/compiler")} compiler */
function compileExample({ compile, format }) {
  const folder = join(ROOT, "examples/bookstore");
  const sources = readdirSync(folder)
    .filter((name) => /\w\.stoa$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  compile(sources);
  for (const source of sources) format(source);
}

/**
 * Reads arguments without running a command: that would change the flags of V8, which its code depends on.
 * @param {typeof import("../packages/cli/src/main.js")} commandLine
 */
async function askInVain({ main }) {
  const { write } = process.stderr;
  process.stderr.write = () => true;
  await main(["check", "too", "many"]);
  process.stderr.write = write;
  process.exitCode = 0;
}

/**
 * Puts the script in the place of the compiler's modules.
 * @param {readonly string[]} names
 * @returns {import("esbuild").Plugin}
 */
function loadedCompiler(names) {
  const contents = [
    'import { join } from "node:path";',
    `import { loadScript } from ${JSON.stringify(CACHED_SCRIPT)};`,
    `export const { ${names.join(", ")} } = loadScript(join(import.meta.dirname, "compiler.cjs"));`,
  ].join("\n");
  return {
    name: "loaded-compiler",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@stoa\/compiler$/ }, ({ path }) => ({ path, namespace: "loaded" }));
      onLoad({ filter: /^/, namespace: "loaded" }, () => ({ contents, resolveDir: ROOT }));
    },
  };
}

/**
 * Leaves out what the quick commands never call: the other commands, and what commander needs to start programs.
 * @returns {import("esbuild").Plugin}
 */
function quickCommands() {
  return {
    name: "quick-commands",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/commands\// }, ({ path }) =>
        QUICK_COMMANDS.test(path) ? undefined : { path, external: true },
      );
      onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ path, namespace: "left-out" }));
      onLoad({ filter: /^/, namespace: "left-out" }, () => ({ contents: "" }));
    },
  };
}
