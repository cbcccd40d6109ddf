// The part of a client that is the same for all applications: requests out, answers and problems in. Generated
// clients have a copy of this; it needs `fetch` and nothing else.

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export type Token = string | null | undefined;

export interface ClientOptions {
  /** Where the application is: `https://shop.example.org`. In a browser it may be left out: the page's own origin. */
  readonly baseUrl?: string | undefined;
  /** The token of the user, or a function that gives the current one. A login through the client replaces it. */
  readonly token?: Token | (() => Token | Promise<Token>);
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How often a request is sent again that is safe to repeat; never, unless asked. */
  readonly retries?: number | undefined;
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Overrides that of the client. A POST gets an `Idempotency-Key`, so that it is done once. */
  readonly retries?: number | undefined;
}

export interface GetOptions extends CallOptions {
  /** The `etag` of what is known already; if nothing has changed, the data is null. */
  readonly ifNoneMatch?: string | undefined;
}

export interface ChangeOptions extends CallOptions {
  /** The `etag` of the record that is meant; if it has changed, the problem is `precondition-failed`. */
  readonly ifMatch?: string | undefined;
}

export interface PostOptions extends CallOptions {
  readonly idempotencyKey?: string | undefined;
}

export interface PageOptions extends CallOptions {
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
}

export interface Page<T> {
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
  readonly totalCount: number;
  readonly data: readonly T[];
}

export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  readonly etag: string | null;
  readonly requestId: string | null;
}

export type Result<T, P> =
  | { readonly ok: true; readonly data: T; readonly problem: null }
  | { readonly ok: false; readonly data: null; readonly problem: P };

/** A promise of the data, which rejects with an `ApiError`; or with more than that. */
export interface Call<T, P = Problem> extends Promise<T> {
  /** With status, headers and `etag`. */
  answer(): Promise<Answer<T>>;
  /** Problems as data: a union by `code`, which does not reject. What is no answer at all still does. */
  result(): Promise<Result<T, P>>;
}

/** One page as a promise; all records, from this page on, in a `for await`. */
export interface PageCall<T, P = Problem> extends Call<Page<T>, P>, AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>;
}

// ---------------------------------------------------------------- problems

export interface ProblemOf<Code extends string, Status extends number = number> {
  readonly type: string;
  readonly title: string;
  readonly status: Status;
  readonly code: Code;
  readonly detail: string;
  readonly requestId: string;
}

export interface InputError<Path extends string = string, Code extends string = string> {
  /** A JSON pointer to the input; one that nobody knows has its own. */
  readonly path: Path | (string & {});
  readonly code: Code;
  /** Goes on after the name of the input: "must be a string". */
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export type MalformedProblem = ProblemOf<"malformed", 400>;
export interface ValidationProblem<Path extends string = string, Code extends string = string>
  extends ProblemOf<"validation", 400> {
  readonly errors: readonly InputError<Path, Code>[];
}
export type UnauthenticatedProblem = ProblemOf<"unauthenticated", 401>;
export type ForbiddenProblem = ProblemOf<"forbidden", 403>;
export type NotFoundProblem = ProblemOf<"not-found", 404>;
export interface ConflictProblem<Path extends string = string> extends ProblemOf<"conflict", 409> {
  readonly errors?: readonly InputError<Path, "unique">[];
}
export type PreconditionFailedProblem = ProblemOf<"precondition-failed", 412>;
export type TooLargeProblem = ProblemOf<"too-large", 413>;
export type UnsupportedMediaTypeProblem = ProblemOf<"unsupported-media-type", 415>;
export type RateLimitedProblem = ProblemOf<"rate-limited", 429>;
export type InternalProblem = ProblemOf<"internal", 500>;
export type UnavailableProblem = ProblemOf<"unavailable", 503>;
/** An answer that is not the application's: a proxy's, for instance. Made up by the client. */
export type UnexpectedProblem = ProblemOf<"unexpected-answer">;
/** What any call may meet. */
export type GeneralProblem = InternalProblem | UnavailableProblem | UnexpectedProblem;

export type Problem =
  | MalformedProblem
  | ValidationProblem
  | UnauthenticatedProblem
  | ForbiddenProblem
  | NotFoundProblem
  | ConflictProblem
  | PreconditionFailedProblem
  | TooLargeProblem
  | UnsupportedMediaTypeProblem
  | RateLimitedProblem
  | GeneralProblem;

/** An error that code of the application has thrown, with a code of its own. */
export interface OwnProblem extends ProblemOf<string> {
  readonly errors?: undefined;
}

export class ApiError extends Error {
  readonly problem: Problem;
  readonly headers: Headers;

