// POST /api/auth/login: who a caller is, by a secret. Unknown users and wrong secrets take the same way through here,
// and get the same answer.

import { hash as digest, randomBytes } from "node:crypto";
import { type Database, isCurrentHash } from "@stoa/database";
import type { Definition, RequestField } from "@stoa/definition";
import type { Call, Outcome, Problem, Reply, Route } from "../exchange.js";
import { assertRoom, hashInTurn, verifyInTurn } from "../hashing.js";
import type { Log } from "../http/index.js";
import { compileRequest, type Inputs, parameterText } from "../input/index.js";
import { addressOf } from "./address.js";
import { createCleaner } from "./clean-up.js";
import {
  type Accounts,
  attemptStatement,
  type LoginLimits,
  rehashStatement,
  sessionStatement,
} from "./login-statements.js";
import { queryProblem } from "./no-query.js";
import { hashToken, newToken } from "./token.js";

export interface LoginOptions {
  readonly definition: Definition;
  readonly database: Database;
  readonly log: Log;
  readonly accounts: Accounts;
  readonly limits: LoginLimits;
  readonly sessionTtlMs: number;
  readonly trustProxy: boolean;
}

const MAX_BODY_BYTES = 16 * 1024;

export function loginRoute(options: LoginOptions): Route {
  const { definition, database, log, accounts } = options;
  const login = {
    ...options,
    request: loginRequest(definition, accounts),
    attemptSql: attemptStatement(accounts, options.limits),
    sessionSql: sessionStatement(accounts, definition, options.sessionTtlMs),
    rehashSql: rehashStatement(accounts),
    cleanUp: createCleaner(database, log),
  };
  const handle = (call: Call) => logIn(login, call);
  return { name: "auth.login", method: "POST", path: "/api/auth/login", handle };
}

interface Login extends LoginOptions {
  readonly request: ReturnType<typeof compileRequest>;
  readonly attemptSql: string;
  readonly sessionSql: string;
  readonly rehashSql: string;
  readonly cleanUp: () => void;
}

/** Rules of the fields are for those who write them: what is stored may be older than they are. */
function loginRequest(definition: Definition, { identify, secret }: Accounts) {
  const fields = [identify, secret].map(
    ({ name, type }): RequestField => ({
      ...{ kind: "value", name, type: { ...type, nullable: false }, required: true },
      ...{ default: null, validate: [], doc: null, source: { kind: "extra" } },
    }),
  );
  const find = () => {
    throw new Error("A login has no validators.");
  };
  const options = { mode: "custom", hooks: { find }, maxBodyBytes: MAX_BODY_BYTES } as const;
  return compileRequest(definition, { in: "body", fields }, options);
}

async function logIn(login: Login, call: Call): Promise<Outcome> {
  const problem = queryProblem(call);
  if (problem !== null) return problem;
  const inputs = await readInputs(login, call);
  if (inputs.kind === "problem") return inputs;
  assertRoom();
  login.cleanUp();
  const attempt = attemptOf(login, inputs, call);
  const { wait, id, hash } = await countAttempt(login, attempt, call);
  if (wait !== null) return tooMany(wait);
  const isRight = await isSecretOf(hash, attempt.secret, call);
  if (!isRight || id === null || hash === null) return wrong(login.accounts);
  const outcome = await beginSession(login, attempt, { id, hash }, call);
  if (outcome.kind === "reply" && !isCurrentHash(hash)) await rehash(login, attempt, { id, hash });
  return outcome;
}

/** Now that the secret is at hand. A login does not fail because of it; the next one will try again. */
async function rehash(
  { database, rehashSql, log }: Login,
  { secret }: Attempt,
  { id, hash }: { readonly id: string; readonly hash: string },
): Promise<void> {
  try {
    const parameters = [id, hash, await hashInTurn(secret)];
    const { failure } = await database.batch([{ sql: rehashSql, parameters }]);
    if (failure !== null) throw failure;
  } catch (error) {
    log.debug("a password could not be hashed anew", { error });
  }
}

