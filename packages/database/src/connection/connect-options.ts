// Where a server is and how to talk to it: from a URL, and from options, which win.

import { readFileSync } from "node:fs";
import { DatabaseError } from "./database.js";

export interface ConnectOptions {
  /** `postgres://user:password@host:port/database?sslmode=…`; `host` may be a parameter, also a socket's folder. */
  readonly url?: string;
  /** A host name, or the folder of a unix socket when it begins with `/`. */
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /** Without it, and without `sslmode` in the URL, TLS is used where the server offers it, and not verified. */
  readonly tls?: TlsOptions;
  /** At most so many connections for queries and transactions; 10 when not given. */
  readonly poolSize?: number;
  /** The server ends statements that take longer. */
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly applicationName?: string;
}

export type TlsMode = "disable" | "prefer" | "require" | "verify-ca" | "verify-full";

export interface TlsOptions {
  /** As PostgreSQL's own `sslmode`: only the two that verify protect from a false server. */
  readonly mode: TlsMode;
  /** Certificates to trust instead of the system's, as PEM text. */
  readonly ca?: string | undefined;
  /** A certificate and key of our own, as PEM text, for servers that ask for one. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** All of it, decided. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly tls: TlsOptions;
  readonly poolSize: number;
  readonly statementTimeoutMs: number | undefined;
  readonly connectTimeoutMs: number;
  readonly applicationName: string;
  /** Settings for the session, from `options` in the URL: `-c search_path=…`. */
  readonly sessionOptions: string | undefined;
}

const TLS_MODES: readonly string[] = ["disable", "prefer", "require", "verify-ca", "verify-full"];

export function resolveTarget(options: ConnectOptions): Target {
  const url = options.url === undefined ? undefined : parseUrl(options.url);
  const parameter = (name: string) => url?.searchParams.get(name) || undefined;
  const part = (name: "hostname" | "port" | "username" | "password") =>
    url?.[name] ? decodeURIComponent(url[name]) : undefined;
  const user = options.user ?? parameter("user") ?? part("username") ?? "postgres";
  return {
    host: options.host ?? parameter("host") ?? part("hostname") ?? "localhost",
    port: options.port ?? Number(parameter("port") ?? part("port") ?? 5432),
    user,
    password: options.password ?? parameter("password") ?? part("password") ?? "",
    database: options.database ?? (decodeURIComponent(url?.pathname.slice(1) ?? "") || user),
    tls: options.tls ?? readTls(parameter),
    poolSize: options.poolSize ?? 10,
    statementTimeoutMs: options.statementTimeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? Number(parameter("connect_timeout") ?? 10) * 1000,
    applicationName: options.applicationName ?? parameter("application_name") ?? "stoa",
    sessionOptions: parameter("options"),
  };
}

function parseUrl(text: string): URL {
  // The text is not repeated in the message: it may hold a password.
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new DatabaseError("other", "The database URL must begin with postgres://.");
  }
  try {
    // libpq allows an empty host (`postgres:///name`, `postgres://user@/name`), the URL standard does not.
    return new URL(text.replace(/^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?=[/?#]|$)/, "$1localhost"));
  } catch {
    throw new DatabaseError(
      "other",
      "The database URL cannot be read. It looks like postgres://user:password@host:5432/database, with special characters in the password percent-encoded.",
    );
  }
}

function readTls(parameter: (name: string) => string | undefined): TlsOptions {
  const mode = readTlsMode(parameter("sslmode") ?? parameter("ssl"));
  const authority = parameter("sslrootcert");
  return {
    // As libpq has it: the system's certificates are trusted for every name, so the name must be verified.
    mode: authority === "system" ? "verify-full" : mode,
    ca: authority === "system" ? undefined : readPem("sslrootcert", authority),
    cert: readPem("sslcert", parameter("sslcert")),
    key: readPem("sslkey", parameter("sslkey")),
  };
}

function readTlsMode(text: string | undefined): TlsMode {
  // As libpq does without being told: TLS where the server offers it.
  if (text === undefined) return "prefer";
  if (text === "false") return "disable";
  if (text === "true") return "require";
  if (TLS_MODES.includes(text)) return text as TlsMode;
  throw new DatabaseError(
    "other",
    `The database URL has the sslmode ${text}; it can be ${TLS_MODES.join(", ")}.`,
  );
}

function readPem(name: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new DatabaseError("other", `The file of ${name} in the database URL cannot be read: ${path}.`, {
      cause,
    });
  }
}
