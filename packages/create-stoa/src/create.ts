// Where and what: the answers that are missing are asked for, or taken as proposed; then the template is copied, file by
// file. What is there already is never touched.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { checkName, nameFor } from "./name.js";
import { cannotWrite, InitProblem } from "./problem.js";
import type { Questions } from "./questions.js";

export interface CreateOptions {
  /** Where the template is. */
  readonly template: string;
  /** If absent, it is asked for. */
  readonly dir?: string;
  /** If absent, that of the folder. */
  readonly name?: string;
  /** If absent, it is asked for. */
  readonly accounts?: boolean;
  /** If absent, nobody is asked, and everything is as proposed. */
  readonly questions?: Questions;
}

export interface Created {
  readonly folder: string;
  readonly name: string;
  readonly accounts: boolean;
  /** Relative to the folder, in order. */
  readonly files: readonly string[];
  /** Files of the template that were there already, and were kept. */
  readonly kept: readonly string[];
}

/** What the project of the template is called. */
const TEMPLATE_NAME = "my-stoa-app";
const WITHOUT_ACCOUNTS = false;

export async function createProject(options: CreateOptions): Promise<Created> {
  const { questions } = options;
  const dir = options.dir ?? (await questions?.folder(TEMPLATE_NAME)) ?? TEMPLATE_NAME;
  const folder = resolve(dir);
  // Before the next question: nobody likes to answer in vain.
  checkFolder(folder, dir);
  const name = options.name === undefined ? nameFor(basename(folder)) : checkName(options.name);
  const accounts = options.accounts ?? (await questions?.accounts()) ?? WITHOUT_ACCOUNTS;
  const files = readTemplate(options.template, accounts ? "accounts" : "plain");
  const [fresh, kept] = partition(files, ({ path }) => !existsSync(join(folder, path)));
  await write(folder, fresh, name);
  return { folder, name, accounts, files: fresh.map(({ path }) => path), kept: kept.map(({ path }) => path) };
}

// ---------------------------------------------------------------- what is there

/** What a project may begin with: a repository that somebody has just made, and what editors and systems leave. */
const HARMLESS = /^(\.git|\.gitignore|\.gitattributes|\.github|\.vscode|\.idea|\.editorconfig|\.DS_Store)$/;
const HARMLESS_TEXT = /^(readme|licen[cs]e)(\.(md|txt))?$/i;

function checkFolder(folder: string, dir: string): void {
  const found = attempt(dir, () => statSync(folder, { throwIfNoEntry: false }));
  if (found === undefined) return;
  if (!found.isDirectory()) {
    throw new InitProblem(`${dir} is a file.`, { hint: "name another folder", inTheWay: [basename(folder)] });
  }
  const names = attempt(dir, () => readdirSync(folder)).sort();
  const inTheWay = names.filter((name) => !HARMLESS.test(name) && !HARMLESS_TEXT.test(name));
  if (inTheWay.length === 0) return;
  throw new InitProblem(`${dir === "." ? "This folder" : dir} is not empty: there is ${list(inTheWay)}.`, {
    hint: "name a new folder; nothing was changed",
    inTheWay,
  });
}

function attempt<Value>(path: string, look: () => Value): Value {
  try {
    return look();
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

const MOST_SHOWN = 8;

function list(names: readonly string[]): string {
  const more = names.length - MOST_SHOWN;
  const shown = names.slice(0, MOST_SHOWN).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

// ---------------------------------------------------------------- the template

interface TemplateFile {
  /** In the project, with slashes. */
  readonly path: string;
  readonly source: string;
}

/** What all projects have, and what the chosen kind has. */
function readTemplate(template: string, kind: "plain" | "accounts"): TemplateFile[] {
  return [join(template, "shared"), join(template, kind)]
    .flatMap((folder) => filesBelow(folder).map((source) => ({ path: placeOf(folder, source), source })))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** npm leaves some files out of packages whose names begin with a dot, so in the template they begin with `_`. */
function placeOf(folder: string, source: string): string {
  return relative(folder, source).replaceAll("\\", "/").replace(/^_/, ".");
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** All of them or none. */
async function write(folder: string, files: readonly TemplateFile[], name: string): Promise<void> {
  const made: string[] = [];
  try {
    for (const { path, source } of files) {
      const target = join(folder, path);
      await makeFolder(dirname(target), made);
      await writeFile(target, readFileSync(source, "utf8").replaceAll(TEMPLATE_NAME, name), { flag: "wx" });
      made.push(target);
    }
  } catch (error) {
    for (const path of made.reverse()) await rm(path, { recursive: true, force: true });
    throw cannotWrite(relative(process.cwd(), folder) || folder, error);
  }
}

/** Not `recursive`, with which Node never comes back from folders that cannot hold any, such as /proc. */
async function makeFolder(folder: string, made: string[]): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder), made);
  await mkdir(folder);
  made.push(folder);
}
