// A call while it lasts: who asked, how long it may take, and the one answer it gets. What carries the answer (a
// socket, a web Response) is in the subclasses. This is the hot path: what few requests need is made on demand.

import type { Call, Credentials, CustomProblem, Outcome, Problem, Reply, ReplyBody } from "../exchange.js";
import type { Deadlines, Timed } from "./deadlines.js";
import { Departure } from "./departure.js";
import { explainFailure, isCancellation, late } from "./failure.js";
import { isProbe } from "./health.js";
import type { Log, RequestEntry } from "./log.js";
import { renderProblem } from "./problem.js";
import { chooseRequestId } from "./request-id.js";
import type { Match, Router } from "./router.js";

/** What all calls share. */
export interface Site {
  readonly router: Router;
  readonly log: Log;
  readonly deadlines: Deadlines;
}

/** Where a call comes from. */
export interface Origin {
  readonly method: string;
  readonly target: string;
  readonly headers: Call["headers"];
  userId: string | null;
  readonly body: Call["body"];
}

type Cut = NonNullable<RequestEntry["cut"]>;

const NO_PARAMETERS: readonly string[] = [];

export abstract class LiveCall implements Call, Timed {
  readonly requestId: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Call["headers"];
  readonly userId: string | null;
  readonly body: Call["body"];
  credentials: Credentials | null = null;
  parameters = NO_PARAMETERS;
  query: string | null = null;
  /** How much of a body has been handed over. */
  protected bytes = 0;
  protected readonly site: Site;
  expiresAt = 0;
  previous: Timed | undefined = undefined;
  next: Timed | undefined = undefined;
  readonly #startedAt = performance.now();
  #route: Match["route"] | undefined;
  #controller: AbortController | undefined;
  #departure: Departure | undefined;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #status: number | null = null;
  #isGivenUp = false;
  #isOver = false;

  constructor(site: Site, { method, target, headers, userId, body }: Origin) {
    this.site = site;
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.userId = userId;
    this.body = body;
    this.requestId = chooseRequestId(headers["x-request-id"]);
  }

  /** Asked for by few, and not free. */
  abstract get remoteAddress(): string | null;
  /** Sends a reply; one without a stream at once, and then calls `finish`. */
  protected abstract write(reply: Reply): void;
  /** Calls `leave` when the client goes away before the answer is complete; at once if it already has. */
  protected abstract watchClient(): void;
  /** Whether the client has seen the status, so that it is too late for another answer. */
  protected abstract hasBegunAnswer(): boolean;
  /** Ends an answer in such a way that the client cannot take it for a complete one. */
  protected abstract breakOff(): void;

  get isOver(): boolean {
    return this.#isOver;
  }

  get isHead(): boolean {
    return this.method === "HEAD";
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isGivenUp) this.#controller.abort();
      else this.watchClient();
    }
    return this.#controller.signal;
  }

  get departure(): Departure {
    if (this.#departure === undefined) {
      this.#departure = new Departure();
      if (this.#isGivenUp) this.#departure.announce();
      else this.watchClient();
    }
    return this.#departure;
  }

  /** The route is found, and the time runs. */
  begin({ route, parameters, query }: Match): void {
    this.#route = route;
    this.parameters = parameters;
    this.query = query;
    this.site.deadlines.add(this, this.#startedAt);
  }

  /** The first answer counts; one that comes after the client or the deadline is dropped. */
  send(outcome: Outcome): void {
    if (this.#isOver || this.#status !== null) return discard(outcome);
    this.#write(outcome);
  }

  #write(outcome: Outcome): void {
    const reply = outcome.kind === "reply" ? outcome : renderProblem(outcome, this.requestId);
    this.#status = reply.status;
    this.write(reply);
  }

  /** Something was thrown on the way to an answer, or on the way through it. */
  fail(error: unknown): void {
    if (this.#isGivenUp && isCancellation(error)) return;
    const { problem, level, message } = explainFailure(error);
    this.site.log[level](message, { requestId: this.requestId, route: this.#route?.name, error });
    this.#abandonAnswer(problem, "failure");
  }

  /** The client is gone. */
  leave(): void {
    if (this.#isOver) return;
    this.#giveUp(new DOMException("The client is gone", "AbortError"));
    if (!this.hasBegunAnswer()) this.#status = null;
    this.#close("client");
  }

  expire(): void {
    this.#giveUp(new DOMException("The request took too long", "TimeoutError"));
    this.#abandonAnswer(late(this.method), "deadline");
  }

  #giveUp(reason: DOMException): void {
    this.#isGivenUp = true;
    this.#departure?.announce();
    this.#controller?.abort(reason);
  }

  /** Says that there will be no answer; where one is under way, breaks it off. */
  #abandonAnswer(problem: Problem | CustomProblem, cut: Cut): void {
    if (this.#isOver) return;
    this.#releaseChunks();
    if (!this.hasBegunAnswer()) return this.#write(problem);
    this.#close(cut);
    this.breakOff();
  }

  /** Opens the stream of an answer. From here on the deadline is for each chunk: a long list may take its time. */
  protected open(chunks: AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.watchClient();
    return this.#chunks;
  }

  /** Whether the answer still comes from this stream. */
  protected isCurrent(chunks: AsyncIterator<Uint8Array>): boolean {
    return this.#chunks === chunks;
  }

  protected progress(): void {
    this.site.deadlines.extend(this);
  }

  /** The answer is complete. */
  protected finish(): void {
    this.#chunks = undefined;
    this.#close(null);
  }

  #close(cut: Cut | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.site.deadlines.remove(this);
    this.#releaseChunks();
    const { requestId, method, target } = this;
    this.site.log.request({
      requestId,
      method,
      target,
      route: this.#route?.name ?? null,
      status: this.#status,
      startedAt: this.#startedAt,
      bytes: this.bytes,
      cut,
      isProbe: this.#route !== undefined && isProbe(this.#route),
    });
  }

  #releaseChunks(): void {
    const chunks = this.#chunks;
    this.#chunks = undefined;
    if (chunks !== undefined) release(chunks);
  }
}

/** Lets go of an answer that nobody will get. */
function discard(outcome: Outcome): void {
  if (outcome.kind === "reply") discardBody(outcome.body);
}

export function discardBody(body: ReplyBody): void {
  if (body.kind === "stream") release(body.chunks[Symbol.asyncIterator]());
}

/** What a stream has to say on its way out interests nobody any more. */
async function release(chunks: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    await chunks.return?.();
  } catch {
    // The call has been answered or given up; the stream's own end was the last thing to do.
  }
}
