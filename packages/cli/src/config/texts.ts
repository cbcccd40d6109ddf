// What is written from the table of settings: the types of config files, the JSON Schema, the table in the docs.

import { SETTINGS, type Setting, type SettingType, variablesOf } from "./settings.js";

const ALL: readonly Setting[] = SETTINGS;

interface Member {
  readonly key: string;
  /** A setting, or the group that has this name. */
  readonly content: Setting | readonly Setting[];
}

function members(): readonly Member[] {
  const keys = [...new Set(ALL.map(({ name }) => name.split(".")[0] ?? ""))];
  return keys.map((key) => {
    const setting = ALL.find(({ name }) => name === key);
    return { key, content: setting ?? ALL.filter(({ name }) => name.startsWith(`${key}.`)) };
  });
}

function isGroup(content: Member["content"]): content is readonly Setting[] {
  return Array.isArray(content);
}

function keyOf({ name }: Setting): string {
  return name.slice(name.indexOf(".") + 1);
}

// ---------------------------------------------------------------- types

/** The declarations that come with `defineConfig`. */
export function configTypes(): string {
  const lines = members().flatMap(({ key, content }) => {
    if (!isGroup(content)) return typeLines(key, content, "  ");
    const inner = content.flatMap((setting) => typeLines(keyOf(setting), setting, "    "));
    return [`  readonly ${key}?: {`, ...inner, "  } | undefined;"];
  });
  return [
    "/** The settings of a project. What is left out has its default. */",
    "export interface StoaConfig {",
    ...lines,
    "}",
    "",
    "export interface ConfigContext {",
    "  /** The command that asks, as it is written after `stoa`: `start`, `dev`, `db push`. */",
    "  readonly command: string;",
    "  /** The environment; in `stoa dev` with what `.env` adds to it. */",
    "  readonly env: Readonly<Record<string, string | undefined>>;",
    "}",
    "",
    "export type StoaConfigFunction = (context: ConfigContext) => StoaConfig | Promise<StoaConfig>;",
    "export type StoaConfigExport = StoaConfig | Promise<StoaConfig> | StoaConfigFunction;",
    "",
    "/** For the default export of `stoa.config.ts`. Gives back what it gets: it is there for its types. */",
    "export declare function defineConfig(config: StoaConfigExport): StoaConfigExport;",
    "",
  ].join("\n");
}

function typeLines(key: string, setting: Setting, indent: string): string[] {
  const about = `${setting.about.charAt(0).toUpperCase()}${setting.about.slice(1)}.`;
  return [
    `${indent}/** ${about} Default: ${standardOf(setting)}. */`,
    `${indent}readonly ${key}?: ${typeText(setting.type)} | undefined;`,
  ];
}

function typeText(type: SettingType): string {
  switch (type.kind) {
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "choice":
      return type.values.map((value) => JSON.stringify(value)).join(" | ");
    case "text":
    case "folder":
    case "database":
      return "string";
  }
}

// ---------------------------------------------------------------- JSON Schema

/** For editors: `"$schema": "./node_modules/stoa/dist/config.schema.json"`. */
export function configSchema(): object {
  const properties = members().map(({ key, content }) => {
    if (!isGroup(content)) return [key, schemaOf(content)];
    return [key, objectSchema(content.map((setting) => [keyOf(setting), schemaOf(setting)]))];
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "The configuration of a Stoa project",
    ...objectSchema([["$schema", { type: "string" }], ...(properties as [string, object][])]),
  };
}

function objectSchema(properties: readonly (readonly [string, object])[]): object {
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(properties) };
}

function schemaOf(setting: Setting): object {
  const standard = setting.default === undefined ? {} : { default: setting.default };
  return { description: setting.about, ...valueSchema(setting.type), ...standard };
}

function valueSchema(type: SettingType): object {
  switch (type.kind) {
    case "integer":
      return { type: "integer", minimum: type.min, maximum: type.max };
    case "boolean":
      return { type: "boolean" };
    case "choice":
      return { enum: type.values };
    case "database":
      return { type: "string", pattern: "^(embedded$|postgres(ql)?://)" };
    case "text":
    case "folder":
      return { type: "string", pattern: "\\S" };
  }
}

// ---------------------------------------------------------------- documentation

/** The table of the page in the docs. */
export function configTable(): string {
  const rows = ALL.map((setting) => {
    const variables = variablesOf(setting).map((variable) => `\`${variable}\``);
    const flags = [...new Set((setting.flags ?? []).map(({ flags: text }) => `\`${text.split(" ")[0]}\``))];
    const cells = [
      `\`${setting.name}\``,
      setting.about,
      standardOf(setting),
      variables.join(", "),
      flags.join(", "),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| setting | what it is | default | environment | flag |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function standardOf(setting: Setting): string {
  return setting.otherwise ?? `\`${setting.default}\``;
}
