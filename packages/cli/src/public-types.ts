// What programs that import from `stoa` see. Written out here, because the packages behind it are part of the bundle
// and not there for whoever installs it.

import type { IncomingMessage, ServerResponse } from "node:http";

export type LogLevel = "error" | "warn" | "info" | "debug" | "silent";

// ---------------------------------------------------------------- a served application

/** Over what the configuration of the project says. */
export interface LoadOptions {
  /** The folder of what `stoa build` has written. */
  readonly build?: string;
  /** Where the database is; `embedded` for the one of the project. */
  readonly databaseUrl?: string;
  /** How much is logged, one JSON object per line on standard output. */
  readonly logLevel?: LogLevel;
  /** Serves the OpenAPI document at `/openapi.json` and a page to read it at `/docs`. */
  readonly docs?: boolean;
  /** Whether the last address in `X-Forwarded-For` is the client's: only behind a proxy that adds it. */
  readonly trustProxy?: boolean;
}

export interface LoadedApplication {
  /** For node:http, and for Express: paths that are not the application's are passed on to `next`. */
  readonly listener: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ) => void;
  /** From a request to a response, within the process. */
  readonly fetch: (request: Request, caller?: Caller) => Promise<Response>;
  /** For `register` of Fastify. */
  readonly fastify: (host: FastifyHost) => Promise<void>;
  /** On a port of its own. */
  listen(where?: ListenAt): Promise<ListeningServer>;
  /** Lets go of the database, and stops the embedded one if it was started here. Close servers first. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What the caller vouches for. */
export interface Caller {
  /** The user on whose behalf this is; whoever calls has made sure of it. */
  readonly userId?: string | null;
  /** Where the request came from, for the limits on logins. */
  readonly remoteAddress?: string | null;
}

/** The few parts of Fastify that are used. */
export interface FastifyHost {
  readonly prefix: string;
  all(path: string, options: FastifyRoute, handler: () => void): unknown;
}

export interface FastifyRoute {
  readonly onRequest: (
    request: { readonly raw: IncomingMessage },
    reply: { readonly raw: ServerResponse; hijack(): unknown; callNotFound(): unknown },
    done: () => void,
  ) => void;
}

export interface ListenAt {
  /** 0, or absent: any that is free. */
  readonly port?: number;
  /** 127.0.0.1 if absent: for this machine alone. */
  readonly host?: string;
}

export interface ListeningServer {
  readonly port: number;
  readonly host: string;
  readonly url: string;
  /** Takes no new connections, and finishes what is in flight; after the deadline (10 seconds) it is cut off. */
  close(options?: { readonly deadlineMs?: number }): Promise<void>;
}

// ---------------------------------------------------------------- a test

export interface TestOptions {
  /** The project's folder, or its one `.stoa` file; the current folder if absent. */
  readonly dir?: string;
  /** The populator that fills the database; without one it is empty. */
  readonly populator?: string;
  /** For other values of `fake(…)`. */
  readonly seed?: number;
  /**
   * A PostgreSQL server on which databases may be made, for machines without the embedded one. Its own databases are
   * left alone. `TEST_DATABASE_URL` if absent; `DATABASE_URL` is never used.
   */
  readonly databaseUrl?: string;
  /** How much is logged, on standard error; `error` if absent, which shows why an answer is a 500. */
  readonly logLevel?: LogLevel;
}

export interface TestCaller {
  /** As the global `fetch`; a path alone will do. */
  readonly fetch: (input: string | URL | Request, init?: TestRequest) => Promise<Response>;
}

export interface TestRequest extends RequestInit {
  /** A value to send as JSON, instead of a body. */
  readonly json?: unknown;
}

export interface TestApplication extends TestCaller {
  /** The same on behalf of a user, without a login. The program must have an `auth` block. */
  as(userId: string | number): TestCaller;
  /** The data is again what it was at the start. */
  reset(): Promise<void>;
  /** Where the database is, for looking into it. Each reset makes another. */
  readonly databaseUrl: string;
  /** On a free port of this machine, for what cannot do without. Closes with the application. */
  listen(): Promise<{ readonly url: string }>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
