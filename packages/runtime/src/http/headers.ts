// The headers of every answer, as the flat list of names and values that Node writes fastest.

import type { Reply } from "../exchange.js";

const JSON_TYPE = "application/json; charset=utf-8";
/**
 * Answers depend on who asks and on what is stored now. Without this header caches may keep some of them, 404s
 * among them, by rules of thumb. `no-store` would go too far: it forbids asking again with an `ETag`.
 */
const CACHE_CONTROL = "private, no-cache";

export function listHeaders({ status, headers, body }: Reply, requestId: string): string[] {
  const list = ["X-Request-Id", requestId, "X-Content-Type-Options", "nosniff"];
  let hasType = false;
  let hasCacheControl = false;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    list.push(name, value);
    const lower = name.toLowerCase();
    if (lower === "content-type") hasType = true;
    else if (lower === "cache-control") hasCacheControl = true;
  }
  if (!hasCacheControl) list.push("Cache-Control", CACHE_CONTROL);
  if (!hasType && body.kind !== "none") list.push("Content-Type", JSON_TYPE);
  if (body.kind === "bytes") list.push("Content-Length", String(body.bytes.length));
  else if (body.kind === "none" && status !== 204 && status !== 304) list.push("Content-Length", "0");
  return list;
}
