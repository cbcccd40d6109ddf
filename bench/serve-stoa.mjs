// The program of `library.mjs`, served by Stoa as it is built, in a process of its own.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROGRAM } from "./library.mjs";
import { answerUsage } from "./server-child.mjs";

const { url, log: level, root } = JSON.parse(process.argv[2] ?? "{}");

/** @param {string} name */
const load = (name) => import(pathToFileURL(join(root, "packages", name, "dist/index.js")).href);
const { compile } = await load("compiler");
const { connect } = await load("database");
const { createApplication, createLog } = await load("runtime");

const { definition } = compile([{ name: "library.stoa", text: PROGRAM }]);
const application = createApplication({
  definition,
  database: connect({ url }),
  log: createLog({ level, destination: process.stdout }),
});
const { port } = await application.listen({ port: 0, host: "127.0.0.1" });
answerUsage(port);
