// `stoa/testing`: a project's API, called within the process of a test. The sources are compiled as they are, and the
// database is a throwaway one.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { applyPush, type Database, EmbeddedError, PopulateError, planPush, populate } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { type Application, createLog, type HookBundle } from "@stoa/runtime";
import { type Configuration, readConfiguration } from "./config/configuration.js";
import { Failure, inPlainWords } from "./failure.js";
import { createHookHost, runHooks } from "./hook-host.js";
import type { TestApplication, TestCaller, TestOptions, TestRequest } from "./public-types.js";
import { renderErrors } from "./report.js";
import { applicationOf } from "./serving.js";
import { readProject } from "./sources.js";
import { makeTestDatabases, type TestDatabase, type TestDatabases } from "./test-database.js";

export type { LogLevel, TestApplication, TestCaller, TestOptions, TestRequest } from "./public-types.js";

interface Project {
  readonly configuration: Configuration;
  readonly definition: Definition;
  readonly bundle: HookBundle;
}

/** Compiles the project, makes a database for it, fills it if a populator is named, and is ready to be asked. */
export async function startTest(options: TestOptions = {}): Promise<TestApplication> {
  try {
    const project = await compileForTest(options.dir ?? ".");
    const databases = await makeTestDatabases(
      options.databaseUrl ?? (process.env.TEST_DATABASE_URL || undefined),
      (database) => fill(database, project, options),
    );
    return await testOf(project, databases, options).catch(async (error: unknown) => {
      await databases.close();
      throw error;
    });
  } catch (error) {
    throw explain(error);
  }
}

async function compileForTest(dir: string): Promise<Project> {
  const { root, sources, diagnostics } = readProject(dir);
  const { compile } = await import("@stoa/compiler");
  const compiled = compile(sources);
  const definition = diagnostics.length === 0 ? compiled.definition : undefined;
  if (definition === undefined) {
    const findings = [...diagnostics, ...compiled.diagnostics];
    throw new Error(`The project does not compile.\n\n${renderErrors(findings, sources)}`);
  }
  const configuration = await readConfiguration(root, {
    command: "start",
    flags: { docs: true },
    env: ownEnvironment(),
    ignoresDotenv: true,
  });
  const hooks = await runHooks({ root, definition, sources });
  return { configuration, definition, bundle: { hooks } };
}

/** Which database there is, is not for the environment to say. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, STOA_DATABASE_URL: _other, ...env } = process.env;
  return env;
}

async function fill(
  database: Database,
  { configuration, definition }: Project,
  { populator, seed }: TestOptions,
): Promise<void> {
  const outcome = await applyPush(database, await planPush(database, definition), {});
  if (outcome.kind === "failed") throw new Error(outcome.message);
  if (populator === undefined) return;
  const known = definition.populators.map(({ name }) => name);
  if (!known.includes(populator)) {
    throw new Failure(`There is no populator ${populator}.`, {
      hint: known.length === 0 ? "declare one: populator Dev { … }" : `there is: ${known.join(", ")}`,
    });
  }
  await populate(database, definition, populator, {
    hooks: createHookHost(configuration.root, definition, populator),
    ...(seed === undefined ? {} : { seed }),
  });
}

function explain(error: unknown): unknown {
  if (error instanceof EmbeddedError) {
    const hint = error.hint?.replace("DATABASE_URL", "TEST_DATABASE_URL");
    return new Error(`${error.message}${hint === undefined ? "" : ` (${hint})`}`, { cause: error });
  }
  if (error instanceof PopulateError && error.hint !== undefined) {
    return new Error(`${error.message} (${error.hint})`, { cause: error });
  }
  return inPlainWords(error);
}

// ---------------------------------------------------------------- the application of a test

async function testOf(
  project: Project,
  databases: TestDatabases,
  { logLevel = "error" }: TestOptions,
): Promise<TestApplication> {
  const log = createLog({ level: logLevel, destination: process.stderr });
  const open = (database: Database): Application => applicationOf({ ...project, database, log });
  let current: TestDatabase = await databases.copy();
  let application = open(current.database);
  const servers: Server[] = [];
  let closing: Promise<void> | undefined;
  const close = () => {
    if (!closing) current.leave();
    closing ??= closeAll(servers, databases);
    return closing;
  };
  const refuseClosed = () => {
    if (closing) throw new Error("The application of this test is closed.");
  };
  const callerFor = (userId: string | null): TestCaller => ({
    fetch: async (input, init) => {
      refuseClosed();
      return application.fetch(requestOf(input, init), { userId });
    },
  });
  return {
    ...callerFor(null),
    as: (userId) => {
      if (project.definition.auth !== null) return callerFor(String(userId));
      throw new Error("There are no users: the program has no `auth` block.");
    },
    reset: async () => {
      refuseClosed();
      const before = current;
      current = await databases.copy();
      application = open(current.database);
      before.leave();
    },
    get databaseUrl() {
      return current.url;
    },
    listen: () => listen((request, response) => application.listener(request, response), servers),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function closeAll(servers: readonly Server[], databases: TestDatabases): Promise<void> {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await databases.close();
}

async function listen(listener: Application["listener"], servers: Server[]): Promise<{ url: string }> {
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A path is one of the application's; what is asked for where does not matter here. */
function requestOf(input: string | URL | Request, { json, ...init }: TestRequest = {}): Request {
  const target = typeof input === "string" ? new URL(input, "http://localhost") : input;
  if (json === undefined) return new Request(target, init);
  if (init.body != null) throw new TypeError("A request has `json` or a `body`, not both.");
  const headers = new Headers(init.headers);
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return new Request(target, { ...init, headers, body: JSON.stringify(json) });
}
