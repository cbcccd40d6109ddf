// What answers in the place of an application that is not there (yet): 503, as a problem that clients know.

import { listHeaders } from "./headers.js";
import type { NodeListener } from "./node-listener.js";
import { renderProblem, unavailable } from "./problem.js";
import { chooseRequestId } from "./request-id.js";

const RETRY_AFTER_SECONDS = 1;

/** `detail` says why, and is sent to whoever asks. */
export function createStandIn(detail: string): NodeListener {
  return (request, response) => {
    const requestId = chooseRequestId(request.headers["x-request-id"]);
    const reply = renderProblem(unavailable(RETRY_AFTER_SECONDS, detail), requestId);
    response.writeHead(reply.status, listHeaders(reply, requestId));
    response.end(reply.body.kind === "bytes" && request.method !== "HEAD" ? reply.body.bytes : undefined);
  };
}
