// `npm start`: the example, served. Compiles it, makes its tables in an embedded PostgreSQL of its own, fills them
// if they are empty, and serves until Ctrl-C.

import { spawn } from "node:child_process";
import { bootstrap, exitUnlessOk, ROOT, runNode } from "./bootstrap.mjs";

const STOA = "packages/cli/bin/stoa.cjs";
const EXAMPLE = "examples/bookstore";

// The example is on its own database and for trying things out, whatever else this terminal is used for.
delete process.env.DATABASE_URL;
delete process.env.NODE_ENV;

await bootstrap();
exitUnlessOk(runNode([STOA, "build", EXAMPLE]));
exitUnlessOk(runNode([STOA, "db", "populate", "--if-empty", "--populator", "Dev", EXAMPLE]));
serve();

function serve() {
  const child = spawn(process.execPath, [STOA, "start", EXAMPLE], {
    cwd: ROOT,
    stdio: ["inherit", "pipe", "inherit"],
  });
  let start = "";
  child.stdout.on("data", (chunk) => {
    process.stdout.write(chunk);
    if (start === "done") return;
    start += chunk;
    const url = /"msg":"listening","url":"([^"]+)"/.exec(start)?.[1];
    if (url === undefined) return;
    start = "done";
    showRequests(url);
  });
  // The server ends by itself, in good order, and this process after it.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
    process.on(signal, () => child.kill(signal));
  child.on("error", (error) => console.error(error.message));
  child.on("close", (code) => {
    process.exitCode = code ?? 1;
  });
}

/** @param {string} url */
function showRequests(url) {
  console.error(`
The bookstore is at ${url}. In another terminal, try:

  curl '${url}/api/author?pageSize=3'
  curl '${url}/api/author/author-1'
  curl '${url}/api/book/1'

  npx stoa explain ${EXAMPLE} book.list     the SQL behind an endpoint

Ctrl-C stops the server and its database.
`);
}
