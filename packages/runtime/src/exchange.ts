// What passes between the HTTP side and the endpoints: a call in, a reply or a problem out. Neither side knows
// more of the other.

import type { CancelSignal } from "@stoa/database";

/** One request to an endpoint, its route already found. */
export interface Call {
  /** Values of the route's parameters, in the order of the path, percent-decoded and not yet typed. */
  readonly parameters: readonly string[];
  /** The query string without `?`, as it came; null when there is none. */
  readonly query: string | null;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Aborted when nobody waits for the answer any more. Made when it is asked for, which is not cheap. */
  readonly signal: AbortSignal | undefined;
  /** The same for statements, at next to no cost. */
  readonly departure?: CancelSignal | undefined;
  readonly requestId: string;
  /** The authenticated user's id, where the caller of an in-process request vouches for it. */
  userId: string | null;
  /** What the caller shows, once it was read: before the endpoint runs. Null for callers who show nothing. */
  credentials: Credentials | null;
  /** Who is at the other end of the connection; null within the process, unless the caller says so. */
  readonly remoteAddress: string | null;
  /** What the request carries: as it comes, or none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Proof of who calls: a session, by the hash of its token; or a subject that a signed token names. */
export type Credentials =
  | { readonly kind: "session"; readonly tokenHash: string }
  | { readonly kind: "subject"; readonly subject: string };

export interface Reply {
  readonly kind: "reply";
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: ReplyBody;
}

/** A list is sent as several headers of the same name. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** JSON, whole or as it comes. A stream that is left before its end lets go of what it holds. */
export type ReplyBody =
  | { readonly kind: "none" }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "stream"; readonly chunks: AsyncIterable<Uint8Array> };

/** Something a client can cause; sent as `application/problem+json`. */
export interface Problem {
  readonly kind: "problem";
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly InputError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that custom code has made up: a status and a code of its own. */
export interface CustomProblem {
  readonly kind: "custom";
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

export type ProblemCode =
  | "malformed"
  | "validation"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "conflict"
  | "precondition-failed"
  | "too-large"
  | "unsupported-media-type"
  | "rate-limited"
  | "unavailable"
  | "internal";

/** What is wrong with one input. `path` is a JSON pointer into the body; a query parameter is `/name`. */
export interface InputError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export type Outcome = Reply | Problem | CustomProblem;

/** An endpoint as the HTTP side sees it. */
export interface Route {
  /** Stable name of the endpoint, for logs: `author.books.list`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/api/author/{author_slug}/books`; literal segments are already percent-encoded as clients write them. */
  readonly path: string;
  handle(call: Call): Promise<Outcome>;
}
