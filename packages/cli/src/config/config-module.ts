// A config file that is code. esbuild makes one script of it and of what it imports, whatever kind of module they are;
// the script runs in memory, so that nothing is written and every reading is a new one.

import module, { createRequire, SourceMap, type SourceMapPayload } from "node:module";
import { join, resolve } from "node:path";
import { Script } from "node:vm";
import type { BuildFailure, Message } from "esbuild";
import { runScript } from "../cached-script.js";
import { Failure } from "../failure.js";
import { OWN_PACKAGE } from "../own-package.js";
import { maskSecrets } from "./secrets.js";

/** What a config may be a function of. */
export interface ConfigContext {
  /** The command that asks: `start`, `dev`, `db push`. */
  readonly command: string;
  /** The environment; in `stoa dev` with what `.env` adds to it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface LoadedModule {
  readonly exported: unknown;
  readonly inputs: readonly string[];
}

interface Bundle {
  readonly code: string;
  readonly map: SourceMapPayload;
  readonly inputs: readonly string[];
}

export async function loadConfigModule(
  root: string,
  name: string,
  context: ConfigContext,
  limitMs = LIMIT_MS,
): Promise<LoadedModule> {
  const bundle = await bundleConfig(root, name);
  // Its process is of no use to a server that runs for months.
  if (context.command === "start") await (await import("esbuild")).stop();
  try {
    const running = run(join(root, name), bundle.code, context);
    return { exported: await inTime(running, name, limitMs), inputs: bundle.inputs };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw describeThrown(error, { root, name, bundle });
  }
}

const LIMIT_MS = 30_000;

/** Node ends a process that waits for nothing it knows of, and nobody would learn why. */
async function inTime<Result>(running: Promise<Result>, name: string, limitMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `${name} has not given its settings after ${limitMs / 1000} s.`;
    timer = setTimeout(() => reject(new Failure(message, { hint: "see what it waits for" })), limitMs);
  });
  return Promise.race([running, late]).finally(() => clearTimeout(timer));
}

/** Where a module asks where it is: a script has no `import.meta`. */
const BANNER = 'const stoaConfigUrl = require("node:url").pathToFileURL(__filename).href;';

async function bundleConfig(root: string, name: string): Promise<Bundle> {
  const { build } = await import("esbuild");
  try {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: [name],
      outdir: root,
      write: false,
      metafile: true,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "cjs",
      packages: "external",
      sourcemap: "external",
      logLevel: "silent",
      plugins: [OWN_PACKAGE],
      banner: { js: BANNER },
      define: {
        "import.meta.url": "stoaConfigUrl",
        "import.meta.dirname": "__dirname",
        "import.meta.filename": "__filename",
      },
      // A script cannot import; it requires.
      supported: { "dynamic-import": false },
    });
    const [map, code] = [".map", ".js"].map(
      (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text,
    );
    const inputs = Object.keys(metafile.inputs).map((input) => resolve(root, input));
    return { code: code ?? "", map: JSON.parse(map ?? "{}"), inputs };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    throw describeBroken(error);
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function describeBroken({ errors }: BuildFailure): Failure {
  const [first, ...others] = errors;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return new Failure(`${first ? describeMessage(first) : "It cannot be read."}${more}`, {
    hint: isTopLevelAwait(first?.text)
      ? "export an async function: export default async () => ({ … })"
      : (first?.notes[0]?.text ?? "mend the config file, then run the command again"),
  });
}

function isTopLevelAwait(text: string | undefined): boolean {
  return text?.startsWith("Top-level await") === true;
}

function describeMessage({ text, location }: Message): string {
  const sentence = isTopLevelAwait(text)
    ? "A config file cannot use `await` outside of functions."
    : text.replace(/[^.!?]$/, "$&.");
  if (location === null) return sentence;
  const { file, line, column, lineText } = location;
  // esbuild counts bytes, and columns from 0.
  const before = Buffer.from(lineText).subarray(0, column).toString().length;
  return `${file}:${line}:${before + 1}: ${sentence}`;
}

async function run(path: string, code: string, context: ConfigContext): Promise<unknown> {
  const script = new Script(module.wrap(code), { filename: path });
  const exports = runScript(script, path, createRequire(path));
  const config: unknown = await defaultOf(exports);
  return copyOf(typeof config === "function" ? await config(context) : config);
}

/** Whatever code there is behind properties has run then. Groups are one level deep. */
function copyOf(config: unknown): unknown {
  if (!isPlain(config)) return config;
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, isPlain(value) ? { ...value } : value]),
  );
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function defaultOf(exports: unknown): unknown {
  if (typeof exports !== "object" || exports === null) return exports;
  if ("default" in exports) return exports.default;
  // What `module.exports` was set to has no mark of esbuild.
  if (!("__esModule" in exports)) return exports;
  throw new Failure("The config file exports no default.", {
    hint: "write export default { port: 8080 }",
  });
}

interface Ran {
  readonly root: string;
  readonly name: string;
  readonly bundle: Bundle;
}

/** In one line, with the place in the file as it was written. */
function describeThrown(error: unknown, { root, name, bundle }: Ran): Failure {
  const message = error instanceof Error ? `${error.name}: ${error.message.split("\n")[0]}` : String(error);
  const place = placeOf(error, join(root, name), bundle) ?? name;
  return new Failure(`${place}: the config file fails: ${maskSecrets(message)}`, {
    hint: "it runs whenever settings are read: mend it, then run the command again",
  });
}

function placeOf(error: unknown, path: string, { map }: Bundle): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const frame = error.stack?.split("\n").find((line) => line.includes(`${path}:`)) ?? "";
  const [, line, column] = /:(\d+):(\d+)\)?$/.exec(frame) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const entry = new SourceMap(map).findEntry(Number(line) - 1, Number(column) - 1);
  if (!("originalSource" in entry)) return undefined;
  return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
