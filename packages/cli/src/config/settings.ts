// All settings there are. This table drives reading and checking, the flags of commands, `stoa config`, the JSON Schema
// and the types of config files, and the page in the docs: to add a setting, add a row.

export type SettingType =
  | {
      readonly kind: "integer";
      readonly min: number;
      readonly max: number;
      /** As in `"x" is not a port`. */
      readonly noun: string;
      readonly rule?: string;
    }
  | { readonly kind: "boolean" }
  | { readonly kind: "text"; readonly noun: string }
  /** A path: of files from the project's folder on, otherwise from the present one. */
  | { readonly kind: "folder" }
  /** A URL, which may hold a password, or the word `embedded`. */
  | { readonly kind: "database" }
  | { readonly kind: "choice"; readonly values: readonly string[]; readonly noun: string };

export interface SettingFlag {
  /** As commander reads it. A switch has its `--no-…` as well. */
  readonly flags: string;
  readonly commands: readonly string[];
}

export interface Setting {
  /** As in a config file; what stands before the dot is a group. */
  readonly name: string;
  readonly about: string;
  readonly type: SettingType;
  readonly default?: string | number | boolean;
  /** What is done where there is no default, in words. */
  readonly otherwise?: string;
  /** A variable that others know, too. The one with `STOA_` wins. */
  readonly variable?: string;
  readonly flags?: readonly SettingFlag[];
}

const MAX_MS = 2 ** 31 - 1;
const MILLISECONDS = { kind: "integer", min: 1, max: MAX_MS, noun: "a number of milliseconds" } as const;
const COUNT = { kind: "integer", min: 1, max: 1_000_000, noun: "a number" } as const;

const SERVE = ["start", "dev"] as const;
const ASK_DATABASE = [
  ...SERVE,
  "explain",
  "db push",
  "db populate",
  "db reset",
  "db deploy",
  "db status",
  "db baseline",
] as const;

export const SETTINGS = [
  {
    name: "port",
    about: "where to listen; 0 takes any port that is free",
    type: {
      kind: "integer",
      min: 0,
      max: 65_535,
      noun: "a port",
      rule: "a port is a whole number from 1 to 65535; 0 takes any that is free",
    },
    default: 3000,
    variable: "PORT",
    flags: [{ flags: "--port <number>", commands: SERVE }],
  },
  {
    name: "host",
    about: "for whom to listen: 127.0.0.1 is this machine alone, 0.0.0.0 everyone who can reach it",
    type: { kind: "text", noun: "an address" },
    default: "127.0.0.1",
    variable: "HOST",
    flags: [{ flags: "--host <address>", commands: SERVE }],
  },
  {
    name: "database.url",
    about: "the database: postgres://…, or embedded for the project's own",
    type: { kind: "database" },
    default: "embedded",
    variable: "DATABASE_URL",
    flags: [{ flags: "--database-url <url>", commands: ASK_DATABASE }],
  },
  {
    name: "database.connections",
    about: "how many connections transactions and long queries get; short statements share up to 10 more",
    type: COUNT,
    default: 10,
  },
  {
    name: "buildFolder",
    about: "where `stoa build` writes, and what `stoa start` serves",
    type: { kind: "folder" },
    default: ".stoa/build",
    flags: [
      { flags: "--build <folder>", commands: ["start"] },
      { flags: "--out <folder>", commands: ["build"] },
    ],
  },
  {
    name: "docs",
    about: "serve the OpenAPI document at /openapi.json and a page to read it at /docs",
    type: { kind: "boolean" },
    otherwise: "in `stoa dev`, and if the program has a `generator apidocs`",
    flags: [{ flags: "--docs", commands: SERVE }],
  },
  {
    name: "logLevel",
    about: "how much to log",
    type: { kind: "choice", values: ["error", "warn", "info", "debug", "silent"], noun: "a log level" },
    default: "info",
    flags: [{ flags: "--log-level <level>", commands: SERVE }],
  },
  {
    name: "trustProxy",
    about: "take the last address in X-Forwarded-For for the client's: only behind a proxy that adds it",
    type: { kind: "boolean" },
    default: false,
    flags: [{ flags: "--trust-proxy", commands: SERVE }],
  },
  {
    name: "requestTimeoutMs",
    about: "how long a request may take until its answer begins, and a stream from one chunk to the next",
    type: MILLISECONDS,
    default: 30_000,
  },
  {
    name: "shutdownTimeoutMs",
    about: "how long requests in flight have when the server is told to stop",
    type: MILLISECONDS,
    default: 10_000,
  },
  {
    name: "maxBodyBytes",
    about: "how large the body of a request may be",
    type: { kind: "integer", min: 1, max: 2 ** 30, noun: "a number of bytes" },
    default: 1_048_576,
  },
  {
    name: "auth.sessionTtlMs",
    about: "how long a session lasts",
    // The date that it ends at must stay one that PostgreSQL knows.
    type: { ...MILLISECONDS, max: 10 * 365 * 24 * 60 * 60_000 },
    default: 2_592_000_000,
  },
  {
    name: "auth.loginsPerAccount",
    about: "how many failed logins an account may have within the window",
    type: COUNT,
    default: 10,
  },
  {
    name: "auth.loginsPerAddress",
    about: "how many failed logins an address may have within the window",
    type: COUNT,
    default: 50,
  },
  {
    name: "auth.loginWindowMs",
    about: "how long failed logins count, from the first on",
    type: MILLISECONDS,
    default: 900_000,
  },
  {
    name: "lockTimeoutMs",
    about: "how long a step of a migration may wait for a table, and others behind it",
    type: MILLISECONDS,
    default: 2000,
    flags: [{ flags: "--lock-timeout <ms>", commands: ["db deploy"] }],
  },
  {
    name: "dev.populator",
    about: "the populator that fills an empty database in `stoa dev`",
    type: { kind: "text", noun: "the name of a populator" },
    otherwise: "Dev, if there is one",
    flags: [{ flags: "--populator <name>", commands: ["dev"] }],
  },
  {
    name: "dev.open",
    about: "open the browser when `stoa dev` has started",
    type: { kind: "boolean" },
    default: false,
    flags: [{ flags: "--open", commands: ["dev"] }],
  },
] as const satisfies readonly Setting[];

type Row = (typeof SETTINGS)[number];

export type SettingName = Row["name"];

type ValueOf<Type extends SettingType> = Type extends { readonly kind: "integer" }
  ? number
  : Type extends { readonly kind: "boolean" }
    ? boolean
    : Type extends { readonly kind: "choice"; readonly values: readonly (infer Value)[] }
      ? Value
      : string;

/** What is in force: every setting by its name. Those without a default may be undefined. */
export type Settings = {
  readonly [Each in Row as Each["name"]]:
    | ValueOf<Each["type"]>
    | (Each extends { readonly default: unknown } ? never : undefined);
};

export function findSetting(name: string): Setting | undefined {
  return SETTINGS.find((setting) => setting.name === name);
}

/** `database.url` → `STOA_DATABASE_URL`. */
export function variableOf({ name }: Setting): string {
  return `STOA_${name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(".", "_")
    .toUpperCase()}`;
}

/** The variables that set it, the one that wins first. */
export function variablesOf(setting: Setting): readonly string[] {
  return setting.variable === undefined ? [variableOf(setting)] : [variableOf(setting), setting.variable];
}
