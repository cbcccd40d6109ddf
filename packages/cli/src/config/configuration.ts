// The configuration of a project: defaults, its config file, `.env` (in `stoa dev` only), the environment, flags. The
// later wins. What is wrong is told with the place it comes from.

import { EXIT, Failure } from "../failure.js";
import { paletteFor, printError } from "../terminal.js";
import { type ConfigFile, readConfigFile } from "./config-file.js";
import { type DotenvFile, readDotenv, type Warning } from "./dotenv.js";
import { findUnknown, findVariable, type UnknownVariable, type Variables } from "./environment.js";
import { type FileSettings, type Problem, readFileSettings } from "./file-settings.js";
import { SETTINGS, type Setting, type SettingName, type Settings } from "./settings.js";
import { findUnread } from "./unread-dotenv.js";
import { type Reading, readText, readValue, type Value } from "./value.js";

export type { Settings } from "./settings.js";

/** Where the value of a setting comes from. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "dotenv"; readonly file: string; readonly variable: string }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "flag"; readonly flag: string };

export interface Configuration {
  /** The project's folder. */
  readonly root: string;
  readonly settings: Settings;
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** The name of the config file, if there is one. */
  readonly file: string | null;
  /** Names of the `.env` files that were read. */
  readonly dotenvFiles: readonly string[];
  /** What `.env` adds to the environment: variables that it does not have already. */
  readonly dotenv: Readonly<Record<string, string>>;
  /** Every file that was read, for whoever watches them. */
  readonly inputs: readonly string[];
  readonly unknownVariables: readonly UnknownVariable[];
  /** What is odd about `.env`; for commands that do not read it, what it sets for nobody. */
  readonly warnings: readonly Warning[];
}

export interface ConfigurationOptions {
  /** As people write it: `start`, `db push`. */
  readonly command: string;
  /** The options of the command, as commander gives them; those that are no settings are left alone. */
  readonly flags?: object;
  /** Takes the flags of all settings, whichever command they belong to. */
  readonly takesAllFlags?: boolean;
  /** Does not care what `.env` would have set. */
  readonly ignoresDotenv?: boolean;
  readonly env?: Variables;
}

/** For commands: what is wrong is thrown, and variables that look like slips are pointed out. */
export async function readConfiguration(root: string, options: ConfigurationOptions): Promise<Configuration> {
  const { configuration, problems } = await collectConfiguration(root, options);
  if (problems.length > 0) throw failureOf(problems);
  warnUnknown(configuration.unknownVariables);
  printWarnings(configuration.warnings);
  return configuration;
}

/** Everything that can be known, and everything that is wrong. Throws where the config file cannot be read at all. */
export async function collectConfiguration(
  root: string,
  options: ConfigurationOptions,
): Promise<{ readonly configuration: Configuration; readonly problems: readonly Problem[] }> {
  const { command, env = process.env } = options;
  const isRead = command === "dev";
  const { files: dotenvFiles, warnings } = isRead ? readDotenv(root, env) : { files: [], warnings: [] };
  const dotenv: Record<string, string> = Object.assign({}, ...dotenvFiles.map(({ variables }) => variables));
  const file = await readConfigFile(root, { command, env: { ...dotenv, ...env } });
  const content = file ? readFileSettings(file, root) : { values: new Map<string, Value>(), problems: [] };
  const layers: Layers = { root, options, env, dotenvFiles, file, content };
  const found = SETTINGS.map((setting) => ({ setting, ...findValue(setting, layers) }));
  const problems = [...content.problems, ...found.flatMap(problemOf)];
  const values = found.map(({ setting, reading }) => [setting.name, settle(setting, reading, root)]);
  const origins = Object.fromEntries(
    found.map(({ setting, origin }) => [setting.name, origin]),
  ) as Configuration["origins"];
  const isDefault = ({ name }: { readonly name: SettingName }) => origins[name].kind === "default";
  const configuration: Configuration = {
    root,
    settings: Object.fromEntries(values),
    origins,
    file: file?.name ?? null,
    dotenvFiles: dotenvFiles.map(({ name }) => name),
    dotenv,
    inputs: [...(file?.inputs ?? []), ...dotenvFiles.map(({ path }) => path)],
    unknownVariables: findUnknown({ ...dotenv, ...env }),
    warnings: isRead || options.ignoresDotenv ? warnings : findUnread({ root, command, env, isDefault }),
  };
  return { configuration, problems };
}

