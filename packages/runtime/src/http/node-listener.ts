// The application as a listener for node:http, and for everything that takes one: Express, Connect and the like.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "../exchange.js";
import { handle } from "./handle.js";
import { listHeaders } from "./headers.js";
import { discardBody, LiveCall, type Site } from "./live-call.js";

export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** The server behind a listener, as far as answers depend on it. */
export interface ServerState {
  /** From then on every answer closes its connection. */
  isClosing: boolean;
}

/** Without `next` the listener answers 404 itself; with it, paths that are not ours are passed on. */
export function createListener(site: Site, state: ServerState = { isClosing: false }): NodeListener {
  // `url` is what Express rewrites for a listener that is mounted below a path.
  return (request, response, next) => serveNode(site, { request, response, state }, request.url ?? "/", next);
}

/** Of an answer that is cheaper to copy than to write in two pieces. */
const LONGEST_TEXT = 32 * 1024;

export interface NodePair {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly state: ServerState;
}

export function serveNode(site: Site, pair: NodePair, target: string, next?: () => void): void {
  const method = pair.request.method ?? "GET";
  const found = site.router.find(method, target);
  if (next !== undefined && found.kind === "miss" && found.allow === null) return next();
  handle(new NodeCall(site, pair, method, target), found);
}

class NodeCall extends LiveCall {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #state: ServerState;
  #isWatching = false;

  constructor(site: Site, { request, response, state }: NodePair, method: string, target: string) {
    super(site, { method, target, headers: request.headers, userId: null, body: request });
    this.#request = request;
    this.#response = response;
    this.#state = state;
  }

  override get remoteAddress(): string | null {
    return this.#request.socket.remoteAddress ?? null;
  }

  protected override write(reply: Reply): void {
    const { body } = reply;
    if (this.#response.destroyed) {
      discardBody(body);
      return this.leave();
    }
    if (body.kind === "stream" && !this.isHead) {
      void this.#pour(reply, body.chunks);
      return;
    }
    this.#writeHead(reply);
    if (body.kind === "bytes" && !this.isHead) {
      this.bytes = body.bytes.length;
      if (body.bytes.length > LONGEST_TEXT) this.#response.end(body.bytes);
      else this.#response.end(textOf(body.bytes), "latin1");
    } else {
      discardBody(body);
      this.#response.end();
    }
    this.finish();
  }

  #writeHead(reply: Reply): void {
    const headers = listHeaders(reply, this.requestId);
    if (this.#state.isClosing) headers.push("Connection", "close");
    this.#response.writeHead(reply.status, headers);
  }

  /** The head waits for the first chunk: until then a failure can still get an answer of its own. */
  async #pour(reply: Reply, source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      const chunks = this.open(source);
      for (;;) {
        const { done, value } = await chunks.next();
        if (!this.isCurrent(chunks)) return;
        this.progress();
        if (!this.#response.headersSent) this.#writeHead(reply);
        if (done === true) break;
        this.bytes += value.length;
        if (!this.#response.write(value)) await drained(this.#response);
        if (!this.isCurrent(chunks)) return;
      }
      this.#response.end();
      this.finish();
    } catch (error) {
      this.fail(error);
    }
  }

  protected override watchClient(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    if (this.#response.destroyed) this.leave();
    else this.#response.once("close", () => this.leave());
  }

  protected override hasBegunAnswer(): boolean {
    return this.#response.headersSent;
  }

  protected override breakOff(): void {
    this.#response.destroy();
  }
}

/**
 * One character per byte, whatever they mean: what Node writes in one piece with the head. Bytes would be a piece of
 * their own.
 */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Resolves when there is room again, or nobody left to write to. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off("drain", settle);
      response.off("close", settle);
      resolve();
    };
    response.on("drain", settle);
    response.on("close", settle);
  });
}
