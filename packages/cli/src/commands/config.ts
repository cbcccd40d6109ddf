// `stoa config`: what is in force, and where each setting comes from.

import { relative } from "node:path";
import { findNearest } from "@stoa/definition";
import type { Command } from "commander";
import { commandsBelow } from "../command-line.js";
import {
  type Configuration,
  collectConfiguration,
  inWords,
  type Origin,
  printWarnings,
  unknownInWords,
} from "../config/configuration.js";
import { findDotenv } from "../config/dotenv.js";
import type { Problem } from "../config/file-settings.js";
import { maskUrl } from "../config/secrets.js";
import { commandPath } from "../config/setting-options.js";
import { findSetting, SETTINGS, type Setting } from "../config/settings.js";
import type { Value } from "../config/value.js";
import { EXIT, Failure } from "../failure.js";
import { projectRoot } from "../project-root.js";
import { paletteFor, print, printError } from "../terminal.js";

export interface ConfigFlags {
  readonly for: string;
  readonly json?: boolean;
}

export async function config(path: string, flags: ConfigFlags, { parent }: Command): Promise<number> {
  const command = flags.for;
  checkCommand(command, parent);
  const root = projectRoot(path);
  const { configuration, problems } = await collectConfiguration(root, {
    command,
    flags,
    takesAllFlags: true,
  });
  if (flags.json) printJson(configuration, problems, command);
  else printSettings(configuration, problems, command);
  return problems.length === 0 ? EXIT.ok : EXIT.user;
}

/** A command that is none would have settings of its own, and nobody would know. */
function checkCommand(name: string, program: Command | null): void {
  const known = program === null ? [] : commandsBelow(program).map(commandPath);
  if (known.includes(name) || inTable.includes(name)) return;
  const near = findNearest(name, known);
  throw new Failure(`--for: there is no command ${name}.`, {
    hint: near === null ? 'write it as after `stoa`: --for dev, --for "db push"' : `did you mean ${near}?`,
  });
}

const inTable: readonly string[] = (SETTINGS as readonly Setting[]).flatMap(({ flags = [] }) =>
  flags.flatMap(({ commands }) => commands),
);

interface Row {
  readonly name: string;
  readonly value: Value | null;
  readonly origin: Origin;
}

function rowsOf({ settings, origins }: Configuration): Row[] {
  return SETTINGS.map(({ name, type }) => {
    const value = settings[name] ?? null;
    const isUrl = type.kind === "database" && typeof value === "string";
    return { name, value: isUrl ? maskUrl(value) : value, origin: origins[name] };
  });
}

function printJson(configuration: Configuration, problems: readonly Problem[], command: string): void {
  const { file, dotenvFiles, unknownVariables } = configuration;
  const settings = Object.fromEntries(
    rowsOf(configuration).map(({ name, value, origin }) => [name, { value, from: origin }]),
  );
  print(JSON.stringify({ command, file, dotenvFiles, settings, unknownVariables, problems }, null, 2));
}

function printSettings(configuration: Configuration, problems: readonly Problem[], command: string): void {
  const palette = paletteFor(process.stdout);
  const { file, dotenvFiles, root } = configuration;
  const files = [file ?? "no config file", ...dotenvFiles].join(", ");
  print(palette.faint(`for \`stoa ${command}\`, from ${files}, the environment and flags`));
  const rows = rowsOf(configuration).map((row) => ({ ...row, shown: shown(row, root), from: fromOf(row) }));
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const valueWidth = Math.min(LONGEST_VALUE, Math.max(...rows.map((row) => row.shown.length)));
  for (const { name, shown: value, origin, from } of rows) {
    const line = `${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${from}`;
    print(origin.kind === "default" ? palette.faint(line) : line);
  }
  printNotes(configuration, problems, command);
}

/** Of the column; a URL may be longer than anybody's screen is wide. */
const LONGEST_VALUE = 60;

/** Paths as they are seen from the project. */
function shown({ name, value }: Row, root: string): string {
  if (value === null) return "–";
  if (findSetting(name)?.type.kind !== "folder") return String(value);
  const inside = relative(root, String(value));
  return inside.startsWith("..") ? String(value) : inside || ".";
}

/** In words, what depends on the program: in the last column, where words have room. */
function fromOf({ name, value, origin }: Row): string {
  const otherwise = value === null ? findSetting(name)?.otherwise : undefined;
  return otherwise === undefined ? inWords(origin) : `${inWords(origin)}: ${otherwise}`;
}

function printNotes(configuration: Configuration, problems: readonly Problem[], command: string): void {
  const palette = paletteFor(process.stderr);
  for (const each of configuration.unknownVariables) {
    printError(`${palette.warning("warning")}: ${unknownInWords(each)}`);
  }
  if (command === "dev") printWarnings(configuration.warnings);
  const unread = command === "dev" ? [] : findDotenv(configuration.root);
  if (unread.length > 0) {
    printError(
      `${palette.note("note")}: ${unread.join(" and ")} is for \`stoa dev\` alone: \`stoa config --for dev\``,
    );
  }
  for (const { message, hint } of problems) {
    printError(
      `${palette.error("error")}${palette.strong(`: ${message}`)}\n  ${palette.note("= hint:")} ${hint}`,
    );
  }
}
