// Accounts: how callers of an application show who they are. A definition in, routes of its own out, and a way to
// read credentials for all the others.

import type { Database } from "@stoa/database";
import { type Auth, type Definition, enumValuesOf, type Jwt } from "@stoa/definition";
import type { Route } from "../exchange.js";
import type { Log } from "../http/index.js";
import { textReader } from "../input/identifier.js";
import { Context } from "../sql/context.js";
import { createCredentialReader, type ReadCredentials, withCredentials } from "./credentials.js";
import type { ReadSubject } from "./jwt.js";
import type { KeySetTimes } from "./key-set.js";
import { loginRoute } from "./login.js";
import { accountsOf, fieldOf, LOGIN_LIMITS, type LoginLimits } from "./login-statements.js";
import { sessionRoutes } from "./session-routes.js";

export type { KeySetTimes } from "./key-set.js";
export type { LoginLimits } from "./login-statements.js";

export interface AuthOptions {
  /** How long a session lasts; 30 days. */
  readonly sessionTtlMs?: number;
  /**
   * Whether the last address in `X-Forwarded-For` is the client's. Only behind a proxy that adds it: anybody else
   * can write there what they like.
   */
  readonly trustProxy?: boolean;
  /** Where the path of a file with keys begins; the current folder. */
  readonly baseFolder?: string;
  readonly limits?: Partial<LoginLimits>;
  readonly keySetTimes?: Partial<KeySetTimes>;
}

export interface AuthParts {
  readonly definition: Definition;
  readonly database: Database;
  readonly log: Log;
  readonly options: AuthOptions;
}

const SESSION_TTL_MS = 30 * 24 * 60 * 60_000;

/** The routes of the application with credentials, and those of the auth block. Without one they stay as they are. */
export function addAuth(routes: readonly Route[], parts: AuthParts): Route[] {
  const { auth } = parts.definition;
  if (auth === null) return [...routes];
  const read = credentialsOf(auth, parts);
  const guarded = (route: Route): Route => withCredentials(route, read);
  return [...routes.map(guarded), ...passwordRoutes(auth, parts, guarded)];
}

function credentialsOf(auth: Auth, parts: AuthParts): ReadCredentials {
  return createCredentialReader({
    hasSessions: auth.password !== null,
    readSubject: subjectsOf(auth, parts),
  });
}

/** What it takes to check signatures is loaded with the first token: most programs do without. */
function subjectsOf({ jwt, model }: Auth, parts: AuthParts): ReadSubject | null {
  if (jwt === null) return null;
  if (jwt.issuer === "" || jwt.audience === "") {
    throw new Error("The `jwt` of the auth block must name an issuer and an audience.");
  }
  let reader: Promise<ReadSubject> | undefined;
  return async (token) => {
    reader ??= loadSubjectReader(jwt, model, parts);
    return (await reader)(token);
  };
}

async function loadSubjectReader(jwt: Jwt, name: string, parts: AuthParts): Promise<ReadSubject> {
  const { definition, log, options } = parts;
  const [{ createSubjectReader }, { KEY_SET_TIMES, KeySet }] = await Promise.all([
    import("./jwt.js"),
    import("./key-set.js"),
  ]);
  const keySet = new KeySet({
    source: jwt.jwks,
    baseFolder: options.baseFolder ?? process.cwd(),
    times: { ...KEY_SET_TIMES, ...options.keySetTimes },
    onFailure: (error) => log.warn("the keys of those who sign tokens cannot be loaded", { error }),
  });
  const { type } = fieldOf(new Context(definition).model(name), jwt.subject);
  return createSubjectReader(jwt, keySet, textReader(type, enumValuesOf(definition)));
}

/** A login does not look at credentials: whoever logs in again may still send those that have expired. */
function passwordRoutes(auth: Auth, parts: AuthParts, guarded: (route: Route) => Route): Route[] {
  const { definition, database, log, options } = parts;
  const accounts = accountsOf(definition, auth);
  if (accounts === null) return [];
  const login = loginRoute({
    ...{ definition, database, log, accounts },
    limits: { ...LOGIN_LIMITS, ...options.limits },
    sessionTtlMs: options.sessionTtlMs ?? SESSION_TTL_MS,
    trustProxy: options.trustProxy ?? false,
  });
  return [login, ...sessionRoutes(definition, database).map(guarded)];
}
