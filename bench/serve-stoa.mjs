// The program of `library.mjs`, served by Stoa as it is built, in a process of its own.

import { PROGRAM } from "./library.mjs";
import { answerUsage } from "./server-child.mjs";

const { url, log: level } = JSON.parse(process.argv[2] ?? "{}");

const { compile } = await import("../packages/compiler/dist/index.js");
const { connect } = await import("../packages/database/dist/index.js");
const { createApplication, createLog } = await import("../packages/runtime/dist/index.js");

const { definition } = compile([{ name: "library.stoa", text: PROGRAM }]);
const application = createApplication({
  definition,
  database: connect({ url }),
  log: createLog({ level, destination: process.stdout }),
});
const { port } = await application.listen({ port: 0, host: "127.0.0.1" });
answerUsage(port);
