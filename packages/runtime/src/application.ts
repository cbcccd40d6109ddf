// A definition and a database become an application: every endpoint is planned now, once, and served from then
// on. Nothing is read from the database to do so, so it may be away.

import type { Database } from "@stoa/database";
import type { Definition } from "@stoa/definition";
import type { Route } from "./exchange.js";
import { createHttp, createLog, type Http, type Log } from "./http/index.js";
import { type Place, placesOf } from "./plan/place.js";
import { planRead } from "./plan/read.js";
import { type HookCalls, noHooks } from "./run/hooks.js";
import { readRoute } from "./run/read.js";
import { checkReady } from "./run/ready.js";

export interface ApplicationOptions {
  readonly definition: Definition;
  /** Stays the caller's: whoever has opened it closes it. */
  readonly database: Database;
  readonly hooks?: HookCalls;
  /** Silent if absent. */
  readonly log?: Log;
  readonly requestTimeoutMs?: number;
}

export interface Application extends Http {
  readonly routes: readonly Route[];
}

export function createApplication(options: ApplicationOptions): Application {
  const {
    definition,
    database,
    hooks = noHooks,
    log = createLog({ level: "silent", destination: { write: () => {} } }),
  } = options;
  const places = placesOf(definition).filter(isServed);
  const routes = places.map((place) =>
    readRoute(planRead(definition, place), { definition, database, hooks }),
  );
  const { requestTimeoutMs } = options;
  const http = createHttp({
    routes,
    log,
    checkReady: () => checkReady(database, definition),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  });
  return { ...http, routes };
}

/** Endpoints that write are not served yet. */
export function isServed({ endpoint: { kind } }: Place): boolean {
  return kind === "get" || kind === "list";
}
