// The content of a config file, held against the table of settings. Everything that is wrong with it is told at once.

import { findNearest } from "@stoa/definition";
import { findSetting, SETTINGS, type Setting } from "./settings.js";
import { readValue, show, type Value } from "./value.js";

export interface Problem {
  readonly message: string;
  readonly hint: string;
}

export interface FileSettings {
  readonly values: ReadonlyMap<string, Value>;
  readonly problems: readonly Problem[];
}

const NAMES: readonly string[] = SETTINGS.map(({ name }) => name);
const GROUPS: readonly string[] = [
  ...new Set(NAMES.filter((name) => name.includes(".")).map((name) => name.slice(0, name.indexOf(".")))),
];

export function readFileSettings(
  { name: file, content }: { readonly name: string; readonly content: Readonly<Record<string, unknown>> },
  root: string,
): FileSettings {
  const values = new Map<string, Value>();
  const problems: Problem[] = [];
  const complain = (message: string, hint: string) =>
    problems.push({ message: `${file}: ${message}.`, hint });
  for (const [name, value] of Object.entries(content).flatMap(flatten)) {
    const setting = findSetting(name);
    if (value === undefined || name === "$schema") continue;
    if (GROUPS.includes(name))
      complain(`${name} is ${show(value)}, not a group of settings`, groupHint(name));
    else if (setting === undefined) complain(`there is no setting ${name}`, nameHint(name));
    else {
      const reading = readValue(setting.type, value, root);
      if (reading.ok) values.set(name, reading.value);
      else complain(`${name}: ${reading.message}`, reading.hint);
    }
  }
  return { values, problems };
}

/** Groups become names with a dot; one level, as there is no more. */
function flatten([name, value]: [string, unknown]): [string, unknown][] {
  const isGroup =
    GROUPS.includes(name) && typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isGroup) return [[name, value]];
  return Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner]);
}

function groupHint(group: string): string {
  const keys = NAMES.filter((name) => name.startsWith(`${group}.`)).map((name) =>
    name.slice(group.length + 1),
  );
  return `write ${group}: { ${keys.map((key) => `${key}: …`).join(", ")} }; each may be left out`;
}

/** Names that others have for it, and slips of the keyboard; also of the part after the dot. */
function nameHint(name: string): string {
  const bare = (full: string) => full.slice(full.indexOf(".") + 1);
  const direct = findNearest(name, [...NAMES, ...GROUPS]);
  const inner = NAMES.find((each) => bare(each) === findNearest(bare(name), NAMES.map(bare)));
  const near = direct ?? inner;
  return near === undefined || near === null
    ? "`stoa config --help` lists all settings"
    : `did you mean ${near}? \`stoa config --help\` lists all settings`;
}

/** For messages: how a setting is written in a config file. */
export function inFile({ name }: Setting, value: string): string {
  const [group = "", key] = name.split(".");
  return key === undefined ? `${group}: ${value}` : `${group}: { ${key}: ${value} }`;
}
