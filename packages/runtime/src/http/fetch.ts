// The application as a function from a web Request to a Response, within the process: no socket, no port.

import type { Reply } from "../exchange.js";
import { handle } from "./handle.js";
import { listHeaders } from "./headers.js";
import { discardBody, LiveCall, type Site } from "./live-call.js";

/** What the caller vouches for. */
export interface FetchCaller {
  readonly userId?: string | null;
  /** Where the request came from, for the limits on logins; without it only those on accounts hold. */
  readonly remoteAddress?: string | null;
}

export type Fetch = (request: Request, caller?: FetchCaller) => Promise<Response>;

export function createFetch(site: Site): Fetch {
  return (request, caller = {}) =>
    new Promise((resolve, reject) => {
      const call = new FetchCall(site, { request, caller, resolve, reject });
      handle(call, site.router.find(call.method, call.target));
    });
}

interface Fetching {
  readonly request: Request;
  readonly caller: FetchCaller;
  readonly resolve: (response: Response) => void;
  readonly reject: (reason: unknown) => void;
}

class FetchCall extends LiveCall {
  readonly remoteAddress: string | null;
  readonly #request: Request;
  readonly #resolve: Fetching["resolve"];
  readonly #onAbort: () => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #hasAnswer = false;

  constructor(site: Site, { request, caller, resolve, reject }: Fetching) {
    super(site, {
      method: request.method,
      target: withoutFragment(request.url),
      headers: Object.fromEntries(request.headers),
      userId: caller.userId ?? null,
      body: request.body,
    });
    this.remoteAddress = caller.remoteAddress ?? null;
    this.#request = request;
    this.#resolve = resolve;
    this.#onAbort = () => {
      this.leave();
      reject(request.signal.reason);
      this.#body?.error(request.signal.reason);
    };
    this.watchClient();
  }

  protected override watchClient(): void {
    if (this.#request.signal.aborted) this.#onAbort();
    else this.#request.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  protected override write(reply: Reply): void {
    const { body } = reply;
    if (body.kind === "stream" && !this.isHead) {
      void this.#pour(reply, body.chunks);
      return;
    }
    discardBody(body);
    const bytes = body.kind === "bytes" && !this.isHead ? body.bytes : null;
    this.#answer(reply, bytes);
    this.bytes = bytes?.length ?? 0;
    this.#done();
  }

  #answer(reply: Reply, body: Uint8Array<ArrayBufferLike> | ReadableStream<Uint8Array> | null): void {
    const headers = pairUp(listHeaders(reply, this.requestId));
    const response = new Response(body, { status: reply.status, headers });
    this.#hasAnswer = true;
    this.#resolve(response);
  }

  /** The answer waits for the first chunk: until then a failure can still get one of its own. */
  async #pour(reply: Reply, source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      const chunks = this.open(source);
      const first = await chunks.next();
      if (this.isCurrent(chunks)) this.#answer(reply, this.#streamFrom(chunks, first));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Takes a chunk when one is asked for, and never ahead. */
  #streamFrom(chunks: AsyncIterator<Uint8Array>, first: IteratorResult<Uint8Array>): ReadableStream {
    let ready: IteratorResult<Uint8Array> | undefined = first;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      try {
        const step = ready ?? (await chunks.next());
        ready = undefined;
        if (!this.isCurrent(chunks)) return;
        this.progress();
        if (step.done === true) {
          controller.close();
          return this.#done();
        }
        this.bytes += step.value.length;
        controller.enqueue(step.value);
      } catch (error) {
        this.fail(error);
      }
    };
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      this.#body = controller;
    };
    return new ReadableStream({ start, pull, cancel: () => this.leave() }, { highWaterMark: 0 });
  }

  #done(): void {
    this.#request.signal.removeEventListener("abort", this.#onAbort);
    this.finish();
  }

  protected override hasBegunAnswer(): boolean {
    return this.#hasAnswer;
  }

  protected override breakOff(): void {
    this.#body?.error(new Error("The answer broke off"));
  }
}

function withoutFragment(url: string): string {
  const mark = url.indexOf("#");
  return mark === -1 ? url : url.slice(0, mark);
}

function pairUp(list: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < list.length; index += 2) {
    pairs.push([list[index] ?? "", list[index + 1] ?? ""]);
  }
  return pairs;
}
