// What `npm start` can honestly do today: compile the example, make its tables in an embedded PostgreSQL of its
// own, and fill them. The server comes with the runtime.

import { bootstrap, exitUnlessOk, runNode } from "./bootstrap.mjs";

const STOA = "packages/cli/bin/stoa.cjs";
const EXAMPLE = "examples/bookstore";

await bootstrap();
exitUnlessOk(runNode([STOA, "build", EXAMPLE]));
exitUnlessOk(runNode([STOA, "db", "populate", "--populator", "Dev", EXAMPLE]));
console.log(`
There is no server yet; it comes with the runtime package. What works now:

  npx stoa check ${EXAMPLE}               report mistakes
  npx stoa fmt ${EXAMPLE}                 format the sources
  npx stoa build ${EXAMPLE}               write the application definition
  npx stoa db push ${EXAMPLE}             make the database match the models
  npx stoa db populate -p Dev ${EXAMPLE}  fill it with data
`);
