// Configuration as cases: files, environment and flags in; settings with their origins, or what is wrong, out.

import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applicationSettings } from "../src/application-settings.js";
import { loadConfigModule } from "../src/config/config-module.js";
import { collectConfiguration, failureOf, inWords, readConfiguration } from "../src/config/configuration.js";
import { maskSecrets, maskUrl } from "../src/config/secrets.js";
import { SETTINGS, type Setting, variablesOf } from "../src/config/settings.js";
import { Failure } from "../src/failure.js";
import { inFolder } from "./run.js";

interface Case {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: object;
  readonly command?: string;
}

function collect({ files = {}, env = {}, flags = {}, command = "start" }: Case) {
  return inFolder(files, async (root) => ({
    root,
    ...(await collectConfiguration(root, { command, env, flags })),
  }));
}

/** What is not the default, as `name: value (origin)`. */
async function inForce(given: Case): Promise<readonly string[]> {
  const { configuration, problems, root } = await collect(given);
  expect(problems).toEqual([]);
  return SETTINGS.filter(({ name }) => configuration.origins[name].kind !== "default").map(({ name }) => {
    const value = String(configuration.settings[name])
      .replace(root, "<root>")
      .replace(process.cwd(), "<cwd>");
    return `${name}: ${value} (${inWords(configuration.origins[name])})`;
  });
}