  constructor(problem: Problem, headers: Headers) {
    super(`${problem.title}: ${problem.detail}`);
    this.name = "ApiError";
    this.problem = problem;
    this.headers = headers;
  }
}

// ---------------------------------------------------------------- the api as data

/** Method, what follows the path of its entrypoint, and what its call takes. */
export type Route = readonly [
  method: string,
  suffix: string,
  takes: "" | "body" | "query" | "page",
  then?: "login" | "logout",
];

export interface Branch {
  /** What follows the path of the record above. */
  readonly path: string;
  /** Whether one record is found by an identifier; otherwise there is only one. */
  readonly identified: boolean;
  readonly many: Readonly<Record<string, Route>>;
  readonly one: Readonly<Record<string, Route>>;
  readonly branches: Branches;
}

export interface Branches {
  readonly [name: string]: Branch | Branches;
}

/** The api of a description: functions for its endpoints, at the places where the api has them. */
export function buildClient(description: Branches, options: ClientOptions): object {
  const caller = new Caller(options);
  const client = buildBranches(description, "", caller);
  define(client, "$setToken", (token: Token) => {
    caller.token = token;
  });
  return client;
}

function buildBranches(branches: Branches, prefix: string, caller: Caller, onto: object = {}): object {
  for (const [name, branch] of Object.entries(branches)) {
    const isBranch = typeof branch.path === "string";
    define(
      onto,
      name,
      isBranch
        ? buildBranch(branch as Branch, prefix, caller)
        : buildBranches(branch as Branches, prefix, caller),
    );
  }
  return onto;
}

function buildBranch(
  { path, identified, many, one, branches }: Branch,
  prefix: string,
  caller: Caller,
): object {
  const place = prefix + path;
  const record = (at: string, onto: object): object =>
    buildBranches(branches, at, caller, addRoutes(one, at, caller, onto));
  if (!identified) return record(place, addRoutes(many, place, caller, {}));
  return addRoutes(many, place, caller, (id: unknown) => record(`${place}/${encodeIdentifier(id)}`, {}));
}

function addRoutes(
  routes: Readonly<Record<string, Route>>,
  place: string,
  caller: Caller,
  onto: object,
): object {
  for (const [name, route] of Object.entries(routes)) {
    define(onto, name, (...args: readonly unknown[]) => caller.call(route, place + route[1], args));
  }
  return onto;
}

/** Also names that functions have already, such as `name`. */
function define(onto: object, name: string, value: unknown): void {
  Object.defineProperty(onto, name, { value, enumerable: true, configurable: true });
}

/** What a URL would take for another place never reaches the server as it is. */
function encodeIdentifier(id: unknown): string {
  const text = String(id);
  if (text === "" || text === "." || text === "..")
    throw new TypeError(`"${text}" cannot identify a record in a URL.`);
  return encodeURIComponent(text);
}

// ---------------------------------------------------------------- requests

type AnyOptions = GetOptions & ChangeOptions & PostOptions & PageOptions;

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly options: AnyOptions;
}

