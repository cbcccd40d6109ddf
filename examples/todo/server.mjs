// The todo list on one port: the api that `stoa build` has made, and beside it the page in `web`.
//
//   node examples/todo/server.mjs             on port 3000; PORT says another
//
// `stoa start` serves the api alone. This is how to put an application into a program of one's own.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadApplication } from "stoa/server";

const folder = new URL("./", import.meta.url);
const web = new URL("web/", folder);
const port = Number(process.env.PORT ?? 3000);

/** What a browser may load; anything else is not there. */
const TYPES = new Map([
  [".html", "text/html; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".svg", "image/svg+xml"],
]);

const application = await loadApplication(fileURLToPath(folder), { logLevel: "info" }).catch((error) => {
  console.error(error.message);
  process.exit(1);
});

const server = createServer((request, response) => {
  // The application takes what it has a route for, and hands on the rest. Below /api it answers in any case.
  const next = request.url?.startsWith("/api/") ? undefined : () => servePage(request, response);
  application.listener(request, response, next);
});
server.listen(port, "127.0.0.1", () => {
  const address = server.address();
  console.error(`The todo list is at http://127.0.0.1:${typeof address === "object" ? address?.port : port}`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server.close(() => application.close());
    server.closeAllConnections();
  });
}

/**
 * A file of the folder `web`, and nothing outside of it.
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function servePage(request, response) {
  const path = request.url?.split("?")[0] ?? "/";
  const file = new URL(path === "/" ? "./index.html" : `.${path}`, web);
  const type = TYPES.get(extname(file.pathname));
  const isThere = type !== undefined && request.method === "GET" && file.href.startsWith(web.href);
  const bytes = isThere ? await readFile(file).catch(() => null) : null;
  if (bytes === null) {
    response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("There is nothing here.\n");
    return;
  }
  response.writeHead(200, {
    "Content-Type": type,
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    // Scripts, styles and requests of this server, and nothing else.
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  });
  response.end(bytes);
}