function readInputs({ request }: Login, { headers, body, query }: Call) {
  const scope = { now: () => new Date().toISOString(), uuid: () => crypto.randomUUID() };
  return request.read({ headers, body, query, scope });
}

interface Attempt {
  readonly identity: string;
  readonly secret: string;
  readonly accountKey: string;
  readonly addressKey: string | null;
}

function attemptOf({ accounts, trustProxy }: Login, inputs: Inputs, call: Call): Attempt {
  const { identify, secret } = accounts;
  const identity = parameterText(inputs.get([identify.name]).value, identify.type) ?? "";
  const address = addressOf(call, trustProxy);
  return {
    identity,
    secret: String(inputs.get([secret.name]).value),
    accountKey: `account:${keyOf(identity)}`,
    addressKey: address === null ? null : `address:${address}`,
  };
}

/** Writing a name in another way does not begin a new count. A hash has one length, and tells no names. */
function keyOf(identity: string): string {
  const plain = identity.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, "");
  return digest("sha256", plain, "hex");
}

interface Found {
  /** Seconds until the next attempt is taken; null for at once. */
  readonly wait: number | null;
  readonly id: string | null;
  readonly hash: string | null;
}

async function countAttempt({ database, attemptSql }: Login, attempt: Attempt, call: Call): Promise<Found> {
  const parameters = [attempt.accountKey, attempt.addressKey, attempt.identity];
  const row = await firstRow(database, { sql: attemptSql, parameters }, call);
  if (row === undefined) throw new Error("An attempt to log in was not counted.");
  return JSON.parse(Buffer.from(row).toString()) as Found;
}

async function firstRow(
  database: Database,
  statement: { readonly sql: string; readonly parameters: readonly (string | null)[] },
  { departure }: Call,
): Promise<Uint8Array | undefined> {
  const { rows, failure } = await database.batch([statement], { signal: departure });
  if (failure !== null) throw failure;
  return rows[0]?.[0];
}

let dummy: Promise<string> | undefined;

/** A hash that nobody knows the secret of. Made by the first who logs in, whoever they are, and for all. */
function dummyHash(): Promise<string> {
  dummy ??= hashInTurn(randomBytes(32).toString("base64url")).catch((error: unknown) => {
    dummy = undefined;
    throw error;
  });
  return dummy;
}

/** Where there is nothing to compare with, the comparison takes place all the same. */
async function isSecretOf(hash: string | null, secret: string, { departure }: Call): Promise<boolean> {
  const nobody = await dummyHash();
  const isHash = hash?.startsWith("$scrypt$") === true;
  const isRight = await verifyInTurn(secret, isHash ? hash : nobody, departure);
  return isRight && isHash;
}

async function beginSession(
  login: Login,
  { accountKey, addressKey }: Attempt,
  { id, hash }: { readonly id: string; readonly hash: string },
  call: Call,
): Promise<Outcome> {
  const token = newToken();
  const parameters = [id, hash, hashToken(token), accountKey, addressKey];
  const row = await firstRow(login.database, { sql: login.sessionSql, parameters }, call);
  // The secret was changed, or the user deleted, while it was compared.
  if (row === undefined) return wrong(login.accounts);
  const bytes = Buffer.concat([Buffer.from(`{"token":"${token}",`), row.subarray(1)]);
  return { kind: "reply", status: 200, headers: NOT_KEPT, body: { kind: "bytes", bytes } } satisfies Reply;
}

/** Neither by browsers nor by proxies. */
const NOT_KEPT = { "Cache-Control": "no-store" };

function wrong({ identify, secret }: Accounts): Problem {
  return {
    kind: "problem",
    code: "unauthenticated",
    detail: `There is no user with this ${identify.name} and ${secret.name}`,
    headers: { "WWW-Authenticate": "Bearer" },
  };
}

function tooMany(seconds: number): Problem {
  return {
    kind: "problem",
    code: "rate-limited",
    detail: "There were too many attempts to log in",
    headers: { "Retry-After": String(Math.max(1, seconds)) },
  };
}
