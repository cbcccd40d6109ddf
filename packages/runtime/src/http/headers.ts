// The headers of every answer, as the flat list of names and values that Node writes fastest.

import type { Reply } from "../exchange.js";

const JSON_TYPE = "application/json; charset=utf-8";
/**
 * Answers depend on who asks and on what is stored now. Without this header caches may keep some of them, 404s
 * among them, by rules of thumb. `no-store` would go too far: it forbids asking again with an `ETag`.
 */
const CACHE_CONTROL = "private, no-cache";

export function listHeaders({ status, headers, body }: Reply, requestId: string): string[] {
  // In one piece, because a list that grows is copied.
  const list = [
    "X-Request-Id",
    requestId,
    "X-Content-Type-Options",
    "nosniff",
    "Cache-Control",
    oneOf(headers["Cache-Control"]) ?? CACHE_CONTROL,
    "Content-Type",
    oneOf(headers["Content-Type"]) ?? JSON_TYPE,
    "Content-Length",
    body.kind === "bytes" ? String(body.bytes.length) : "0",
  ];
  if (body.kind === "stream") list.length -= 2;
  else if (body.kind === "none") list.splice(6, status === 204 || status === 304 ? 4 : 2);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name === "Cache-Control" || name === "Content-Type") continue;
    if (typeof value === "string") list.push(name, value);
    else for (const each of value) list.push(name, each);
  }
  return list;
}

function oneOf(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : value.join(", ");
}
