// The project that a page builds up, file by file, and its server: compiled, pushed and served anew whenever a file has
// changed, as `stoa dev` does it for the reader.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compile, format, renderDiagnostics, type Source } from "@stoa/compiler";
import { applyPush, type HookFunction, planPush, populate } from "@stoa/database";
import { batchName, bundleKey, type Definition, listHooks, modulePath } from "@stoa/definition";
import { writeHookTypes } from "@stoa/generators";
import { type Application, createApplication, createHooks, createLog, type HookBundle } from "@stoa/runtime";
import { build } from "esbuild";
import { expect } from "vitest";
import { type TestDatabase, testDatabase } from "../../packages/database/test/server.js";
import { checkTypes } from "../../packages/generators/test/tsc.js";
import { ROOT } from "./markdown.js";

/** What hooks import from `stoa`. */
const API = fileURLToPath(new URL("packages/runtime/src/http-error.ts", ROOT));

export interface Change {
  /** How the line begins. */
  readonly line: string;
  readonly isInstead: boolean;
  readonly text: string;
}

interface Running {
  readonly definition: Definition;
  readonly bundle: HookBundle;
  readonly application: Application;
}

export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), "stoa-page-"));
  readonly #files = new Map<string, string>();
  #database: TestDatabase | undefined;
  #running: Running | undefined;
  #builds = 0;
  readonly #logged: string[] = [];
  #flush: () => void = () => {};

  constructor() {
    chmodSync(this.folder, 0o755);
  }

  /** A file of this name, in place of what there was. A new project begins with an empty database. */
  async put(name: string, text: string, isNew: boolean): Promise<void> {
    if (isNew) await this.#empty();
    this.#running = undefined;
    this.#files.set(name, text);
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (name.endsWith(".stoa")) expect(format({ name, text })).toEqual({ kind: "formatted", text });
  }

  /** Lines below one line of a file, or in its place. */
  async change(name: string, { line, isInstead, text }: Change): Promise<void> {
    const lines = (this.#files.get(name) ?? "").split("\n");
    const places = lines.flatMap((each, index) => (each.trimStart().startsWith(line) ? [index] : []));
    const [place = 0] = places;
    expect({ line, places: places.length }).toEqual({ line, places: 1 });
    const [indent] = /^ */.exec(lines[place] ?? "") ?? [""];
    const added = text.trimEnd().replace(/^(?=.)/gm, indent);
    lines.splice(isInstead ? place : place + 1, isInstead ? 1 : 0, ...added.split("\n"));
    await this.put(name, lines.join("\n"), false);
  }

  async fetch(request: Request): Promise<Response> {
    const { application } = await this.#run();
    return application.fetch(request);
  }

  /** What the server has logged as errors since it was last asked. */
  takeErrors(): string {
    this.#flush();
    return this.#logged.splice(0).join("");
  }

  async populate(name: string): Promise<void> {
    const { definition, bundle } = await this.#run();
    const load = async (code: Parameters<typeof bundleKey>[1]) =>
      bundle.hooks[bundleKey(definition, code)] as HookFunction;
    const hooks = { load, context: { log: console } };
    await populate(await this.#connection(), definition, name, { empty: true, hooks });
  }

  /** Where commands find the database, which has the tables of the present sources. */
  async databaseUrl(): Promise<string> {
    await this.#run();
    return (await this.#testDatabase()).url;
  }

  async close(): Promise<void> {
    await this.#database?.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #empty(): Promise<void> {
    await this.#database?.drop();
    this.#database = undefined;
    for (const name of this.#files.keys()) rmSync(join(this.folder, name));
    this.#files.clear();
  }

  async #testDatabase(): Promise<TestDatabase> {
    this.#database ??= await testDatabase();
    return this.#database;
  }

  async #connection() {
    return (await this.#testDatabase()).database;
  }

  async #run(): Promise<Running> {
    this.#running ??= await this.#start();
    return this.#running;
  }

  async #start(): Promise<Running> {
    const definition = this.#compile();
    const database = await this.#connection();
    const outcome = await applyPush(database, await planPush(database, definition), {});
    expect(["applied", "unchanged"]).toContain(outcome.kind);
    const bundle = await this.#bundle(definition);
    const hooks = createHooks(definition, bundle);
    const about = { title: "page", version: "0.0.0" };
    const log = createLog({ level: "error", destination: { write: (line) => this.#logged.push(line) } });
    const application = createApplication({ definition, database, hooks, log, documentation: about });
    this.#flush = () => log.flush();
    return { definition, bundle, application };
  }

  #compile(): Definition {
    const sources: Source[] = [...this.#files]
      .filter(([name]) => name.endsWith(".stoa"))
      .map(([name, text]) => ({ name, text }));
    const { definition, diagnostics } = compile(sources);
    const texts = new Map(sources.map(({ name, text }) => [name, text]));
    expect(renderDiagnostics(diagnostics, { sources: texts })).toBe("");
    if (definition === undefined) throw new Error("There is no program.");
    return definition;
  }

  /** The modules of hooks in one, after a look at their types. */
  async #bundle(definition: Definition): Promise<HookBundle> {
    const modules = new Map<string, Set<string>>();
    for (const { hook } of listHooks(definition)) {
      if (hook.code.kind === "inline") continue;
      const path = modulePath(definition, hook.code);
      modules.set(path, (modules.get(path) ?? new Set()).add(hook.code.function));
    }
    if (modules.size === 0) return { hooks: {} };
    this.#checkTypes(definition);
    const outfile = join(this.folder, `.stoa/bundle-${++this.#builds}.mjs`);
    await build({
      stdin: { contents: writeEntry(modules), resolveDir: this.folder },
      ...{ outfile, bundle: true, platform: "node", format: "esm", logLevel: "silent" },
      alias: { stoa: API },
    });
    return import(pathToFileURL(outfile).href);
  }

  #checkTypes(definition: Definition): void {
    const modules = [...this.#files].filter(([name]) => name.endsWith(".ts"));
    const generated = [
      [".stoa/build/hooks.d.ts", writeHookTypes(definition)],
      ["stoa.d.ts", 'declare module "stoa" { export * from "@stoa/api"; }'],
    ];
    const paths = { "@stoa/api": [API], stoa: [API] };
    const { output } = checkTypes(Object.fromEntries([...modules, ...generated]), { paths });
    expect(output).toBe("");
  }
}

/** A module that has the functions of all others in one table; a batch form is there if it is exported. */
function writeEntry(modules: ReadonlyMap<string, ReadonlySet<string>>): string {
  const paths = [...modules.keys()];
  const imports = paths.map((path, index) => `import * as m${index} from ${JSON.stringify(`./${path}`)};`);
  const entries = paths.flatMap((path, index) =>
    [...(modules.get(path) ?? [])]
      .flatMap((name) => [name, batchName(name)])
      .map((name) => [`${path}#${name}`, `m${index}`, name]),
  );
  return [
    ...imports,
    "export const hooks = {};",
    ...entries.map(([key, module, name]) => {
      const [place, found] = [JSON.stringify(key), `${module}[${JSON.stringify(name)}]`];
      return `if (${found} !== undefined) hooks[${place}] = ${found};`;
    }),
  ].join("\n");
}
