// The application as a Fastify plugin. Its requests are taken over before Fastify reads their bodies, so they
// arrive as they would without it; hooks of the host for `onRequest` have run by then. Only the few parts of
// Fastify that are used are described here, to do without the dependency.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Site } from "./live-call.js";
import { type ServerState, serveNode } from "./node-listener.js";

interface HostRequest {
  readonly raw: IncomingMessage;
}

interface HostReply {
  readonly raw: ServerResponse;
  hijack(): unknown;
  callNotFound(): unknown;
}

interface HostRoute {
  readonly onRequest: (request: HostRequest, reply: HostReply, done: () => void) => void;
}

export interface FastifyHost {
  readonly prefix: string;
  all(path: string, options: HostRoute, handler: () => void): unknown;
}

export type FastifyPlugin = (host: FastifyHost) => Promise<void>;

/** Paths that are not ours get the host's own 404. */
export function createFastifyPlugin(site: Site): FastifyPlugin {
  const state: ServerState = { isClosing: false };
  return async (host) => {
    const depth = host.prefix.split("/").filter((segment) => segment !== "").length;
    const onRequest: HostRoute["onRequest"] = ({ raw: request }, reply) => {
      const target = dropSegments(request.url ?? "/", depth);
      let isOurs = true;
      const pair = { request, response: reply.raw, state };
      serveNode(site, pair, target, () => {
        isOurs = false;
      });
      if (isOurs) reply.hijack();
      else reply.callNotFound();
    };
    host.all("/*", { onRequest }, () => {});
  };
}

/** By number and not by text, because a prefix may hold parameters, and clients may encode what they like. */
function dropSegments(target: string, count: number): string {
  let start = 0;
  for (let dropped = 0; dropped < count && start !== -1; dropped++) start = target.indexOf("/", start + 1);
  return start === -1 ? "/" : target.slice(start);
}
