// HTTP for an application: its routes in, every way to reach them out.

import type { Route } from "../exchange.js";
import { createDeadlines } from "./deadlines.js";
import { createFastifyPlugin, type FastifyPlugin } from "./fastify.js";
import { createFetch, type Fetch } from "./fetch.js";
import { healthRoutes, type Readiness } from "./health.js";
import type { Site } from "./live-call.js";
import type { Log } from "./log.js";
import { createListener, type NodeListener } from "./node-listener.js";
import { createRouter } from "./router.js";
import { type ListeningServer, type ListenOptions, listen } from "./server.js";

export type { FastifyHost, FastifyPlugin } from "./fastify.js";
export type { Fetch, FetchCaller } from "./fetch.js";
export type { Readiness } from "./health.js";
export { ListenError } from "./listen-failure.js";
export {
  createLog,
  type Log,
  type LogFields,
  type LogLevel,
  type LogOptions,
  type RequestEntry,
} from "./log.js";
export type { NodeListener } from "./node-listener.js";
export { internal, methodNotAllowed, notFound, unavailable } from "./problem.js";
export type { ListeningServer, ListenOptions } from "./server.js";
export { createStandIn } from "./stand-in.js";

export interface HttpOptions {
  readonly routes: readonly Route[];
  readonly log: Log;
  /** Whether the database is there and its schema is the one that was compiled for. */
  readonly checkReady: () => Promise<Readiness>;
  /** How long a request may take until its answer begins, and a stream from one chunk to the next; 30 s. */
  readonly requestTimeoutMs?: number;
}

export interface Http {
  /** For node:http and for Express. */
  readonly listener: NodeListener;
  /** Within the process, without a socket. */
  readonly fetch: Fetch;
  readonly fastify: FastifyPlugin;
  /** On a port of its own. */
  listen(options: ListenOptions): Promise<ListeningServer>;
}

export interface ListenWithOptions extends ListenOptions {
  readonly listener: NodeListener;
  readonly log: Log;
}

/**
 * A listener on a port of its own, with the limits and the orderly end that an application has there. Where the
 * listener passes requests on, applications can be exchanged behind it while the port and its connections stay.
 */
export function listenWith({ listener, log, port, host }: ListenWithOptions): Promise<ListeningServer> {
  return listen({ createListener: () => listener, log }, { port, host });
}

const REQUEST_TIMEOUT_MS = 30_000;

export function createHttp(options: HttpOptions): Http {
  const { routes, log, checkReady, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const router = createRouter([...healthRoutes({ checkReady, log }), ...routes]);
  const site: Site = { router, log, deadlines: createDeadlines(requestTimeoutMs) };
  return {
    listener: createListener(site),
    fetch: createFetch(site),
    fastify: createFastifyPlugin(site),
    listen: (where) => listen({ createListener: (state) => createListener(site, state), log }, where),
  };
}
