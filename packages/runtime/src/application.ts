// A definition and a database become an application: every endpoint is planned now, once, and served from then
// on. Nothing is read from the database to do so, so it may be away.

import type { Database } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import { type AuthOptions, addAuth } from "./auth/index.js";
import { type DocumentationOptions, documentationRoutes } from "./docs/index.js";
import type { Route } from "./exchange.js";
import { createHttp, createLog, type Http, type Log } from "./http/index.js";
import { type Place, placesOf } from "./plan/place.js";
import { planRead } from "./plan/read.js";
import { PLANNING, type Planning } from "./plan/write/runs.js";
import { createHooks, type HookCalls } from "./run/hook-calls.js";
import { readRoute } from "./run/read.js";
import { checkReady } from "./run/ready.js";
import { writeRoute } from "./run/write.js";
import type { WriteOptions } from "./run/writing.js";

export interface ApplicationOptions {
  readonly definition: Definition;
  /** Stays the caller's: whoever has opened it closes it. */
  readonly database: Database;
  /** The code of hooks in modules; inline code needs none. */
  readonly hooks?: HookCalls;
  /** Silent if absent. */
  readonly log?: Log;
  readonly requestTimeoutMs?: number;
  /** How large the body of a request may be; 1 MiB. */
  readonly maxBodyBytes?: number;
  /** For programs with an auth block. */
  readonly auth?: AuthOptions;
  /** Serves `/openapi.json` and a page to read it, at `/docs`; without it, neither is there. */
  readonly documentation?: DocumentationOptions;
  /** How far statements of writes are put together: as far as is safe, unless a test compares. */
  readonly planning?: Planning;
}

export interface Application extends Http {
  readonly routes: readonly Route[];
}

export function createApplication(options: ApplicationOptions): Application {
  const {
    definition,
    database,
    hooks = createHooks(definition, { hooks: {} }),
    log = createLog({ level: "silent", destination: { write: () => {} } }),
  } = options;
  const { requestTimeoutMs, maxBodyBytes, planning = PLANNING } = options;
  const limits = maxBodyBytes === undefined ? {} : { maxBodyBytes };
  const parts = { definition, database, hooks, log, planning, ...limits };
  const endpoints = placesOf(definition).map((place) => routeOf(place, parts));
  const routes = addAuth(endpoints, { definition, database, log, options: options.auth ?? {} });
  const docs = options.documentation ? documentationRoutes(definition, options.documentation) : [];
  const http = createHttp({
    routes: [...routes, ...docs],
    log,
    checkReady: () => checkReady(database, definition),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  });
  return { ...http, routes };
}

function routeOf(place: Place, parts: WriteOptions): Route {
  const { kind } = place.endpoint;
  if (kind === "get" || kind === "list") return readRoute(planRead(parts.definition, place), parts);
  return writeRoute(place, parts);
}
