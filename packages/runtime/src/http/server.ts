// The application on a port of its own: limits, refusals of what is not HTTP, and an orderly end.

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { explainListenError } from "./listen-failure.js";
import type { Log } from "./log.js";
import type { NodeListener, ServerState } from "./node-listener.js";
import { writeRefusal } from "./problem.js";
import { newRequestId } from "./request-id.js";

export interface ListenOptions {
  /** 0 takes any port that is free. */
  readonly port: number;
  readonly host: string;
}

export interface ListeningServer {
  readonly port: number;
  readonly host: string;
  readonly url: string;
  /**
   * Takes no new connections, finishes what is in flight, and cuts off what is not done by the deadline (10 s
   * when not given). Resolves when the last connection is closed.
   */
  close(options?: { readonly deadlineMs?: number }): Promise<void>;
}

const LIMITS = {
  // A client that trickles its headers or body holds a connection and nothing else, yet not for ever.
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  // Proxies reuse connections for about a minute. The side that closes must be theirs, or else a request meets
  // a closed door.
  keepAliveTimeout: 65_000,
};
const CLOSE_DEADLINE_MS = 10_000;
const SWEEP_MS = 50;

export interface Service {
  /** What answers on the port; it may look at the state of the server behind it. */
  createListener(state: ServerState): NodeListener;
  readonly log: Log;
}

export async function listen(
  { createListener, log }: Service,
  { port, host }: ListenOptions,
): Promise<ListeningServer> {
  const state: ServerState = { isClosing: false };
  const server = createServer(LIMITS, createListener(state));
  server.on("clientError", refuse);
  const sockets = trackSockets(server);
  await start(server, { port, host });
  const { port: taken } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    port: taken,
    host,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    close({ deadlineMs = CLOSE_DEADLINE_MS } = {}) {
      state.isClosing = true;
      closing ??= closeServer({ server, sockets, log, deadlineMs });
      return closing;
    },
  };
}

function start(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(explainListenError(error, options));
    server.once("error", onError);
    try {
      server.listen(options, () => {
        server.off("error", onError);
        resolve();
      });
    } catch (error) {
      reject(explainListenError(error, options));
    }
  });
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

interface Closing {
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  readonly log: Log;
  readonly deadlineMs: number;
}

async function closeServer({ server, sockets, log, deadlineMs }: Closing): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => sweepIdle(server, sockets), SWEEP_MS);
  const deadline = setTimeout(() => {
    log.warn("requests were cut off at the end", { deadlineMs });
    server.closeAllConnections();
  }, deadlineMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

/**
 * An answer that had begun before the end may leave its connection open and idle. And Node does not count as
 * idle what was opened and never used, as browsers do in advance.
 */
function sweepIdle(server: Server, sockets: ReadonlySet<Socket>): void {
  server.closeIdleConnections();
  for (const socket of sockets) {
    if (socket.bytesRead === 0) socket.destroy();
  }
}

/** Node refuses what it cannot read before it becomes a request. The client still gets a problem document. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable || hasBegunAnswer(socket)) {
    socket.destroy();
    return;
  }
  socket.end(writeRefusal(error.code, newRequestId()), () => socket.destroy());
}

/** `_httpMessage` is what Node's own refusal asks, too: two answers must not be written into one another. */
function hasBegunAnswer(socket: Duplex & { readonly _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}