class Caller {
  token: ClientOptions["token"];
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.token = options.token;
  }

  call([method, , takes, then]: Route, path: string, args: readonly unknown[]): unknown {
    const hasInput = takes === "body" || takes === "query";
    const input = hasInput ? args[0] : undefined;
    const options = (args[hasInput ? 1 : 0] ?? {}) as AnyOptions;
    const ask = (page?: number): Call<unknown> => {
      const query =
        takes === "query"
          ? input
          : takes === "page"
            ? { page: page ?? options.page, pageSize: options.pageSize }
            : {};
      const url = (this.#options.baseUrl ?? "").replace(/\/+$/, "") + path + writeQuery(query as object);
      const body = takes === "body" ? JSON.stringify(input ?? {}) : undefined;
      return callOf(this.#ask({ method, url, body, options }, then));
    };
    const call = ask();
    return takes === "page"
      ? pageCallOf(call as Call<Page<unknown>>, ask as (page: number) => Call<Page<unknown>>)
      : call;
  }

  async #ask(asked: Asked, then: Route[3]): Promise<Answer<unknown>> {
    const response = await this.#send(asked);
    const answer = await readAnswer(response);
    if (then === "login") this.token = (answer.data as { readonly token: string }).token;
    if (then === "logout") this.token = null;
    return answer;
  }

  async #send(asked: Asked): Promise<Response> {
    const { method, url, body, options } = asked;
    const retries = options.retries ?? this.#options.retries ?? 0;
    const headers = await this.#headersOf(asked, retries > 0);
    const isRepeatable = method === "GET" || headers["Idempotency-Key"] !== undefined;
    const init: RequestInit = {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(options.signal ? { signal: options.signal } : {}),
    };
    const send = this.#options.fetch ?? ((to: string, how: RequestInit) => fetch(to, how));
    for (let attempt = 0; ; attempt++) {
      const isLast = !isRepeatable || attempt >= retries;
      try {
        const response = await send(url, init);
        if (isLast || (response.status !== 503 && response.status !== 429)) return response;
        await pause(waitOf(response, attempt), options.signal);
      } catch (error) {
        if (isLast || options.signal?.aborted) throw error;
        await pause(waitOf(null, attempt), options.signal);
      }
    }
  }

  async #headersOf({ method, body, options }: Asked, isRepeated: boolean): Promise<Record<string, string>> {
    const token = typeof this.token === "function" ? await this.token() : this.token;
    const key = options.idempotencyKey ?? (isRepeated && method === "POST" ? newKey() : undefined);
    return {
      Accept: "application/json, application/problem+json",
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
      ...(options.ifMatch === undefined ? {} : { "If-Match": options.ifMatch }),
      ...(options.ifNoneMatch === undefined ? {} : { "If-None-Match": options.ifNoneMatch }),
      ...this.#options.headers,
      ...options.headers,
    };
  }
}

/** Null cannot be said in a query string, and is what is meant by nothing. */
function writeQuery(values: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null)
      query.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const FIRST_PAUSE_MS = 200;

function waitOf(response: Response | null, attempt: number): number {
  const seconds = Number(response?.headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random());
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

// ---------------------------------------------------------------- answers

async function readAnswer(response: Response): Promise<Answer<unknown>> {
  const { status, headers } = response;
  const about = { status, headers, etag: headers.get("ETag"), requestId: headers.get("X-Request-Id") };
  if (status === 304) return { ...about, data: null };
  if (!response.ok) throw new ApiError(await readProblem(response), headers);
  const text = await response.text();
  const isJson = /^application\/json\b/.test(headers.get("Content-Type") ?? "");
  return { ...about, data: isJson ? JSON.parse(text) : text === "" ? undefined : text };
}

async function readProblem(response: Response): Promise<Problem> {
  const text = await response.text();
  if (/^application\/problem\+json\b/.test(response.headers.get("Content-Type") ?? ""))
    return JSON.parse(text);
  return {
    ...{ type: "about:blank", title: "The answer is not the application's", status: response.status },
    ...{
      code: "unexpected-answer",
      detail: text.slice(0, 500),
      requestId: response.headers.get("X-Request-Id") ?? "",
    },
  };
}

function callOf<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((each) => each.data);
  // Whoever asks for the answer or the result hears of failures there.
  const instead = <R>(other: Promise<R>): Promise<R> => {
    data.catch(() => {});
    return other;
  };
  return Object.assign(data, {
    answer: () => instead(answer),
    result: () => instead(answer.then(succeeded, failed)) as Promise<Result<T, Problem>>,
  });
}

function succeeded<T>({ data }: Answer<T>): Result<T, never> {
  return { ok: true, data, problem: null };
}

function failed(error: unknown): Result<never, Problem> {
  if (error instanceof ApiError) return { ok: false, data: null, problem: error.problem };
  throw error;
}

function pageCallOf<T>(call: Call<Page<T>>, ask: (page: number) => Call<Page<T>>): PageCall<T> {
  async function* pages(): AsyncGenerator<Page<T>> {
    for (let page = await call; ; page = await ask(page.page + 1)) {
      yield page;
      if (page.page >= page.totalPages) return;
    }
  }
  async function* records(): AsyncGenerator<T> {
    for await (const page of pages()) yield* page.data;
  }
  return Object.assign(call, { pages, [Symbol.asyncIterator]: records });
}