interface Layers {
  readonly root: string;
  readonly options: ConfigurationOptions;
  readonly env: Variables;
  readonly dotenvFiles: readonly DotenvFile[];
  readonly file: ConfigFile | undefined;
  readonly content: FileSettings;
}

interface Found {
  readonly origin: Origin;
  /** Undefined for the default. */
  readonly reading: Reading | undefined;
}

/** From the layer that wins down to the default. Only the one that wins is looked at closely. */
function findValue(setting: Setting, layers: Layers): Found {
  const { root, env, file, content } = layers;
  const flag = findFlag(setting, layers.options);
  if (flag) return flag;
  const set = findVariable(setting, env);
  if (set)
    return { origin: { kind: "environment", variable: set.variable }, reading: read(setting, set.text) };
  for (const { name, variables } of [...layers.dotenvFiles].reverse()) {
    const added = findVariable(setting, variables);
    if (added === undefined) continue;
    const origin = { kind: "dotenv", file: name, variable: added.variable } as const;
    return { origin, reading: readText(setting.type, added.text, root) };
  }
  const value = content.values.get(setting.name);
  if (file === undefined || value === undefined) return { origin: { kind: "default" }, reading: undefined };
  return { origin: { kind: "file", file: file.name }, reading: { ok: true, value } };
}

function findFlag(
  setting: Setting,
  { command, flags = {}, takesAllFlags }: ConfigurationOptions,
): Found | undefined {
  for (const { flags: text, commands } of setting.flags ?? []) {
    if (!takesAllFlags && !commands.includes(command)) continue;
    const [flag = ""] = text.split(" ");
    const value: unknown = (flags as Readonly<Record<string, unknown>>)[attributeOf(flag)];
    if (value === undefined) continue;
    if (typeof value === "string") return { origin: { kind: "flag", flag }, reading: read(setting, value) };
    const shown = value === false ? flag.replace("--", "--no-") : flag;
    return { origin: { kind: "flag", flag: shown }, reading: readValue(setting.type, value, process.cwd()) };
  }
  return undefined;
}

/** `--log-level` → `logLevel`, as commander has it. */
function attributeOf(flag: string): string {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What people type is about the folder that they are in. */
function read({ type }: Setting, text: string): Reading {
  return readText(type, text, process.cwd());
}

/** What is wrong is told elsewhere; until then, the default holds. */
function settle(setting: Setting, reading: Reading | undefined, root: string): Value | undefined {
  if (reading?.ok) return reading.value;
  if (setting.default === undefined) return undefined;
  const standard = readValue(setting.type, setting.default, root);
  return standard.ok ? standard.value : undefined;
}

function problemOf({ origin, reading }: Found): Problem[] {
  if (reading === undefined || reading.ok) return [];
  return [{ message: `${inWords(origin)}: ${reading.message}.`, hint: reading.hint }];
}

/** For people: `environment PORT`, `.env PORT`, `stoa.config.ts`, `--port`. */
export function inWords(origin: Origin): string {
  switch (origin.kind) {
    case "default":
      return "default";
    case "file":
      return origin.file;
    case "dotenv":
      return `${origin.file} ${origin.variable}`;
    case "environment":
      return `environment ${origin.variable}`;
    case "flag":
      return origin.flag;
  }
}

export function failureOf(problems: readonly Problem[]): Failure {
  const [first, ...others] = problems;
  if (first === undefined || others.length === 0) {
    return new Failure(first?.message ?? "", { hint: first?.hint ?? "", exitCode: EXIT.user });
  }
  const lines = problems.map(({ message, hint }) => `\n  ${message} (${hint})`);
  return new Failure(`The configuration has ${problems.length} mistakes:${lines.join("")}`, {
    hint: "`stoa config` shows what is in force and where it comes from",
  });
}

function warnUnknown(variables: readonly UnknownVariable[]): void {
  for (const each of variables)
    printError(`${paletteFor(process.stderr).warning("warning")}: ${unknownInWords(each)}`);
}

export function printWarnings(warnings: readonly Warning[]): void {
  const { warning, note } = paletteFor(process.stderr);
  for (const { message, hint } of warnings)
    printError(`${warning("warning")}: ${message}\n  ${note("= hint:")} ${hint}`);
}

export function unknownInWords({ variable, nearest }: UnknownVariable): string {
  const near = nearest === null ? "`stoa config --help` lists all" : `did you mean ${nearest}?`;
  return `${variable} sets nothing: there is no such setting (${near})`;
}
