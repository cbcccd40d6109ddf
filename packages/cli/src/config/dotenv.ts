// `.env` and `.env.local`, for `stoa dev`. What the environment has already is left alone, also if it is empty.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { EXIT, Failure } from "../failure.js";
import type { Variables } from "./environment.js";

/** The later wins. */
export const DOTENV_FILES = [".env", ".env.local"] as const;

export interface DotenvFile {
  readonly name: string;
  readonly path: string;
  /** What it adds to the environment. */
  readonly variables: Variables;
}

/** Nothing stops for it. Values are never part of it: they may be secret. */
export interface Warning {
  readonly message: string;
  readonly hint: string;
}

export interface Dotenv {
  readonly files: readonly DotenvFile[];
  readonly warnings: readonly Warning[];
}

/** Those that there are. */
export function readDotenv(root: string, env: Variables): Dotenv {
  const read = DOTENV_FILES.map((name) => readOne(join(root, name), name, env));
  return { files: read.flatMap(({ files }) => files), warnings: read.flatMap(({ warnings }) => warnings) };
}

function readOne(path: string, name: string, env: Variables): Dotenv {
  const bytes = readIfThere(path, name);
  if (bytes === undefined) return { files: [], warnings: [] };
  if (bytes === "folder") return { files: [], warnings: [isFolder(name)] };
  // A mark of the order of bytes would become part of the first name.
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const all = Object.entries(parseEnv(text));
  const variables = Object.fromEntries(all.filter(([variable]) => env[variable] === undefined));
  const warnings = isUtf8(bytes)
    ? findMalformed(text).map((line) => isMalformed(name, line))
    : [isOther(name)];
  return { files: [{ name, path, variables }], warnings };
}

function readIfThere(path: string, name: string): Buffer | "folder" | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    // Perhaps somebody's virtual environment, which is no reason to stop.
    if (code === "EISDIR") return "folder";
    throw new Failure(`${name} cannot be read: ${message}.`, {
      hint: "mend the file or its permissions, then run the command again",
      exitCode: EXIT.environment,
    });
  }
}

/** The names of those that there are, read or not. */
export function findDotenv(root: string): readonly string[] {
  return DOTENV_FILES.filter((name) => statSync(join(root, name), { throwIfNoEntry: false })?.isFile());
}

// -------------------------------------------------------------- what is wrong with them

const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=[^\S\n]*(.*)$/;

/** The numbers of lines that set nothing and were meant to. */
function findMalformed(text: string): readonly number[] {
  const lines = text.split(/\r?\n/);
  const malformed: number[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (/^\s*(#|$)/.test(line)) continue;
    const value = ASSIGNMENT.exec(line)?.[1];
    if (value === undefined) malformed.push(index + 1);
    else index += linesBelow(value, lines.slice(index + 1));
  }
  return malformed;
}

/** How many more lines a value in quotes has. One that is never closed ends with its line. */
function linesBelow(value: string, rest: readonly string[]): number {
  const [quote = ""] = value;
  if (!`"'\``.includes(quote) || value.includes(quote, 1)) return 0;
  return rest.findIndex((line) => line.includes(quote)) + 1;
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function isMalformed(name: string, line: number): Warning {
  return {
    message: `${name}:${line}: this is not NAME=value`,
    hint: "the line is left out: write one NAME=value per line, and # before comments",
  };
}

function isFolder(name: string): Warning {
  return {
    message: `${name} is a folder, so nothing is read from it`,
    hint: "give the folder another name if you want a file there that sets variables",
  };
}

function isOther(name: string): Warning {
  return {
    message: `${name} is not UTF-8, so what it sets may be wrong or left out`,
    hint: "save it again as UTF-8",
  };
}