/** Every problem with its hint, or the failure where nothing can be read. */
async function wrong(given: Case): Promise<readonly string[]> {
  try {
    const { problems } = await collect(given);
    return problems.map(({ message, hint }) => `${message} | ${hint}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [`${error.message} | ${error.hint}`];
  }
}

const JSON_PORT = { "stoa.config.json": '{ "port": 1 }' };

describe("where settings come from", () => {
  it("without anything, all are defaults", async () => {
    const { configuration, root } = await collect({});
    expect(configuration.settings).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      "database.url": "embedded",
      buildFolder: join(root, ".stoa/build"),
      docs: undefined,
      trustProxy: false,
      maxBodyBytes: 1_048_576,
    });
    expect(configuration).toMatchObject({ file: null, dotenvFiles: [], inputs: [] });
  });

  it.each<[string, Case, readonly string[]]>([
    ["a file in JSON", { files: JSON_PORT }, ["port: 1 (stoa.config.json)"]],
    [
      "a file in JSON that names its schema",
      { files: { "stoa.config.json": '{ "$schema": "./x.json", "dev": { "open": true } }' } },
      ["dev.open: true (stoa.config.json)"],
    ],
    [
      "a file in TypeScript, with what it imports",
      {
        files: {
          "stoa.config.ts": `import { base } from "./settings/base";\nexport default { port: base as number, database: { connections: 3 } };`,
          "settings/base.ts": "export const base: number = 8080;",
        },
      },
      ["port: 8080 (stoa.config.ts)", "database.connections: 3 (stoa.config.ts)"],
    ],
    [
      "a file in JavaScript",
      { files: { "stoa.config.mjs": "export default { logLevel: 'warn' }" } },
      ["logLevel: warn (stoa.config.mjs)"],
    ],
    [
      "a file in CommonJS",
      {
        files: { "stoa.config.js": "module.exports = { host: require('node:path').posix.basename('/a/b') }" },
      },
      ["host: b (stoa.config.js)"],
    ],
    [
      "a function of the command and the environment, that takes its time",
      {
        files: {
          "stoa.config.ts":
            "export default async ({ command, env }) => ({ host: command, dev: { populator: env.WHO } })",
        },
        env: { WHO: "Big" },
        command: "db push",
      },
      ["host: db push (stoa.config.ts)", "dev.populator: Big (stoa.config.ts)"],
    ],
    [
      "a promise",
      { files: { "stoa.config.ts": "export default Promise.resolve({ port: 5 })" } },
      ["port: 5 (stoa.config.ts)"],
    ],
    [
      "a file that asks where it is",
      {
        files: {
          "stoa.config.ts":
            'import { basename } from "node:path";\nexport default { host: basename(import.meta.filename) + (import.meta.url.startsWith("file://") && import.meta.dirname ? "!" : "") }',
        },
      },
      ["host: stoa.config.ts! (stoa.config.ts)"],
    ],
    [
      "what is undefined is not set",
      { files: { "stoa.config.ts": "export default { port: undefined, database: undefined }" } },
      [],
    ],
    [
      "the environment wins over the file",
      { files: JSON_PORT, env: { PORT: "2" } },
      ["port: 2 (environment PORT)"],
    ],
    [
      "the variable with STOA_ wins over the one that others know, too",
      { env: { PORT: "2", STOA_PORT: "3" } },
      ["port: 3 (environment STOA_PORT)"],
    ],
    [
      "flags win over all",
      { files: JSON_PORT, env: { PORT: "x" }, flags: { port: "4" } },
      ["port: 4 (--port)"],
    ],
    [
      "an empty variable is one that is not set",
      { files: JSON_PORT, env: { PORT: "" } },
      ["port: 1 (stoa.config.json)"],
    ],
    [
      "a switch can be switched off by a flag",
      { files: { "stoa.config.json": '{ "docs": true }' }, flags: { docs: false } },
      ["docs: false (--no-docs)"],
    ],
    [
      "switches in variables",
      { env: { STOA_DOCS: "ON", STOA_TRUST_PROXY: "0", STOA_DEV_OPEN: "yes" } },
      [
        "docs: true (environment STOA_DOCS)",
        "trustProxy: false (environment STOA_TRUST_PROXY)",
        "dev.open: true (environment STOA_DEV_OPEN)",
      ],
    ],
    ["flags of other commands are not settings", { command: "db populate", flags: { populator: "Dev" } }, []],
    [
      "a folder of the file begins in the project",
      { files: { "stoa.config.json": '{ "buildFolder": "out" }' } },
      ["buildFolder: <root>/out (stoa.config.json)"],
    ],
    [
      "a folder that was typed begins where one is",
      { command: "build", flags: { out: "out" } },
      ["buildFolder: <cwd>/out (--out)"],
    ],
    [
      "what Kubernetes sets for a service called stoa is no setting",
      {
        env: {
          STOA_PORT: "tcp://10.0.0.1:80",
          STOA_PORT_80_TCP: "tcp://10.0.0.1:80",
          STOA_SERVICE_HOST: "10.0.0.1",
        },
      },
      [],
    ],
  ])("%s", async (_, given, expected) => {
    expect(await inForce(given)).toEqual(expected);
  });
});

/** What is told on standard error though nothing stops for it. */
async function warned(given: Case): Promise<readonly string[]> {
  const { configuration } = await collect(given);
  return configuration.warnings.map(({ message, hint }) => `${message} | ${hint}`);
}

describe("what .env sets for commands that do not read it", () => {
  const files = { ".env": "DATABASE_URL=postgres://u:secret@h/d\nPORT=2\nSTOA_DEV_OPEN=true\n" };
  const unread = (file: string, variable: string, command: string) =>
    `${file} sets ${variable}, which only \`stoa dev\` reads | set it in the environment for other commands, e.g. \`${variable}=… stoa ${command}\``;

  it.each<[string, Case, readonly string[]]>([
    [
      "is named, and not its value",
      { files, command: "db push" },
      [unread(".env", "DATABASE_URL", "db push")],
    ],
    [
      "is named for each setting that the command uses",
      { files, command: "start" },
      [unread(".env", "PORT", "start"), unread(".env", "DATABASE_URL", "start")],
    ],
    [
      "is named with the file that would win",
      { files: { ...files, ".env.local": "STOA_DATABASE_URL=x" }, command: "explain" },
      [unread(".env.local", "STOA_DATABASE_URL", "explain")],
    ],
    ["does not matter to a command without the setting", { files, command: "build" }, []],
    [
      "does not matter where the environment or a flag sets it",
      { files, command: "start", env: { STOA_DATABASE_URL: "postgres://h/e" }, flags: { port: "3" } },
      [],
    ],
    [
      "does not matter where the config file sets it",
      { files: { ...files, ...JSON_PORT }, command: "start", env: { DATABASE_URL: "postgres://h/e" } },
      [],
    ],
    ["is no matter in dev", { files, command: "dev" }, []],
  ])("%s", async (_, given, expected) => {
    expect(await warned(given)).toEqual(expected);
  });
});

describe("an odd .env", () => {
  const HINT = "the line is left out: write one NAME=value per line, and # before comments";
  it.each<[string, Case["files"], readonly string[]]>([
    [
      "lines that set nothing are told by their numbers",
      { ".env": "PORT 3000\n\n# a comment\nexport HOST=b\n  A_B = 1\nhunter2\n1X=y\n" },
      [1, 6, 7].map((line) => `.env:${line}: this is not NAME=value | ${HINT}`),
    ],
    [
      "lines within quotes belong to their value",
      { ".env": "KEY=\"-----BEGIN\nMIIE\n-----END\"\r\nOTHER='x'\nodd", ".env.local": 'A="open\nB' },
      [`.env:5: this is not NAME=value | ${HINT}`, `.env.local:2: this is not NAME=value | ${HINT}`],
    ],
    [
      "a folder",
      { ".env/bin/python": "" },
      [
        ".env is a folder, so nothing is read from it | give the folder another name if you want a file there that sets variables",
      ],
    ],
    [
      "UTF-16, as some shells write it",
      { ".env": Buffer.from("\uFEFFPORT=1\n", "utf16le") },
      [".env is not UTF-8, so what it sets may be wrong or left out | save it again as UTF-8"],
    ],
  ])("%s", async (_, files = {}, expected) => {
    expect(await warned({ files, command: "dev" })).toEqual(expected);
  });
});

describe(".env", () => {
  const files = {
    "stoa.config.json": '{ "port": 1, "host": "a" }',
    ".env": "PORT=2\nHOST=b # local\nSTOA_LOG_LEVEL='debug'\nSTOA_BUILD_FOLDER=out\nSECRET=x\nHOME_OF=y\n",
    ".env.local": "HOST=c\n",
  };

  it("is read in dev, .env.local after .env, and both lose to the environment", async () => {
    expect(await inForce({ files, command: "dev", env: { PORT: "3" } })).toEqual([
      "port: 3 (environment PORT)",
      "host: c (.env.local HOST)",
      "buildFolder: <root>/out (.env STOA_BUILD_FOLDER)",
      "logLevel: debug (.env STOA_LOG_LEVEL)",
    ]);
  });

  it("leaves a variable alone that the environment has, also if it is empty", async () => {
    expect(
      await inForce({ files, command: "dev", env: { HOST: "", PORT: "3", STOA_LOG_LEVEL: "" } }),
    ).toEqual([
      "port: 3 (environment PORT)",
      "host: a (stoa.config.json)",
      "buildFolder: <root>/out (.env STOA_BUILD_FOLDER)",
    ]);
  });

  it("is not read by any other command", async () => {
    expect(await inForce({ files })).toEqual(["port: 1 (stoa.config.json)", "host: a (stoa.config.json)"]);
  });

  it("no variable of .env wins over one of the environment, also of another name", async () => {
    const given = { files: { ".env": "STOA_PORT=2" }, command: "dev", env: { PORT: "3" } };
    expect(await inForce(given)).toEqual(["port: 3 (environment PORT)"]);
  });

  it("gives what it adds to the environment, for the code of the project, and to the config", async () => {
    const { "stoa.config.json": _, ...dotenv } = files;
    const config =
      "export default ({ env }) => ({ maxBodyBytes: Number(env.PORT) + 1, dev: { populator: env.SECRET } })";
    const { configuration } = await collect({
      files: { ...dotenv, "stoa.config.ts": config },
      command: "dev",
      env: { HOME_OF: "z", PORT: "7" },
    });
    expect(configuration.settings).toMatchObject({ maxBodyBytes: 8, "dev.populator": "x" });
    expect(configuration.dotenv).toMatchObject({ SECRET: "x", HOST: "c" });
    expect(configuration.dotenv).not.toHaveProperty("HOME_OF");
    expect(configuration.dotenv).not.toHaveProperty("PORT");
  });

  it("tells whoever watches which files it has read", async () => {
    const given = {
      files: {
        ".env": "",
        "stoa.config.ts": 'export { default } from "./other";',
        "other.ts": "export default {}",
      },
      command: "dev",
    };
    const { configuration, root } = await collect(given);
    expect([...configuration.inputs].sort()).toEqual(
      [".env", "other.ts", "stoa.config.ts"].map((name) => join(root, name)),
    );
  });
});

describe("what is wrong is said with its place and what to do", () => {
  it.each<[string, Case, readonly string[]]>([
    [
      "an unknown setting",
      { files: { "stoa.config.json": '{ "prot": 1 }' } },
      [
        "stoa.config.json: there is no setting prot. | did you mean port? `stoa config --help` lists all settings",
      ],
    ],
    [
      "an unknown setting of a group",
      { files: { "stoa.config.json": '{ "database": { "ulr": "x" } }' } },
      [
        "stoa.config.json: there is no setting database.ulr. | did you mean database.url? `stoa config --help` lists all settings",
      ],
    ],
    [
      "a setting outside of its group",
      { files: { "stoa.config.json": '{ "populator": "Dev" }' } },
      [
        "stoa.config.json: there is no setting populator. | did you mean dev.populator? `stoa config --help` lists all settings",
      ],
    ],
    [
      "a setting that is like no other",
      { files: { "stoa.config.json": '{ "frobnicate": 1 }' } },
      ["stoa.config.json: there is no setting frobnicate. | `stoa config --help` lists all settings"],
    ],
    [
      "a group that is none",
      { files: { "stoa.config.json": '{ "database": "postgres://a:secret-word@b/c" }' } },
      [
        'stoa.config.json: database is "postgres://a:***@b/c", not a group of settings. | write database: { url: …, connections: … }; each may be left out',
      ],
    ],
    [
      "values of other types, all of them at once",
      {
        files: {
          "stoa.config.json":
            '{ "port": "80", "host": 1, "docs": "yes", "logLevel": "inof", "maxBodyBytes": 0, "dev": { "populator": [] }, "trustProxy": null }',
        },
      },
      [
        'stoa.config.json: port: "80" is not a port. | a port is a whole number from 1 to 65535; 0 takes any that is free; write it without quotes',
        "stoa.config.json: host: 1 is not an address. | write an address, as a text",
        'stoa.config.json: docs: "yes" is neither true nor false. | write true or false',
        'stoa.config.json: logLevel: "inof" is not a log level. | did you mean info? It is one of error, warn, info, debug, silent',
        "stoa.config.json: maxBodyBytes: 0 is not a number of bytes. | a number of bytes is a whole number from 1 to 1073741824",
        "stoa.config.json: dev.populator: a list is not the name of a populator. | write the name of a populator, as a text",
        "stoa.config.json: trustProxy: null is neither true nor false. | write true or false",
      ],
    ],
    [
      "a variable",
      { env: { PORT: "80a" } },
      [
        'environment PORT: "80a" is not a port. | a port is a whole number from 1 to 65535; 0 takes any that is free',
      ],
    ],
    [
      "a variable of .env",
      { files: { ".env": "STOA_DOCS=maybe" }, command: "dev" },
      ['.env STOA_DOCS: "maybe" is neither true nor false. | write true or false'],
    ],
    [
      "a flag",
      { flags: { port: "70000" } },
      ['--port: "70000" is not a port. | a port is a whole number from 1 to 65535; 0 takes any that is free'],
    ],
    [
      "a URL of another database, which is not repeated",
      { env: { DATABASE_URL: "mysql://root:secret-word@db/shop" } },
      [
        expect.stringMatching(
          /^environment DATABASE_URL: the database URL must begin with postgres:\/\/\. \| write /,
        ),
      ],
    ],
    [
      "a URL that is none, which is not repeated",
      { flags: { databaseUrl: "postgres://root:secret-word@db:port/shop" } },
      [expect.stringMatching(/^--database-url: the database URL cannot be read\. \| write /)],
    ],
    [
      "several files",
      { files: { "stoa.config.ts": "", "stoa.config.json": "{}" } },
      ["There are several config files: stoa.config.ts, stoa.config.json. | keep one of them"],
    ],
    [
      "no JSON",
      { files: { "stoa.config.json": '{\n  "port": 80,\n}' } },
      [
        "stoa.config.json:3:1: it is not JSON: expected double-quoted property name. | mend it; comments and trailing commas are not allowed in JSON, but they are in stoa.config.ts",
      ],
    ],
    [
      "an empty file in JSON",
      { files: { "stoa.config.json": "" } },
      [expect.stringMatching(/^stoa\.config\.json:1:1: it is not JSON: unexpected end of JSON input\./)],
    ],
    [
      "JSON that is no object",
      { files: { "stoa.config.json": "[]" } },
      ['stoa.config.json must give an object with settings, not a list. | write { "port": 8080 }'],
    ],
    [
      "no TypeScript",
      { files: { "stoa.config.ts": "export default {\n  port: 80,\n  host = 3\n}" } },
      ['stoa.config.ts:3:8: Unexpected "=". | mend the config file, then run the command again'],
    ],
    [
      "a module that there is not",
      { files: { "stoa.config.ts": 'import x from "./gone";\nexport default x;' } },
      ['stoa.config.ts:1:15: Could not resolve "./gone". | mend the config file, then run the command again'],
    ],
    [
      "a package that is not installed",
      { files: { "stoa.config.ts": 'import x from "not-installed";\nexport default x;' } },
      [
        expect.stringMatching(
          /^stoa\.config\.ts:\d+:\d+: the config file fails: Error: Cannot find module 'not-installed' \|/,
        ),
      ],
    ],
    [
      "a file that throws, with the place in the file as it was written",
      {
        files: {
          "stoa.config.ts": `interface A { a: number }\n\nfunction read(): never {\n  throw new TypeError("no postgres://a:secret-word@b/c\\nmore");\n}\nexport default () => ({ port: read() });`,
        },
      },
      [
        "stoa.config.ts:4:9: the config file fails: TypeError: no postgres://a:***@b/c | it runs whenever settings are read: mend it, then run the command again",
      ],
    ],
    [
      "a module of it that throws",
      {
        files: {
          "stoa.config.ts": 'import "./deep/other";\nexport default {};',
          "deep/other.ts": "export const a: number = 1;\nthrow new Error('there');",
        },
      },
      [expect.stringMatching(/^deep\/other\.ts:2:7: the config file fails: Error: there \|/)],
    ],
    [
      "a file that throws what is no error",
      { files: { "stoa.config.ts": "throw 'up'" } },
      [expect.stringMatching(/^stoa\.config\.ts: the config file fails: up \|/)],
    ],
    [
      "a property that throws",
      { files: { "stoa.config.ts": "export default {\n  get port() { throw new Error('late') },\n};" } },
      [expect.stringMatching(/^stoa\.config\.ts:2:22: the config file fails: Error: late \|/)],
    ],
    [
      "waiting at the top",
      { files: { "stoa.config.ts": "const port = await 3;\nexport default { port };" } },
      [
        "stoa.config.ts:1:14: A config file cannot use `await` outside of functions. | export an async function: export default async () => ({ … })",
      ],
    ],
    [
      "a file without a default",
      { files: { "stoa.config.ts": "export const port = 1;" } },
      ["The config file exports no default. | write export default { port: 8080 }"],
    ],
    [
      "a default that is no object",
      { files: { "stoa.config.ts": "export default () => 3;" } },
      ["stoa.config.ts must give an object with settings, not 3. | write export default { port: 8080 }"],
    ],
  ])("%s", async (_, given, expected) => {
    const said = await wrong(given);
    expect(said).toEqual(expected);
    expect(said.join()).not.toContain("secret-word");
  });

  it("several mistakes are one failure with a line for each", async () => {
    const { problems } = await collect({
      files: { "stoa.config.json": '{ "a": 1, "b": 2 }' },
      env: { PORT: "x" },
    });
    const { message } = failureOf(problems);
    expect(message.split("\n")).toHaveLength(4);
    expect(message).toContain("The configuration has 3 mistakes:");
  });

  it("a file that never comes to an end", () =>
    inFolder({ "stoa.config.ts": "export default () => new Promise(() => {});" }, async (root) => {
      const loading = loadConfigModule(root, "stoa.config.ts", { command: "dev", env: {} }, 20);
      await expect(loading).rejects.toThrow("stoa.config.ts has not given its settings after 0.02 s.");
    }));

  it("a link that leads nowhere", () =>
    inFolder({}, async (root) => {
      await symlink("nowhere", join(root, "stoa.config.json"));
      const reading = readConfiguration(root, { command: "start", env: {} });
      await expect(reading).rejects.toThrow("stoa.config.json cannot be read");
    }));

  it("commands throw it", () =>
    inFolder({}, async (root) => {
      const reading = readConfiguration(root, { command: "start", env: { PORT: "x" } });
      await expect(reading).rejects.toThrow('environment PORT: "x" is not a port.');
    }));

  it("variables with STOA_ that are no settings are pointed out", async () => {
    const env = {
      STOA_LOG_LEVLE: "x",
      STOA_XYZZY_PLUGH: "1",
      STOA_DEBUG: "1",
      STOA_CACHE: "/tmp",
      OTHER: "1",
    };
    const { configuration } = await collect({ env });
    expect(configuration.unknownVariables).toEqual([
      { variable: "STOA_LOG_LEVLE", nearest: "STOA_LOG_LEVEL" },
      { variable: "STOA_XYZZY_PLUGH", nearest: null },
    ]);
  });
});

describe("secrets", () => {
  it.each([
    ["postgres://a:secret-word@b/c", "postgres://a:***@b/c"],
    [
      "postgres://a:sec%40ret@b/c?sslmode=require&password=word",
      "postgres://a:***@b/c?sslmode=require&password=***",
    ],
    ["postgres://a@b/c", "postgres://a@b/c"],
    ["postgres://a:b@c:x/d", "***"],
    ["embedded", "embedded"],
  ])("of the URL %s are masked", (url, masked) => {
    expect(maskUrl(url)).toBe(masked);
  });

  it("of URLs in a text are masked, also if the password is written wrongly", () => {
    expect(maskSecrets("cannot reach postgres://a:se@cr/et@b/c, see http://x/y?password=z")).toBe(
      "cannot reach postgres://a:***@b/c, see http://x/y?password=***",
    );
    expect(maskSecrets("nothing to hide: a@b.c, http://x:80/y")).toBe(
      "nothing to hide: a@b.c, http://x:80/y",
    );
  });
});

describe("the table of settings", () => {
  it("has every name, variable and flag of a command once, and defaults that fit", async () => {
    const all: readonly Setting[] = SETTINGS;
    const variables = all.flatMap(variablesOf);
    expect(new Set(variables).size).toBe(variables.length);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const flags = all.flatMap(({ flags: list = [] }) =>
      list.flatMap(({ flags: text, commands }) =>
        commands.map((command) => `${command} ${text.split(" ")[0]}`),
      ),
    );
    expect(new Set(flags).size).toBe(flags.length);
    const { configuration } = await collect({});
    for (const { name, default: standard, otherwise } of all) {
      expect([name, standard === undefined]).toEqual([name, otherwise !== undefined]);
      expect([
        name,
        configuration.settings[name as keyof typeof configuration.settings] === undefined,
      ]).toEqual([name, standard === undefined]);
    }
  });

  it("becomes the options of an application", async () => {
    const { configuration, root } = await collect({
      files: {
        "stoa.config.json":
          '{ "requestTimeoutMs": 1, "maxBodyBytes": 2, "trustProxy": true, "auth": { "sessionTtlMs": 3, "loginsPerAccount": 4, "loginsPerAddress": 5, "loginWindowMs": 6 } }',
      },
    });
    expect(applicationSettings(configuration)).toEqual({
      requestTimeoutMs: 1,
      maxBodyBytes: 2,
      auth: {
        baseFolder: root,
        trustProxy: true,
        sessionTtlMs: 3,
        limits: { perAccount: 4, perAddress: 5, windowMs: 6 },
      },
    });
  });
});
