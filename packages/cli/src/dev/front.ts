// What listens on the port, whatever changes behind it. A request goes to the application that is live when it
// comes, and stays with it to its end; the next one on the same connection may meet another.

import type { IncomingMessage, ServerResponse } from "node:http";
import { createStandIn, type NodeListener } from "@stoa/runtime";
import { EVENTS_PATH, PAGE_POLICY, renderPage } from "./error-page.js";
import type { Trouble } from "./trouble.js";

export interface Front {
  readonly listener: NodeListener;
  /** New requests are for this application from now on, and all is well. */
  use(application: NodeListener): void;
  /** The newest sources are not live; null when they are, after all. */
  show(trouble: Trouble | null): void;
  /** Lets go of pages that wait for news. */
  close(): void;
}

/** In answers of a version that is not the newest. */
const STALE = ["Stoa-Dev", "stale"] as const;

type Pair = readonly [IncomingMessage, ServerResponse];

export function createFront(): Front {
  let application: NodeListener | undefined;
  let trouble: Trouble | null = null;
  let serial = 0;
  /** Requests that came before there was anything to say. */
  let early: Pair[] = [];
  const pages = new Set<ServerResponse>();

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (pathOf(request) === EVENTS_PATH) return follow(pages, response, serial);
    if (trouble !== null && wantsPage(request)) {
      return sendPage(
        request,
        response,
        renderPage({ trouble, serial, isServing: application !== undefined }),
      );
    }
    if (trouble !== null) response.setHeader(...STALE);
    if (application !== undefined) return application(request, response);
    if (trouble !== null) return createStandIn(capital(trouble.title))(request, response);
    early.push([request, response]);
  };

  const announce = (): void => {
    serial++;
    const waiting = early;
    early = [];
    for (const [request, response] of waiting) if (!response.destroyed) answer(request, response);
    for (const page of pages) page.write(`data: ${serial}\n\n`);
  };

  return {
    listener: answer,
    use(next) {
      application = next;
      trouble = null;
      announce();
    },
    show(next) {
      if (next === trouble) return;
      trouble = next;
      announce();
    },
    close() {
      for (const page of pages) page.end();
    },
  };
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}

/** Only where a person would look at the answer: programs get what the application says. */
function wantsPage({ method, headers }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const target = headers["sec-fetch-dest"];
  const isSeen = target === undefined || target === "document" || target === "iframe";
  return isSeen && (headers.accept ?? "").includes("text/html");
}

/** 503: whoever comes later will see something else. */
function sendPage({ method }: IncomingMessage, response: ServerResponse, page: string): void {
  response.writeHead(503, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(page),
    "Content-Security-Policy": PAGE_POLICY,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    ...Object.fromEntries([STALE]),
  });
  response.end(method === "HEAD" ? undefined : page);
}

/** Server-sent events: the number of the present state, and of each that follows. */
function follow(pages: Set<ServerResponse>, response: ServerResponse, serial: number): void {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.write(`retry: 500\ndata: ${serial}\n\n`);
  pages.add(response);
  response.once("close", () => pages.delete(response));
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
