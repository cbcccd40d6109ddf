// `npm start`: the example, as `stoa dev` has it. Compiles it, makes its tables in an embedded PostgreSQL of its own,
// fills them if they are empty, and serves until Ctrl-C; what is changed in its sources is live at once.

import { spawn } from "node:child_process";
import { bootstrap, ROOT } from "./bootstrap.mjs";

const STOA = "packages/cli/bin/stoa.cjs";
const EXAMPLE = "examples/bookstore";

// The example is on its own database and for trying things out, whatever else this terminal is used for.
delete process.env.DATABASE_URL;
delete process.env.STOA_DATABASE_URL;
delete process.env.NODE_ENV;

const url = `http://127.0.0.1:${process.env.PORT || 3000}`;

await bootstrap();
console.error(`
When the bookstore is served, try in another terminal (with its url, if that is another):

  curl '${url}/api/author?pageSize=3'
  curl '${url}/api/author/author-1'
  curl '${url}/api/book/1'

  npx stoa explain ${EXAMPLE} book.list     the SQL behind an endpoint

Or change something in ${EXAMPLE}, and look again.
`);
develop();

function develop() {
  const child = spawn(process.execPath, [STOA, "dev", EXAMPLE], { cwd: ROOT, stdio: "inherit" });
  // The server ends by itself, in good order, and this process after it.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
    process.on(signal, () => child.kill(signal));
  child.on("error", (error) => console.error(error.message));
  child.on("close", (code) => {
    process.exitCode = code ?? 1;
  });
}
