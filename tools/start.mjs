// What `npm start` can honestly do today: build the example application. The server comes with the runtime.

import { bootstrap, exitUnlessOk, runNode } from "./bootstrap.mjs";

await bootstrap();
exitUnlessOk(runNode(["packages/cli/bin/stoa.mjs", "build", "examples/bookstore"]));
console.log(`
There is no server yet; it comes with the runtime package. What works now:

  npx stoa check examples/bookstore    report mistakes
  npx stoa build examples/bookstore    write the application definition
  npx stoa fmt examples/bookstore      format the sources
`);
