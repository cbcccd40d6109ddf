// What callers say of themselves: `Authorization: Bearer …`, read before their endpoint runs. Whether a session is
// still good is known by the statement of the endpoint itself; a signed token is checked here.

import type { Call, Credentials, Outcome, Problem, Route } from "../exchange.js";
import { unavailable } from "../http/index.js";
import { BAD_CREDENTIALS } from "../run/refusals.js";
import type { ReadSubject } from "./jwt.js";
import { KeySetError } from "./key-set-error.js";
import { hashToken, isJwt, isToken } from "./token.js";

type Shown = Credentials | Problem;
export type ReadCredentials = (header: string) => Shown | Promise<Shown>;

const BEARER = /^bearer +(\S+)$/i;
const RETRY_SECONDS = 5;

export interface CredentialKinds {
  readonly hasSessions: boolean;
  /** Null where no tokens of others are taken. */
  readonly readSubject: ReadSubject | null;
}

/** The form of a token tells which kind it is. */
export function createCredentialReader({ hasSessions, readSubject }: CredentialKinds): ReadCredentials {
  return (header) => {
    const token = BEARER.exec(header)?.[1] ?? "";
    if (hasSessions && isToken(token)) return { kind: "session", tokenHash: hashToken(token) };
    if (readSubject !== null && isJwt(token)) return subjectOf(token, readSubject);
    return BAD_CREDENTIALS;
  };
}

async function subjectOf(token: string, readSubject: ReadSubject): Promise<Shown> {
  try {
    const subject = await readSubject(token);
    return subject === undefined ? BAD_CREDENTIALS : { kind: "subject", subject };
  } catch (error) {
    if (!(error instanceof KeySetError)) throw error;
    return unavailable(RETRY_SECONDS, "The keys of those who sign tokens cannot be reached");
  }
}

/**
 * The same route for callers with credentials. A caller within the process who vouches for a user has checked
 * the request by its own means, and what its header says is not ours to judge.
 */
export function withCredentials(route: Route, read: ReadCredentials): Route {
  const { name, method, path } = route;
  const handle = (call: Call): Promise<Outcome> => {
    const { authorization } = call.headers;
    if (authorization === undefined || call.userId !== null) return route.handle(call);
    const shown = typeof authorization === "string" ? read(authorization) : BAD_CREDENTIALS;
    if (shown instanceof Promise) return shown.then((known) => goOn(route, call, known));
    return goOn(route, call, shown);
  };
  return { name, method, path, handle };
}

function goOn(route: Route, call: Call, shown: Shown): Promise<Outcome> {
  if (shown.kind === "problem") return Promise.resolve(shown);
  call.credentials = shown;
  return route.handle(call);
}
